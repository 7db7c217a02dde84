/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Topologies from strings and names.
 */
#include "model/topology.h"

#include "base/nearest.h"
#include "schedsim/error.h"
#include "schedsim/units.h"

#include <string.h>

/* How many of each level there are in one of the level above. */
struct shape {
	uint64_t nodes, llcs, cores, threads;
};

static void set_remote_distance(topology *t, int remote)
{
	for (int a = 0; a < NODES_MAX; a++)
		for (int b = 0; b < NODES_MAX; b++)
			t->distance[a][b] = a == b ? LOCAL_DISTANCE : remote;
}

topology *topology_new(const char *name, int nr_cpus)
{
	topology *t;

	g_assert(nr_cpus >= 1 && nr_cpus <= CPUS_MAX);

	t = g_new0(topology, 1);
	t->name = g_strdup(name);
	t->nr_cpus = nr_cpus;
	t->nr_nodes = 1;
	t->node_reclaim_distance = RECLAIM_DISTANCE;
	set_remote_distance(t, REMOTE_DISTANCE);
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		t->cpu[cpu].core = cpu;
		t->cpu[cpu].capacity = CAPACITY_ONE;
	}
	return t;
}

topology *topology_copy(const topology *t)
{
	topology *copy = g_memdup2(t, sizeof(*t));

	copy->name = g_strdup(t->name);
	copy->summary = g_strdup(t->summary);
	return copy;
}

void topology_free(topology *t)
{
	if (!t)
		return;
	g_free(t->name);
	g_free(t->summary);
	g_free(t);
}

/* Reads digits and @letter from *@at and moves past them. */
static bool read_count(const char **at, char letter, uint64_t *out)
{
	gchar *end;

	if (!g_ascii_isdigit(**at))
		return false;
	*out = g_ascii_strtoull(*at, &end, 10);
	if (*end != letter)
		return false;
	*at = end + 1;
	return true;
}

static bool read_shape(const char *text, struct shape *out, GError **error)
{
	const char *at = text;

	if (!read_count(&at, 'n', &out->nodes) || !read_count(&at, 'l', &out->llcs) ||
	    !read_count(&at, 'c', &out->cores) ||
	    !read_count(&at, 't', &out->threads) || *at) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected a topology such as \"1n2l4c2t\" (NUMA nodes, "
			    "LLCs, cores, threads, of one of the level before), got "
			    "\"%s\"",
			    text);
		return false;
	}
	return true;
}

/* The number of CPUs; any number above CPUS_MAX where counts are absurd. */
static uint64_t shape_cpus(const struct shape *s)
{
	unsigned __int128 cpus = (unsigned __int128)s->nodes * s->llcs;

	cpus = MIN(cpus, G_MAXUINT32) * MIN(s->cores, G_MAXUINT32);
	cpus = MIN(cpus, G_MAXUINT32) * MIN(s->threads, G_MAXUINT32);
	return (uint64_t)cpus;
}

static bool check_shape(const struct shape *s, const char *text, GError **error)
{
	uint64_t cpus = shape_cpus(s);

	if (!cpus) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected at least 1 of each level, got \"%s\"", text);
		return false;
	}
	if (cpus > CPUS_MAX) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected at most %d CPUs, got \"%s\"", CPUS_MAX, text);
		return false;
	}
	if (s->nodes > NODES_MAX) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected at most %d NUMA nodes, got \"%s\"", NODES_MAX,
			    text);
		return false;
	}
	return true;
}

topology *topology_from_string(const char *text, GError **error)
{
	struct shape shape;
	topology *t;
	int nr_cores;

	if (!read_shape(text, &shape, error) || !check_shape(&shape, text, error))
		return NULL;

	t = topology_new(text, (int)shape_cpus(&shape));
	t->nr_nodes = (int)shape.nodes;
	nr_cores = t->nr_cpus / (int)shape.threads;
	for (int cpu = 0; cpu < t->nr_cpus; cpu++) {
		t->cpu[cpu].core = cpu % nr_cores;
		t->cpu[cpu].llc = t->cpu[cpu].core / (int)shape.cores;
		t->cpu[cpu].node = t->cpu[cpu].llc / (int)shape.llcs;
	}
	return t;
}

static topology *topology_of(const struct named_machine *machine)
{
	topology *t = topology_from_string(machine->topology, NULL);

	g_assert(t);
	g_free(t->name);
	t->name = g_strdup(machine->name);
	t->summary = g_strdup(machine->summary);
	t->node_reclaim_distance = machine->node_reclaim_distance;
	set_remote_distance(t, machine->remote_distance);
	for (int cpu = 0; cpu < machine->nr_little; cpu++)
		t->cpu[cpu].capacity = machine->little_capacity;
	return t;
}

static void set_unknown_machine(const char *name, GError **error)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();

	for (const struct named_machine *m = named_machines(); m->name; m++)
		g_ptr_array_add(known, (gpointer)m->name);
	g_ptr_array_add(known, NULL);
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "expected a named machine or a topology such as \"1n2l4c2t\", got "
		    "\"%s\"; the nearest name is \"%s\"",
		    name, nearest_name(name, (const char *const *)known->pdata));
}

topology *topology_find(const char *name, GError **error)
{
	for (const struct named_machine *m = named_machines(); m->name; m++)
		if (!strcmp(m->name, name))
			return topology_of(m);
	if (g_ascii_isdigit(name[0]))
		return topology_from_string(name, error);
	set_unknown_machine(name, error);
	return NULL;
}
