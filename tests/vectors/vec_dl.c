/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The deadline class: ratios, admission, replenishment and the wakeup rules.
 */
#include "sched/dl_internal.h"
#include "vectors.h"

static void check_to_ratio(struct vector_case *c)
{
	vector_expect_field(
		c, "ratio",
		to_ratio(vector_u64(c, "period"), vector_u64(c, "runtime")));
}

static void check_admission(struct vector_case *c)
{
	struct dl_bw dl_b = {
		.bw = vector_u64(c, "bw"),
		.total_bw = vector_u64(c, "total_bw"),
	};

	vector_expect_field(c, "overflow",
			    dl_overflow(&dl_b, vector_u64(c, "cap"),
					vector_u64(c, "old_bw"),
					vector_u64(c, "new_bw")));
}

static struct sched_dl_entity entity_of(const struct vector_case *c)
{
	return (struct sched_dl_entity){
		.dl_runtime = vector_u64(c, "dl_runtime"),
		.dl_deadline = vector_u64(c, "dl_deadline"),
		.dl_period = vector_u64(c, "dl_period"),
		.runtime = vector_s64(c, "runtime_in"),
		.deadline = vector_u64(c, "deadline_in"),
	};
}

static void expect_entity(struct vector_case *c, const struct sched_dl_entity *dl_se)
{
	vector_expect_field(c, "runtime_out", (uint64_t)dl_se->runtime);
	vector_expect_field(c, "deadline_out", dl_se->deadline);
}

static void check_replenish(struct vector_case *c)
{
	struct sched_dl_entity dl_se = entity_of(c);

	dl_se.dl_yielded = vector_bool(c, "yielded");
	dl_se.dl_throttled = true;
	replenish_dl_entity(&dl_se, vector_u64(c, "clock"));
	expect_entity(c, &dl_se);
	vector_expect_u64(c, 0, dl_se.dl_yielded, "dl_yielded");
	vector_expect_u64(c, 0, dl_se.dl_throttled, "dl_throttled");
}

/* What the figures after a wakeup tell of the rule that made them. */
enum wakeup_rule { RULE_KEPT, RULE_NEW_PERIOD, RULE_REVISED };

static void check_update_entity(struct vector_case *c)
{
	uint64_t clock_ns = vector_u64(c, "clock");
	uint64_t rule = vector_u64(c, "rule");
	struct sched_dl_entity before = entity_of(c), dl_se;

	before.dl_density = vector_u64(c, "dl_density");
	vector_expect_u64(c, to_ratio(before.dl_deadline, before.dl_runtime),
			  before.dl_density, "dl_density");
	vector_expect_field(c, "overflow", dl_entity_overflow(&before, clock_ns));
	dl_se = before;
	update_dl_entity(&dl_se, clock_ns);
	expect_entity(c, &dl_se);
	if (rule == RULE_KEPT)
		vector_expect_s64(c, before.runtime, dl_se.runtime, "runtime kept");
	else if (rule == RULE_NEW_PERIOD)
		vector_expect_u64(c, clock_ns + before.dl_deadline, dl_se.deadline,
				  "deadline of a new period");
	else if (rule == RULE_REVISED)
		vector_expect_u64(c, before.deadline, dl_se.deadline, "deadline kept");
	else
		vector_broken(c, "unknown rule");
}

static const struct vector_entry entries[] = {
	{"dl_to_ratio", "period runtime ratio", NULL, check_to_ratio},
	{"dl_admission", "bw cap total_bw old_bw new_bw overflow", NULL,
	 check_admission},
	{"dl_replenish",
	 "clock dl_runtime dl_deadline dl_period yielded runtime_in deadline_in "
	 "runtime_out deadline_out",
	 NULL, check_replenish},
	{"dl_update_entity",
	 "clock dl_runtime dl_deadline dl_period dl_density runtime_in deadline_in "
	 "overflow rule runtime_out deadline_out",
	 NULL, check_update_entity},
	{0},
};

int main(int argc, char **argv)
{
	return vectors_main(argc, argv, entries);
}
