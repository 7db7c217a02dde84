/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Costs of operations on cpusets, CPUs and tasks: times that are drawn.  Sources are
 * in control_costs.def.
 */
#ifndef MODEL_CONTROL_COSTS_H
#define MODEL_CONTROL_COSTS_H

#include "base/dist.h"

struct control_cost {
	struct dist each;    /* ns; its arrays are those of whoever read it */
	uint64_t millionths; /* of what is drawn; 1000000 unless costs were scaled */
};

struct control_costs {
#define CONTROL_COST(name, kind, a, b, why) struct control_cost name;
#include "schedsim/control_costs.def"
#undef CONTROL_COST
};

enum control_cost_id {
#define CONTROL_COST(name, kind, a, b, why) CONTROL_COST_##name,
#include "schedsim/control_costs.def"
#undef CONTROL_COST
	NR_CONTROL_COSTS,
};

/* What one user of the costs has drawn so far: each cost has numbers of its own. */
struct control_draws {
	struct random_stream streams[NR_CONTROL_COSTS];
	uint64_t turns[NR_CONTROL_COSTS];
};

/* The defaults. */
void control_costs_init(struct control_costs *costs);
/* Nothing takes time. */
void control_costs_none(struct control_costs *costs);
/* Each becomes @percent of what it is. */
void control_costs_scale(struct control_costs *costs, uint64_t percent);
/* Frees what the distributions hold; nothing takes time then. */
void control_costs_clear(struct control_costs *costs);

/* NULL when there is none of that name. */
struct control_cost *control_cost_find(struct control_costs *costs, const char *name);
/* Every time exactly @ns.  What was there before is not freed. */
void control_cost_set(struct control_cost *cost, uint64_t ns);
/* As a workload file has it: 440, or {"uniform": ["2us", "4us"]}.  (transfer full) */
char *control_cost_default_text(enum control_cost_id id);

void control_draws_init(struct control_draws *draws, uint64_t seed, const char *user);
/* @count times one draw, ns; at most INT64_MAX. */
uint64_t control_cost_draw(const struct control_costs *costs, enum control_cost_id id,
			   uint64_t count, struct control_draws *draws);

#endif
