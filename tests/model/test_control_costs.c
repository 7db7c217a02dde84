/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Costs of operations: how they are set and scaled, and what is drawn.
 */
#include "test.h"

#include "model/machine_new.h"

static const struct kernel_profile lts = {.name = "lts", .has_ni_random = true};

static struct machine_spec new_spec(void)
{
	struct machine_spec spec;

	machine_spec_init(&spec, &lts);
	return spec;
}

static void set(struct machine_spec *spec, const char *setting)
{
	g_autoptr(GError) error = NULL;

	if (!machine_spec_set(spec, setting, &error))
		fail_msg("%s", error->message);
}

static uint64_t draw(const struct machine_spec *spec, enum control_cost_id id,
		     uint64_t count)
{
	struct control_draws draws;

	control_draws_init(&draws, 1, "test");
	return control_cost_draw(&spec->control_costs, id, count, &draws);
}

static void a_step_costs_its_count_times_one_draw(void **state)
{
	struct machine_spec spec = new_spec();

	assert_int_equal(draw(&spec, CONTROL_COST_walk_task_ns, 5000), 2200000);
	assert_int_equal(draw(&spec, CONTROL_COST_walk_task_ns, 0), 0);
	/* One draw of 2 to 4 us, not the mean of many. */
	spec.control_costs.walk_task_ns.each =
		(struct dist){.kind = DIST_UNIFORM, .a = 2000, .b = 4000};
	assert_int_equal(draw(&spec, CONTROL_COST_walk_task_ns, 5000) % 5000, 0);
}

static void a_cost_is_set_by_its_name(void **state)
{
	struct machine_spec spec = new_spec();

	set(&spec, "walk_task_ns=1140");
	assert_int_equal(draw(&spec, CONTROL_COST_walk_task_ns, 2), 2280);
	assert_null(control_cost_find(&spec.control_costs, "walk_task"));
}

static void without_costs_nothing_takes_time(void **state)
{
	struct machine_spec spec = new_spec();

	set(&spec, "costs=none");
	for (int i = 0; i < NR_CONTROL_COSTS; i++)
		assert_int_equal(draw(&spec, (enum control_cost_id)i, 1000), 0);
	set(&spec, "grace_period_ns=7");
	assert_int_equal(draw(&spec, CONTROL_COST_grace_period_ns, 1), 7);
}

/* 440 ns each: half are 220, of which three quarters are 165. */
static void costs_are_scaled_as_those_of_the_hardware(void **state)
{
	struct machine_spec spec = new_spec();

	set(&spec, "costs=50%");
	assert_int_equal(draw(&spec, CONTROL_COST_walk_task_ns, 10), 2200);
	set(&spec, "costs=75%");
	assert_int_equal(draw(&spec, CONTROL_COST_walk_task_ns, 10), 1650);
	set(&spec, "walk_task_ns=100");
	assert_int_equal(draw(&spec, CONTROL_COST_walk_task_ns, 10), 1000);
	set(&spec, "costs=0%");
	assert_int_equal(draw(&spec, CONTROL_COST_walk_task_ns, 10), 0);
}

static void what_is_drawn_stays_a_time(void **state)
{
	struct machine_spec spec = new_spec();

	spec.control_costs.walk_task_ns.each = dist_fixed(UINT64_MAX / 2);
	set(&spec, "costs=10000%");
	assert_true(draw(&spec, CONTROL_COST_walk_task_ns, 1000) == INT64_MAX);
}

/* A draw of one cost shifts no other's numbers, so that policies stay paired. */
static void each_cost_draws_numbers_of_its_own(void **state)
{
	struct machine_spec spec = new_spec();
	struct control_draws a, b;
	uint64_t ns;

	control_draws_init(&a, 1, "test");
	control_draws_init(&b, 1, "test");
	ns = control_cost_draw(&spec.control_costs, CONTROL_COST_grace_period_ns, 1,
			       &a);
	assert_in_range(ns, 20000000, 50000000);
	for (int i = 0; i < 3; i++)
		control_cost_draw(&spec.control_costs, CONTROL_COST_cpu_off_ns, 1, &b);
	assert_int_equal(control_cost_draw(&spec.control_costs,
					   CONTROL_COST_grace_period_ns, 1, &b),
			 ns);
}

static void a_list_is_drawn_in_turn(void **state)
{
	struct machine_spec spec = new_spec();
	uint64_t values[] = {5, 9};
	struct control_draws draws;
	const uint64_t expected[] = {5, 9, 5};

	spec.control_costs.cpuset_write_ns.each =
		(struct dist){.kind = DIST_LIST, .nr = 2, .values = values};
	control_draws_init(&draws, 1, "test");
	for (int i = 0; i < 3; i++)
		assert_int_equal(control_cost_draw(&spec.control_costs,
						   CONTROL_COST_cpuset_write_ns, 1,
						   &draws),
				 expected[i]);
}

static void assert_default(enum control_cost_id id, const char *text)
{
	g_autofree char *found = control_cost_default_text(id);

	assert_string_equal(found, text);
}

static void defaults_read_as_in_a_file(void **state)
{
	assert_default(CONTROL_COST_walk_task_ns, "440");
	assert_default(CONTROL_COST_build_cpu_ns,
		       "{\"uniform\": [\"10us\", \"20us\"]}");
	assert_default(CONTROL_COST_grace_period_ns,
		       "{\"uniform\": [\"20ms\", \"50ms\"]}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_costs_its_count_times_one_draw),
		cmocka_unit_test(a_cost_is_set_by_its_name),
		cmocka_unit_test(without_costs_nothing_takes_time),
		cmocka_unit_test(costs_are_scaled_as_those_of_the_hardware),
		cmocka_unit_test(what_is_drawn_stays_a_time),
		cmocka_unit_test(each_cost_draws_numbers_of_its_own),
		cmocka_unit_test(a_list_is_drawn_in_turn),
		cmocka_unit_test(defaults_read_as_in_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
