/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heap of CPUs by their earliest deadline.
 */
#include "test.h"

#include "sched/dl_internal.h"

#define NR_CPUS 16

static void init(struct cpudl *cp)
{
	struct cpumask cpus = cpumask_first_n(NR_CPUS);

	cpudl_init(cp, &cpus);
}

static void a_cpu_is_free_until_it_has_a_deadline(void **state)
{
	struct cpudl cp;

	init(&cp);
	assert_int_equal(cpumask_weight(&cp.free_cpus), NR_CPUS);
	cpudl_set(&cp, 3, 100);
	assert_false(cpumask_test(&cp.free_cpus, 3));
	assert_int_equal(cp.size, 1);
	cpudl_clear(&cp, 3, true);
	assert_true(cpumask_test(&cp.free_cpus, 3));
	assert_int_equal(cp.size, 0);
}

static void an_offline_cpu_is_not_free(void **state)
{
	struct cpudl cp;

	init(&cp);
	cpudl_set(&cp, 3, 100);
	cpudl_clear(&cp, 3, false);
	assert_false(cpumask_test(&cp.free_cpus, 3));
	cpudl_clear(&cp, 4, false);
	assert_false(cpumask_test(&cp.free_cpus, 4));
}

static void the_latest_comes_first(void **state)
{
	struct cpudl cp;

	init(&cp);
	cpudl_set(&cp, 0, 300);
	cpudl_set(&cp, 1, 500);
	cpudl_set(&cp, 2, 400);
	assert_int_equal(cp.elements[0].cpu, 1);
	cpudl_set(&cp, 1, 100);
	assert_int_equal(cp.elements[0].cpu, 2);
	cpudl_clear(&cp, 2, true);
	assert_int_equal(cp.elements[0].cpu, 0);
}

static void deadlines_compare_over_the_wrap(void **state)
{
	struct cpudl cp;

	init(&cp);
	cpudl_set(&cp, 0, 5);
	cpudl_set(&cp, 1, UINT64_MAX - 5);
	assert_int_equal(cp.elements[0].cpu, 0);
}

/* A newcomer with the latest deadline of all so far goes above its equal. */
static void among_equals_the_newcomer_rises(void **state)
{
	struct cpudl cp;

	init(&cp);
	cpudl_set(&cp, 0, 500);
	cpudl_set(&cp, 1, 500);
	assert_int_equal(cp.elements[0].cpu, 1);
	/* A change to the same deadline moves nobody. */
	cpudl_set(&cp, 0, 500);
	assert_int_equal(cp.elements[0].cpu, 1);
}

static void assert_heap(const struct cpudl *cp, const uint64_t *dl)
{
	int size = 0;

	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		int i = cp->place[cpu];

		assert_int_equal(dl[cpu] != 0, i != CPUDL_NONE);
		assert_int_equal(dl[cpu] == 0, cpumask_test(&cp->free_cpus, cpu));
		if (i == CPUDL_NONE)
			continue;
		size++;
		assert_int_equal(cp->elements[i].cpu, cpu);
		assert_int_equal(cp->elements[i].dl, dl[cpu]);
		if (i)
			assert_true(cp->elements[(i - 1) / 2].dl >= dl[cpu]);
	}
	assert_int_equal(cp->size, size);
}

static void it_stays_a_heap_whatever_comes(void **state)
{
	uint64_t dl[NR_CPUS] = {0};
	uint64_t random = 1;
	struct cpudl cp;

	init(&cp);
	for (int i = 0; i < 20000; i++) {
		int cpu;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		cpu = random >> 60;
		dl[cpu] = random >> 40 & 31;
		if (dl[cpu])
			cpudl_set(&cp, cpu, dl[cpu]);
		else
			cpudl_clear(&cp, cpu, true);
		assert_heap(&cp, dl);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cpu_is_free_until_it_has_a_deadline),
		cmocka_unit_test(an_offline_cpu_is_not_free),
		cmocka_unit_test(the_latest_comes_first),
		cmocka_unit_test(deadlines_compare_over_the_wrap),
		cmocka_unit_test(among_equals_the_newcomer_rises),
		cmocka_unit_test(it_stays_a_heap_whatever_comes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
