/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Topologies by name, by string, or CPU by CPU.
 */
#include "workload/topology_read.h"

#include "schedsim/error.h"
#include "schedsim/units.h"
#include "workload/machine_read.h"
#include "workload/read.h"

#define DISTANCE_MAX 255

static topology *read_name_or_shape(const struct node *n, GError **error)
{
	topology *t;

	if (!cJSON_IsString(n->json)) {
		node_expected(n, "a machine's name or a topology such as \"1n2l4c2t\"",
			      error);
		return NULL;
	}
	t = topology_find(n->json->valuestring, error);
	if (!t)
		node_prefix(n, error);
	return t;
}

static bool read_optional(const struct node *n, const char *key, int64_t max, int *out,
			  GError **error)
{
	struct node child = node_get(n, key);
	int64_t value = *out;

	if (child.json && !read_int(&child, 0, max, &value, error))
		return false;
	*out = value;
	return true;
}

/* {"core": 0, "llc": 0, "node": 0, "capacity": 1024}; what is left out is 0, and a
 * core of its own. */
static bool read_cpu(const struct node *n, topology *t, int cpu, GError **error)
{
	static const char *const keys[] = {"core", "llc", "node", "capacity", NULL};
	int capacity = CAPACITY_ONE;

	if (!node_has_only(n, keys, error) ||
	    !read_optional(n, "core", CPUS_MAX - 1, &t->cpu[cpu].core, error) ||
	    !read_optional(n, "llc", CPUS_MAX - 1, &t->cpu[cpu].llc, error) ||
	    !read_optional(n, "node", NODES_MAX - 1, &t->cpu[cpu].node, error) ||
	    !read_optional(n, "capacity", CAPACITY_ONE, &capacity, error))
		return false;
	t->cpu[cpu].capacity = capacity;
	t->nr_nodes = MAX(t->nr_nodes, t->cpu[cpu].node + 1);
	return true;
}

static topology *read_cpus_described(const struct node *n, GError **error)
{
	int nr_cpus = cJSON_IsArray(n->json) ? cJSON_GetArraySize(n->json) : 0;
	g_autoptr(topology) t = NULL;
	struct node child;
	int cpu = 0;

	if (nr_cpus < 1 || nr_cpus > CPUS_MAX) {
		node_fail(n, INPUT_ERROR_VALUE, error,
			  "expected an array of 1 to %d CPUs", CPUS_MAX);
		return NULL;
	}
	t = topology_new("described", nr_cpus);
	node_for_each(child, n) if (!read_cpu(&child, t, cpu++, error)) return NULL;
	return g_steal_pointer(&t);
}

static bool read_distance_row(const struct node *n, topology *t, int from,
			      GError **error)
{
	struct node child;
	int64_t distance;
	int to = 0;

	if (!cJSON_IsArray(n->json) || cJSON_GetArraySize(n->json) != t->nr_nodes)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected an array of %d distances", t->nr_nodes);
	node_for_each(child, n)
	{
		if (!read_int(&child, LOCAL_DISTANCE, DISTANCE_MAX, &distance, error))
			return false;
		t->distance[from][to++] = distance;
	}
	return true;
}

static bool read_distances(const struct node *n, topology *t, GError **error)
{
	struct node child;
	int from = 0;

	if (!cJSON_IsArray(n->json) || cJSON_GetArraySize(n->json) != t->nr_nodes)
		return node_fail(n, INPUT_ERROR_VALUE, error,
				 "expected an array of %d rows, one a NUMA node",
				 t->nr_nodes);
	node_for_each(child,
		      n) if (!read_distance_row(&child, t, from++, error)) return false;
	return true;
}

/* {"0-3": 462, "4-7": 1024} */
static bool read_capacities(const struct node *n, topology *t, GError **error)
{
	struct node child;
	struct cpumask cpus, seen = cpumask_none();
	int64_t capacity;
	int cpu;

	if (!cJSON_IsObject(n->json))
		return node_expected(n, "an object such as {\"0-3\": 462}", error);
	node_for_each(child, n)
	{
		if (!read_int(&child, 1, CAPACITY_ONE, &capacity, error))
			return false;
		if (!cpumask_parse_list(child.json->string, t->nr_cpus, &cpus, error))
			return node_prefix(n, error);
		for_each_cpu (cpu, &cpus) {
			if (cpumask_test(&seen, cpu))
				return node_fail(&child, INPUT_ERROR_VALUE, error,
						 "expected each CPU once, got CPU %d "
						 "again",
						 cpu);
			cpumask_set(&seen, cpu);
			t->cpu[cpu].capacity = capacity;
		}
	}
	return true;
}

static bool read_changes(const struct node *n, topology *t, GError **error)
{
	struct node distances = node_get(n, "distances");
	struct node capacities = node_get(n, "capacities");

	return (!distances.json || read_distances(&distances, t, error)) &&
	       (!capacities.json || read_capacities(&capacities, t, error)) &&
	       read_optional(n, "node_reclaim_distance", DISTANCE_MAX,
			     &t->node_reclaim_distance, error);
}

topology *topology_read(const struct node *n, GError **error)
{
	g_autoptr(topology) t = NULL;
	struct node shape, cpus;

	if (cJSON_IsString(n->json))
		return read_name_or_shape(n, error);
	shape = node_get(n, "topology");
	cpus = node_get(n, "cpus");
	if (shape.json && cpus.json) {
		node_fail(n, INPUT_ERROR_VALUE, error,
			  "expected \"topology\" or \"cpus\", got both");
		return NULL;
	}
	if (cpus.json)
		t = read_cpus_described(&cpus, error);
	else if (shape.json)
		t = read_name_or_shape(&shape, error);
	else
		t = topology_find(DEFAULT_MACHINE, error);
	if (!t || !read_changes(n, t, error))
		return NULL;
	if (topology_validate(t, error))
		return g_steal_pointer(&t);
	node_prefix(n, error);
	return NULL;
}
