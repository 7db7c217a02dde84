/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Named numbers and times of a workload, which the command line may set.
 */
#ifndef WORKLOAD_PARAMS_H
#define WORKLOAD_PARAMS_H

#include "workload/expression.h"
#include "workload/node.h"

struct params {
	GHashTable *values; /* name -> struct param *, owned */
	GPtrArray *order;   /* of struct param *, not owned: as in the file */
};

struct param {
	char *name; /* owned */
	struct quantity value;
	bool used;
};

void params_init(struct params *p);
void params_clear(struct params *p);

/*
 * Reads object @n ("params"; json may be NULL) and then @overrides (name -> value
 * as text; may be NULL).  A value is a number, a time with its unit, or an
 * expression of the parameters before it.  Overriding what the file does not
 * define is an error.
 */
bool params_read(struct params *p, const struct node *n, GHashTable *overrides,
		 GError **error);

/* A quantity_lookup; marks the parameter as used. */
const struct quantity *params_lookup(void *data, const char *name, GError **error);

/*
 * What a number, a time ("250us"), an expression ("=2*period") or a reference
 * ({"param": "period"}) of the file says.  @what is what the message expects.
 */
bool quantity_read(const struct node *n, const char *what, struct quantity *out,
		   GError **error);

#endif
