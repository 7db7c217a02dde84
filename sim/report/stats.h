/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Observers that count into a struct results.
 *
 * Latencies count by their end: a wakeup made during the warm-up whose switch-in
 * comes after it is in the figures, and one still pending at the end of the run
 * is not.  Times (CPU time, idle while runnable) are cut at both ends.
 */
#ifndef REPORT_STATS_H
#define REPORT_STATS_H

#include "report/results.h"
#include "schedsim/observer.h"
#include "workload/simulation.h"

typedef struct stats stats;

/* @in gives the groups, sources and LLCs; it need not outlive the call. */
stats *stats_new(const struct workload_input *in);
void stats_free(stats *s);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(stats, stats_free)

/* The machine that is observed, whose groups count for themselves; NULL: none.  It
 * outlives stats_finish(). */
void stats_set_machine(stats *s, const struct machine *m);

/* The scheduler's observers, a chain that ends with NULL; @s owns them. */
struct observer *stats_observers(stats *s);
const struct sim_observer *stats_sim_observer(const stats *s);

/* Ends the measurement at @now_ns; once. */
const struct results *stats_finish(stats *s, uint64_t now_ns);

#endif
