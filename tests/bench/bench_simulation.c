/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events a second of whole simulations of 8 CPUs and 48 tasks that run and sleep
 * 1 to 32 ms: overloaded (they run as long as they sleep), and half idle.
 */
#include "bench.h"

#include "schedsim/units.h"
#include "wakeup/registry.h"
#include "workload/simulation.h"

#include <string.h>

#define NR_ROUNDS 3 /* the fastest counts: the machine has other work */
#define SIMULATED_S 200

struct figures {
	uint64_t events;
	double ns; /* of the process */
};

/* @run is the JSON of how long a task runs each time. */
static char *workload_text(const char *run)
{
	return g_strdup_printf(
		"{\"machine\": \"1n1l8c1t\", \"global\": {\"duration\": %d},"
		" \"tasks\": {\"t\": {\"instance\": 48, \"loop\": -1, \"run\": %s,"
		" \"sleep\": {\"uniform\": [\"1ms\", \"32ms\"]}}}}",
		SIMULATED_S, run);
}

static bool run_once(const struct workload_input *in, struct figures *out,
		     GError **error)
{
	double from_ns = bench_now_ns();
	g_autoptr(simulation) s = simulation_new(in, 1, NULL, NULL);

	if (!simulation_run(s, error))
		return false;
	out->events = simulation_events(s);
	out->ns = bench_now_ns() - from_ns;
	return true;
}

static bool run_rounds(struct workload_input *in, struct figures *best, GError **error)
{
	for (int round = 0; round < NR_ROUNDS; round++) {
		struct figures figures;

		if (!run_once(in, &figures, error))
			return false;
		if (!round || figures.ns < best->ns)
			*best = figures;
	}
	return true;
}

static bool bench_workload(const char *text, const struct policy_instance *policy,
			   struct figures *best, GError **error)
{
	struct workload_options options = {.duration_ns = UINT64_MAX,
					   .warmup_ns = UINT64_MAX};
	struct workload_input in;
	bool done;

	if (!workload_read_text(text, strlen(text), "bench", &options, &in, error))
		return false;
	in.spec.policy = &policy->policy;
	in.spec.policy_params = policy->params;
	done = run_rounds(&in, best, error);
	workload_input_clear(&in);
	return done;
}

static bool bench(const char *name, const char *run, GError **error)
{
	g_auto(policy_instance) policy = {NULL};
	g_autofree char *text = workload_text(run);
	struct figures best;

	if (!wakeup_policy_instance("baseline", &policy, error) ||
	    !bench_workload(text, &policy, &best, error))
		return false;
	bench_print("simulation", best.events / best.ns * NSEC_PER_SEC,
		    "events per second, 8 CPUs, 48 tasks, %s (%.0f ns each, %.0f times "
		    "real time)",
		    name, best.ns / best.events,
		    (double)SIMULATED_S * NSEC_PER_SEC / best.ns);
	return true;
}

int main(void)
{
	g_autoptr(GError) error = NULL;

	if (bench("overloaded", "{\"uniform\": [\"1ms\", \"32ms\"]}", &error) &&
	    bench("half idle", "{\"uniform\": [\"100us\", \"2700us\"]}", &error))
		return 0;
	g_printerr("bench_simulation: %s\n", error->message);
	return 1;
}
