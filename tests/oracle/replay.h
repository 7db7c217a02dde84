/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules of the scheduler, each replayed on every record that shows it at work.
 */
#ifndef ORACLE_REPLAY_H
#define ORACLE_REPLAY_H

#include "recording.h"
#include "schedsim/machine.h"
#include "wakeup/registry.h"

/* Where one recording is played again. */
struct replay {
	const struct recording *recording; /* not owned */
	struct machine *m;                 /* owned; of the recording's shape */
	policy_instance policy;            /* owned; of the recording's features */
	GHashTable *tasks; /* owned; by pid, what a rule remembers; owned by it */

	unsigned long nr_equal, nr_differ;
	unsigned long nr_raced; /* that differ, and may well: see replay_expect_cpu() */
	unsigned long nr_apart; /* records of the rule that say too little */
};

struct rule {
	const char *name;
	unsigned at_least_per_mille; /* of equal among equal and differing */
	struct listener listener;    /* gets a struct replay */
};

/* Each ends with a NULL name. */
extern const struct rule wakeup_rules[];
extern const struct rule task_rules[];

/*
 * Counts a record as equal or not; the first that differ are printed.  A choice that
 * differs counts as raced, and not as different, where another CPU provably
 * changed one of @inputs, CPUs, while it was made.
 */
void replay_expect_cpu(struct replay *r, const struct decision *d, int expected,
		       int got, uint64_t inputs);
void replay_expect_u64(struct replay *r, const struct change *c, uint64_t expected,
		       uint64_t got);

#endif
