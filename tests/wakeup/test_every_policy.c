/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds for every policy of the list, whatever it does: asked on many machines in
 * random states, it answers with a CPU that the wakee may use and says why, or has no
 * opinion; and it writes nowhere but to its own state.
 */
#include "base/random.h"
#include "sched/fair_load.h"
#include "sched/select.h"
#include "test.h"
#include "wake_scene.h"
#include "wakeup/registry.h"

#include <string.h>

#define SCENES 400

static const char *const topologies[] = {"1n1l2c1t", "1n1l8c1t", "1n1l4c2t", "1n2l4c1t",
					 "2n1l4c2t"};

/* A machine in a random state, and a wakeup on it. */
struct trial {
	wake_scene *s;
	struct machine *m;
	struct random_stream dice;
	struct task *p;
	int this_cpu;
	unsigned flags;
};

static uint64_t roll(struct trial *t, uint64_t n)
{
	return random_below(&t->dice, n);
}

static uint64_t roll_dur_avg(struct trial *t)
{
	static const uint64_t dur_avg_ns[] = {0, US(20), US(180), US(400), US(5000)};

	return dur_avg_ns[roll(t, G_N_ELEMENTS(dur_avg_ns))];
}

static void set_cpu(struct trial *t, int cpu)
{
	if (roll(t, 3)) {
		scene_runner(t->s, cpu, roll_dur_avg(t))->se.avg.load_avg =
			roll(t, 1024);
		scene_queue(t->s, cpu, (unsigned)roll(t, 3), false);
	} else if (!roll(t, 3)) {
		scene_queue(t->s, cpu, 1, true);
	}
	scene_load(t->s, cpu, roll(t, 3000));
	cpu_rq(t->m, cpu)->idle_stamp = roll(t, 2);
	cpu_rq(t->m, cpu)->ttwu_pending = !roll(t, 8);
	if (cpu_rq(t->m, cpu)->sd_llc_shared)
		scene_idle_cores(t->s, cpu, roll(t, 2));
}

/* The wakee may use its prev CPU and the waker's, and each other with one half. */
static void set_wakee(struct trial *t)
{
	int prev = (int)roll(t, (uint64_t)t->m->nr_cpus);

	t->p = scene_sleeper(t->s, prev, roll_dur_avg(t));
	t->p->se.avg.load_avg = roll(t, 1024);
	t->p->recent_used_cpu = (int)roll(t, (uint64_t)t->m->nr_cpus);
	for (int cpu = 0; cpu < t->m->nr_cpus; cpu++)
		if (cpu != prev && cpu != t->this_cpu && roll(t, 2))
			cpumask_clear(&t->p->cpus_mask, cpu);
	t->p->nr_cpus_allowed = cpumask_weight(&t->p->cpus_mask);
}

static struct trial trial_new(const char *policy, uint64_t seed)
{
	struct trial t = {
		.s = wake_scene_new(topologies[seed % G_N_ELEMENTS(topologies)])};

	t.m = scene_machine(t.s);
	random_stream_init(&t.dice, seed, "every_policy");
	scene_policy(t.s, policy);
	scene_nr_idle_scan(t.s, (int)roll(&t, 9));
	for (int cpu = 0; cpu < t.m->nr_cpus; cpu++)
		set_cpu(&t, cpu);
	t.this_cpu = (int)roll(&t, (uint64_t)t.m->nr_cpus);
	t.flags = roll(&t, 2) ? WF_SYNC : 0;
	set_wakee(&t);
	return t;
}

static struct wakeup question(const struct trial *t)
{
	struct task *curr = cpu_rq(t->m, t->this_cpu)->curr;

	return (struct wakeup){
		.m = t->m,
		.p = t->p,
		.curr = curr,
		.this_cpu = t->this_cpu,
		.prev_cpu = t->p->cpu,
		.wake_flags = WF_TTWU | t->flags,
		.sync = t->flags & WF_SYNC,
		.in_task = true,
		.wide = 0,
		.affine_cpu = CPU_NONE,
		.target = t->p->cpu,
		.affine_sd = cpu_rq(t->m, t->this_cpu)->sd,
		.cpu = t->p->cpu,
		.stage = "question",
		.reason = "question",
		.params = t->m->policy_params,
	};
}

static void for_every_policy(void (*check)(struct trial *t))
{
	for (int i = 0; wakeup_policies()[i]; i++) {
		for (uint64_t seed = 0; seed < SCENES; seed++) {
			struct trial t = trial_new(wakeup_policies()[i]->name, seed);

			check(&t);
			wake_scene_free(t.s);
		}
	}
}

/* The whole decision */

