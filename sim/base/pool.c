/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A free list over chunks of objects.
 */
#include "base/pool.h"

#include <string.h>

#define OBJECTS_PER_CHUNK 256

void pool_init(struct pool *p, size_t size)
{
	g_assert(size >= sizeof(void *));

	*p = (struct pool){.size = size,
			   .chunks = g_ptr_array_new_with_free_func(g_free)};
}

void pool_clear(struct pool *p)
{
	g_clear_pointer(&p->chunks, g_ptr_array_unref);
	p->free = NULL;
}

void pool_put(struct pool *p, void *object)
{
	*(void **)object = p->free;
	p->free = object;
}

static void grow(struct pool *p)
{
	char *chunk = g_malloc_n(OBJECTS_PER_CHUNK, p->size);

	g_ptr_array_add(p->chunks, chunk);
	for (size_t i = OBJECTS_PER_CHUNK; i-- > 0;)
		pool_put(p, chunk + i * p->size);
}

void *pool_get(struct pool *p)
{
	void *object;

	if (!p->free)
		grow(p);
	object = p->free;
	p->free = *(void **)object;
	return memset(object, 0, p->size);
}
