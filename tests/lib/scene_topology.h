/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shape of a scene's machine in a word.
 */
#ifndef SCENE_TOPOLOGY_H
#define SCENE_TOPOLOGY_H

#include "model/topology.h"

/* As topology_find(), or "1n2l4c1t/4x446": the first 4 CPUs have capacity 446. */
topology *scene_topology(const char *text);

#endif
