/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weights, the division by them, tunables and the average by eighths.
 */
#include "model/machine_new.h"
#include "sched/load_weight.h"
#include "vectors.h"

static void check_weights(struct vector_case *c)
{
	int nice = (int)vector_s64(c, "nice");
	bool idle = vector_bool(c, "policy_idle");
	struct load_weight lw =
		task_load_weight(idle ? POLICY_IDLE : POLICY_NORMAL, nice);

	vector_expect_field(c, "load_weight", lw.weight);
	vector_expect_field(c, "weight", scale_load_down(lw.weight));
	vector_expect_field(c, "inv_weight", lw.inv_weight);
	if (!idle) {
		vector_expect_field(c, "weight", prio_to_weight[nice - MIN_NICE]);
		vector_expect_field(c, "inv_weight", prio_to_wmult[nice - MIN_NICE]);
	}
	load_weight_set(&lw, lw.weight);
	calc_delta(1, NICE_0_LOAD, &lw);
	vector_expect_field(c, "inv_recomputed", lw.inv_weight);
}

static void check_calc_delta(struct vector_case *c)
{
	uint64_t delta = vector_u64(c, "delta"), weight = vector_u64(c, "weight");
	struct load_weight lw = {
		.weight = vector_u64(c, "lw_weight"),
		.inv_weight = (uint32_t)vector_u64(c, "lw_inv_in"),
	};

	vector_expect_field(c, "result", calc_delta(delta, weight, &lw));
	vector_expect_field(c, "lw_inv_out", lw.inv_weight);
}

static void check_tunables(struct vector_case *c)
{
	static const enum tunable_scaling modes[] = {SCALING_NONE, SCALING_LOG,
						     SCALING_LINEAR};
	uint64_t mode = vector_u64(c, "mode");
	int nr_cpus = (int)vector_s64(c, "ncpus");
	struct sched_tunables tunables;

	if (mode >= G_N_ELEMENTS(modes))
		vector_broken(c, "unknown mode");
	tunables = tunables_for(modes[mode], nr_cpus);
	vector_expect_field(c, "factor", tunable_scaling_factor(modes[mode], nr_cpus));
	vector_expect_field(c, "latency", tunables.latency_ns);
	vector_expect_field(c, "min_gran", tunables.min_granularity_ns);
	vector_expect_field(c, "wakeup_gran", tunables.wakeup_granularity_ns);
}

static void check_update_avg(struct vector_case *c)
{
	uint64_t avg = vector_u64(c, "avg");

	update_avg(&avg, vector_u64(c, "sample"));
	vector_expect_field(c, "out", avg);
}

static const struct vector_entry entries[] = {
	{"weights", "nice policy_idle weight load_weight inv_weight inv_recomputed",
	 NULL, check_weights},
	{"calc_delta", "delta weight lw_weight lw_inv_in result lw_inv_out", NULL,
	 check_calc_delta},
	{"tunables", "ncpus mode factor latency min_gran wakeup_gran", NULL,
	 check_tunables},
	{"update_avg", "avg sample out", NULL, check_update_avg},
	{0},
};

int main(int argc, char **argv)
{
	return vectors_main(argc, argv, entries);
}
