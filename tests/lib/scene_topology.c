/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scene_topology.h"

#include "test.h"

#include <stdio.h>

topology *scene_topology(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "/", 2);
	GError *error = NULL;
	topology *t = topology_find(parts[0], &error);
	unsigned capacity = 0;
	int nr = 0;

	if (!t)
		fail_msg("%s", error->message);
	if (!parts[1])
		return t;
	assert_int_equal(sscanf(parts[1], "%dx%u", &nr, &capacity), 2);
	for (int cpu = 0; cpu < nr; cpu++)
		t->cpu[cpu].capacity = capacity;
	return t;
}
