/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is left of a CPU for fair tasks, and how groups add it up.
 */
#include "balance_scene.h"
#include "test.h"

static uint64_t capacity_with(uint64_t irq, uint64_t rt, uint64_t dl)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct rq *rq = cpu_rq(s->m, 1);

	rq->avg_irq.util_avg = irq;
	rq->avg_rt.util_avg = rt;
	rq->avg_dl.util_avg = dl;
	update_group_capacity(s->m, lb_scene_domain(s, 1, 0), 1);
	assert_int_equal(lb_scene_domain(s, 1, 0)->groups->sgc->capacity,
			 rq->cpu_capacity);
	return rq->cpu_capacity;
}

/* (1024 - 256 - 256) * (1024 - 512) / 1024 = 256 */
static void higher_classes_and_interrupts_lower_capacity(void **state)
{
	assert_int_equal(capacity_with(0, 0, 0), 1024);
	assert_int_equal(capacity_with(0, 20, 4), 1000);
	assert_int_equal(capacity_with(512, 256, 256), 256);
}

static void at_least_one_unit_is_left(void **state)
{
	assert_int_equal(capacity_with(1024, 0, 0), 1);
	assert_int_equal(capacity_with(0, 1000, 24), 1);
	assert_int_equal(capacity_with(0, 1000, 1000), 1);
	assert_int_equal(capacity_with(1023, 1023, 0), 1);
}

static void only_the_balancing_cpu_is_refreshed(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");

	cpu_rq(s->m, 0)->avg_rt.util_avg = 500;
	cpu_rq(s->m, 1)->avg_rt.util_avg = 500;
	update_group_capacity(s->m, lb_scene_domain(s, 1, 0), 1);
	assert_int_equal(cpu_rq(s->m, 0)->cpu_capacity, 1024);
	assert_int_equal(cpu_rq(s->m, 1)->cpu_capacity, 524);
}

static uint64_t wait_with_interval(uint64_t interval_ms)
{
	g_autoptr(lb_scene) s = lb_scene_new("smp4");
	struct sched_domain *sd = lb_scene_domain(s, 0, 0);

	sd->balance_interval = interval_ms;
	update_group_capacity(s->m, sd, 0);
	return sd->groups->sgc->next_update - s->m->jiffies;
}

/* At most HZ * 4 CPUs / 10. */
static void next_update_follows_the_interval_within_bounds(void **state)
{
	assert_int_equal(wait_with_interval(4), 4);
	assert_int_equal(wait_with_interval(0), 1);
	assert_int_equal(wait_with_interval(512), 400);
}

static void group_adds_up_its_childs_groups_stale_or_not(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct sched_domain *top = lb_scene_domain(s, 0, 1);
	struct sched_group *second = top->child->groups->next;

	second->sgc->capacity = 300;
	second->sgc->min_capacity = 200;
	second->sgc->max_capacity = 1100;
	cpu_rq(s->m, 2)->cpu_capacity = 1;
	update_group_capacity(s->m, top, 0);
	assert_int_equal(top->groups->sgc->capacity, 3 * 1024 + 300);
	assert_int_equal(top->groups->sgc->min_capacity, 200);
	assert_int_equal(top->groups->sgc->max_capacity, 1100);
}

static void group_over_an_overlapping_child_adds_up_cpus(void **state)
{
	g_autoptr(lb_scene) s = lb_scene_new("llc2x4");
	struct sched_domain *top = lb_scene_domain(s, 0, 1);

	top->child->flags |= SD_OVERLAP;
	cpu_rq(s->m, 2)->cpu_capacity = 1;
	cpu_rq(s->m, 4)->cpu_capacity = 5;
	update_group_capacity(s->m, top, 0);
	assert_int_equal(top->groups->sgc->capacity, 3 * 1024 + 1);
	assert_int_equal(top->groups->sgc->min_capacity, 1);
	assert_int_equal(top->groups->sgc->max_capacity, 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(higher_classes_and_interrupts_lower_capacity),
		cmocka_unit_test(at_least_one_unit_is_left),
		cmocka_unit_test(only_the_balancing_cpu_is_refreshed),
		cmocka_unit_test(next_update_follows_the_interval_within_bounds),
		cmocka_unit_test(group_adds_up_its_childs_groups_stale_or_not),
		cmocka_unit_test(group_over_an_overlapping_child_adds_up_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