static void check_decision(struct trial *t)
{
	struct wakeup w = scene_wake(t->s, t->this_cpu, t->p, t->flags);

	assert_true(w.cpu >= 0 && w.cpu < t->m->nr_cpus);
	assert_true(task_may_use(t->p, w.cpu));
	assert_non_null(w.stage);
	assert_non_null(w.reason);
	assert_true(w.affine_cpu == CPU_NONE || w.affine_reason);
	assert_true(w.searched || !w.search_hit);
}

static void it_chooses_an_allowed_cpu_and_says_why(void **state)
{
	for_every_policy(check_decision);
}

/* The hooks one by one */

static void assert_verdict(const struct trial *t, struct verdict verdict)
{
	if (verdict.cpu == CPU_NONE)
		return;
	assert_true(verdict.cpu >= 0 && verdict.cpu < t->m->nr_cpus);
	assert_true(task_may_use(t->p, verdict.cpu));
	assert_non_null(verdict.reason);
}

static void ask_every_hook(struct trial *t)
{
	const struct wakeup_policy *policy = t->m->policy;
	struct wakeup w = question(t), before;
	struct rq *rq = cpu_rq(t->m, t->this_cpu);
	int hot;

	memcpy(&before, &w, sizeof(w));
	assert_verdict(t, policy->wake_early(&w));
	assert_verdict(t, policy->wake_affine_idle(&w));
	assert_verdict(t, policy->wake_affine_weight(&w));
	if (cpu_rq(t->m, w.target)->sd_llc)
		assert_verdict(t, policy->before_scan(&w, roll(t, 2), (int)roll(t, 10),
						      cpu_rq(t->m, w.target)->sd_llc));
	for (int cpu = 0; policy->may_take_idle && cpu < t->m->nr_cpus; cpu++)
		policy->may_take_idle(&w, cpu);
	assert_verdict(t, policy->wake_last(&w));
	assert_memory_equal(&w, &before, sizeof(w));

	policy->task_sleeps(rq, t->p);
	policy->task_woken(rq, t->p);
	policy->tick(rq);
	policy->cpu_goes_idle(rq);
	hot = policy->task_hot(rq, t->p);
	assert_in_range(hot + 1, 0, 2);
}

/* Copies of everything a policy may look at but not change. */
struct snapshot {
	struct machine m;
	struct rq *rqs;                     /* [nr_cpus] */
	struct task *idle, *curr;           /* [nr_cpus] */
	struct sched_domain_shared *shared; /* [nr_cpus] */
	struct task p;
};

static struct snapshot snapshot_new(const struct trial *t)
{
	int n = t->m->nr_cpus;
	struct snapshot s = {
		.m = *t->m,
		.rqs = g_memdup2(t->m->rqs, sizeof(struct rq) * (size_t)n),
		.idle = g_new0(struct task, n),
		.curr = g_new0(struct task, n),
		.shared = g_new0(struct sched_domain_shared, n),
		.p = *t->p,
	};

	for (int cpu = 0; cpu < n; cpu++) {
		const struct rq *rq = cpu_rq(t->m, cpu);

		s.idle[cpu] = *rq->idle;
		s.curr[cpu] = *rq->curr;
		if (rq->sd_llc_shared)
			s.shared[cpu] = *rq->sd_llc_shared;
	}
	return s;
}

static void snapshot_clear(struct snapshot *s)
{
	g_free(s->rqs);
	g_free(s->idle);
	g_free(s->curr);
	g_free(s->shared);
}

static void assert_equal_snapshots(const struct snapshot *a, const struct snapshot *b)
{
	size_t n = (size_t)a->m.nr_cpus;

	assert_memory_equal(&a->m, &b->m, sizeof(a->m));
	assert_memory_equal(a->rqs, b->rqs, sizeof(a->rqs[0]) * n);
	assert_memory_equal(a->idle, b->idle, sizeof(a->idle[0]) * n);
	assert_memory_equal(a->curr, b->curr, sizeof(a->curr[0]) * n);
	assert_memory_equal(a->shared, b->shared, sizeof(a->shared[0]) * n);
	assert_memory_equal(&a->p, &b->p, sizeof(a->p));
}

static void check_hooks(struct trial *t)
{
	struct snapshot before, after;

	/* The loads' caches are the scheduler's to fill. */
	for (int cpu = 0; cpu < t->m->nr_cpus; cpu++)
		task_h_load(t->m, cpu_rq(t->m, cpu)->curr);
	task_h_load(t->m, t->p);
	before = snapshot_new(t);
	ask_every_hook(t);
	after = snapshot_new(t);
	assert_equal_snapshots(&before, &after);
	snapshot_clear(&before);
	snapshot_clear(&after);
}

static void each_hook_answers_and_writes_to_its_own_state_only(void **state)
{
	for_every_policy(check_hooks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_chooses_an_allowed_cpu_and_says_why),
		cmocka_unit_test(each_hook_answers_and_writes_to_its_own_state_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
