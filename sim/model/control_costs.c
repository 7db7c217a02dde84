/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/control_costs.h"

#include "schedsim/units.h"

#include <string.h>

#define MILLIONTHS 1000000

static const struct control_costs defaults = {
#define CONTROL_COST(name, of_kind, first, second, why)                                \
	.name = {{.kind = DIST_##of_kind, .a = (first), .b = (second)}, MILLIONTHS},
#include "schedsim/control_costs.def"
#undef CONTROL_COST
};

static const char *const names[NR_CONTROL_COSTS] = {
#define CONTROL_COST(name, kind, a, b, why) #name,
#include "schedsim/control_costs.def"
#undef CONTROL_COST
};

static const size_t offsets[NR_CONTROL_COSTS] = {
#define CONTROL_COST(name, kind, a, b, why) offsetof(struct control_costs, name),
#include "schedsim/control_costs.def"
#undef CONTROL_COST
};

static struct control_cost *cost_at(struct control_costs *costs, int id)
{
	return (struct control_cost *)(void *)((char *)costs + offsets[id]);
}

static const struct control_cost *cost_of(const struct control_costs *costs, int id)
{
	return (const struct control_cost *)(const void *)((const char *)costs +
							   offsets[id]);
}

void control_costs_init(struct control_costs *costs)
{
	*costs = defaults;
}

void control_costs_none(struct control_costs *costs)
{
	for (int i = 0; i < NR_CONTROL_COSTS; i++)
		control_cost_set(cost_at(costs, i), 0);
}

void control_costs_scale(struct control_costs *costs, uint64_t percent)
{
	for (int i = 0; i < NR_CONTROL_COSTS; i++) {
		struct control_cost *cost = cost_at(costs, i);

		cost->millionths =
			MIN((unsigned __int128)cost->millionths * percent / 100,
			    UINT32_MAX);
	}
}

void control_costs_clear(struct control_costs *costs)
{
	for (int i = 0; i < NR_CONTROL_COSTS; i++)
		dist_clear(&cost_at(costs, i)->each);
	control_costs_none(costs);
}

struct control_cost *control_cost_find(struct control_costs *costs, const char *name)
{
	for (int i = 0; i < NR_CONTROL_COSTS; i++)
		if (!strcmp(names[i], name))
			return cost_at(costs, i);
	return NULL;
}

void control_cost_set(struct control_cost *cost, uint64_t ns)
{
	*cost = (struct control_cost){dist_fixed(ns), MILLIONTHS};
}

/* Defaults are whole microseconds or milliseconds. */
static char *pair_text(const char *kind, const struct dist *d)
{
	bool ms = d->a % NSEC_PER_MSEC == 0 && d->b % NSEC_PER_MSEC == 0;
	guint64 unit = ms ? NSEC_PER_MSEC : NSEC_PER_USEC;
	const char *name = ms ? "ms" : "us";

	return g_strdup_printf("{\"%s\": [\"%" G_GUINT64_FORMAT
			       "%s\", \"%" G_GUINT64_FORMAT "%s\"]}",
			       kind, d->a / unit, name, d->b / unit, name);
}

char *control_cost_default_text(enum control_cost_id id)
{
	const struct dist *d = &cost_of(&defaults, id)->each;

	switch (d->kind) {
	case DIST_FIXED:
		return g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)d->a);
	case DIST_UNIFORM:
		return pair_text("uniform", d);
	case DIST_EXP:
	case DIST_LOGNORMAL:
	case DIST_PARETO:
	case DIST_LIST:
	case DIST_QUANTILES:
		break;
	}
	/* No default is of these. */
	g_assert_not_reached();
}

void control_draws_init(struct control_draws *draws, uint64_t seed, const char *user)
{
	for (int i = 0; i < NR_CONTROL_COSTS; i++) {
		g_autofree char *name = g_strdup_printf("%s/%s", user, names[i]);

		random_stream_init(&draws->streams[i], seed, name);
		draws->turns[i] = 0;
	}
}

uint64_t control_cost_draw(const struct control_costs *costs, enum control_cost_id id,
			   uint64_t count, struct control_draws *draws)
{
	const struct control_cost *cost = cost_of(costs, id);
	unsigned __int128 ns;

	ns = (unsigned __int128)dist_sample(&cost->each, &draws->streams[id],
					    &draws->turns[id]) *
	     cost->millionths / MILLIONTHS;
	return (uint64_t)MIN(MIN(ns, INT64_MAX) * count, INT64_MAX);
}
