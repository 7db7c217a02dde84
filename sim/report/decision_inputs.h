/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a decision of select_task_rq() is made from, sampled before it changes
 * anything.
 */
#ifndef REPORT_DECISION_INPUTS_H
#define REPORT_DECISION_INPUTS_H

#include "report/json_writer.h"
#include "schedsim/wakeup.h"

struct decision_inputs {
	unsigned waker_flips, wakee_flips;
	struct cpumask idle;
	unsigned this_nr_running, prev_nr_running;
	uint64_t this_load, prev_load; /* cpu_load() */
	uint64_t wakee_h_load;         /* task_h_load() */
	uint64_t wakee_load_avg, wakee_util_avg;
	uint64_t wakee_dur_avg_ns, waker_dur_avg_ns;
	int recent_used_cpu;
	int this_nr_idle_scan, prev_nr_idle_scan; /* of their LLCs; -1: no LLC */
	bool this_has_idle_cores, prev_has_idle_cores;
};

void decision_inputs_sample(struct decision_inputs *in, const struct wakeup *w);
/* As members of the object that is open; @w is the finished decision. */
void decision_inputs_write(const struct decision_inputs *in, const struct wakeup *w,
			   json_writer *line);

#endif
