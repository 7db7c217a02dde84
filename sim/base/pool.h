/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of one size that come and go: memory is asked for in chunks and given
 * back only with the whole pool.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <glib.h>

struct pool {
	size_t size;       /* bytes of an object */
	void *free;        /* the first one unused; each holds a pointer to the next */
	GPtrArray *chunks; /* owned */
};

/* @size is at least a pointer's. */
void pool_init(struct pool *p, size_t size);
/* Frees every object, returned or not. */
void pool_clear(struct pool *p);
/* A zeroed object. */
void *pool_get(struct pool *p);
void pool_put(struct pool *p, void *object);

#endif
