/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decision replay: the recorded inputs of a real kernel go through the scheduler's
 * functions, and the outcome is to be the recorded one.  argv[1] names the rule;
 * the recordings lie in the folder that SCHEDSIM_ORACLE names, and without it there
 * is nothing to do.
 */
#include "replay.h"

#include "model/machine_new.h"
#include "sched/core.h"
#include "sched/profile.h"
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define EXIT_SKIPPED 77 /* ctest's SKIP_RETURN_CODE */
#define DIFFERENCES_SHOWN 10

void replay_expect_cpu(struct replay *r, const struct decision *d, int expected,
		       int got, uint64_t inputs)
{
	bool raced = d->disturbed & inputs;

	if (expected == got) {
		r->nr_equal++;
		return;
	}
	*(raced ? &r->nr_raced : &r->nr_differ) += 1;
	if (r->nr_raced + r->nr_differ <= DIFFERENCES_SHOWN)
		printf("%s: wakeup of %d by %d on cpu %d, prev %d, affine %d: "
		       "expected %d, got %d%s\n",
		       r->recording->path, d->wakee, d->waker, d->this_cpu, d->prev_cpu,
		       d->affine_cpu, expected, got, raced ? " (raced)" : "");
}

void replay_expect_u64(struct replay *r, const struct change *c, uint64_t expected,
		       uint64_t got)
{
	if (expected == got) {
		r->nr_equal++;
		return;
	}
	if (++r->nr_differ <= DIFFERENCES_SHOWN)
		printf("%s: %s of %d at %" PRIu64 ": expected %" PRIu64 ", got %" PRIu64
		       "\n",
		       r->recording->path, c->what, c->pid, c->now_ns, expected, got);
}

/* Sockets of one LLC each in one node; a core's threads are neighbours. */
static topology *shape_of(const struct recording *r)
{
	topology *topo = topology_new("recorded", r->nr_cpus);

	for (int cpu = 0; cpu < r->nr_cpus; cpu++) {
		topo->cpu[cpu].core = cpu / r->cpus_per_core;
		topo->cpu[cpu].llc = cpu / r->cpus_per_llc;
	}
	return topo;
}

static const char *policy_of(const struct recording *r)
{
	static const struct {
		const char *features, *policy;
	} known[] = {
		{"base", "baseline"},
		{"v5", "sis_short"},
		{"v5w", "sis_short_skip_weight"},
		{"w", "skip_weight"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (!strcmp(known[i].features, r->features))
			return known[i].policy;
	fail_msg("%s: no policy stands for %s", r->path, r->features);
	return NULL;
}

static void replay_begin(struct replay *r, const struct recording *recording)
{
	g_autoptr(topology) topo = shape_of(recording);
	g_autoptr(GError) error = NULL;
	struct machine_spec spec;

	r->recording = recording;
	if (!wakeup_policy_instance(policy_of(recording), &r->policy, &error))
		fail_msg("%s", error->message);
	machine_spec_init(&spec, kernel_profile_find("6.1-lts"));
	spec.policy = &r->policy.policy;
	spec.policy_params = r->policy.params;
	r->m = machine_new(topo, &spec);
	sched_init(r->m);
	r->tasks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	if (r->m->tunables.latency_ns != recording->latency_ns ||
	    r->m->tunables.min_granularity_ns != recording->min_granularity_ns)
		fail_msg("%s: the kernel's tunables were others", recording->path);
}

static void replay_end(struct replay *r)
{
	g_hash_table_destroy(r->tasks);
	machine_free(r->m);
	policy_instance_clear(&r->policy);
}

static void enough_records_come_out_as_recorded(void **state)
{
	const struct rule *rule = *state;
	g_autoptr(GPtrArray) recordings = recordings_in(g_getenv("SCHEDSIM_ORACLE"));
	unsigned long equal = 0, differ = 0, raced = 0, apart = 0;

	for (guint i = 0; i < recordings->len; i++) {
		struct replay r = {0};

		replay_begin(&r, g_ptr_array_index(recordings, i));
		recording_play(r.recording, &rule->listener, &r);
		replay_end(&r);
		equal += r.nr_equal;
		differ += r.nr_differ;
		raced += r.nr_raced;
		apart += r.nr_apart;
	}
	printf("%s: %lu of %lu records equal, %lu raced, %lu set apart, in %u traces\n",
	       rule->name, equal, equal + differ, raced, apart, recordings->len);
	assert_true(equal > 0);
	assert_true(raced * 100 <= equal);
	assert_true(equal * 1000 >= rule->at_least_per_mille * (equal + differ));
}

static const struct rule *find_rule(const char *name)
{
	const struct rule *const tables[] = {wakeup_rules, task_rules};

	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
		for (const struct rule *rule = tables[i]; rule->name; rule++)
			if (!strcmp(rule->name, name))
				return rule;
	return NULL;
}

int main(int argc, char **argv)
{
	const char *folder = g_getenv("SCHEDSIM_ORACLE");
	const struct rule *rule = argc == 2 ? find_rule(argv[1]) : NULL;

	if (!rule) {
		fprintf(stderr, "%s: expected the name of a rule\n", argv[0]);
		return 2;
	}
	if (!folder || !*folder) {
		printf("%s: skipped, for SCHEDSIM_ORACLE names no folder of traces\n",
		       rule->name);
		return EXIT_SKIPPED;
	}

	const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(
		enough_records_come_out_as_recorded, (void *)rule)};

	return cmocka_run_group_tests_name(rule->name, tests, NULL, NULL);
}
