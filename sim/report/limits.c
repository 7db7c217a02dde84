/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of limits.def.
 */
#include "report/limits.h"

#include <stddef.h>

static const struct limit table[] = {
#define LIMIT(what, consequence) {what, consequence},
#include "report/limits.def"
#undef LIMIT
	{NULL, NULL},
};

const struct limit *limits(void)
{
	return table;
}
