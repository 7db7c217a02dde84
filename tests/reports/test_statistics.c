/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people reported of latency statistics.  The numbers are those of README.md.
 */
#include "test.h"

#include "base/histogram.h"
#include "report_scene.h"

#define P50 50000
#define P99 99000
#define P99_99 99990

/* @count times @value. */
static void add(struct histogram *h, uint64_t value, unsigned count)
{
	while (count--)
		histogram_add(h, value);
}

/*
 * https://github.com/cyberlife-coder/VelesDB/issues/2105: with a rank rounded down one
 * sample of 500 ms had a p99 of 1 us.
 */
static void report_97_ranks_are_rounded_up(void **state)
{
	struct histogram one, many;

	histogram_init(&one);
	add(&one, 500 * NSEC_PER_MSEC, 1);
	assert_int_equal(histogram_percentile(&one, P50), 500 * NSEC_PER_MSEC);
	assert_int_equal(histogram_percentile(&one, P99), 500 * NSEC_PER_MSEC);
	histogram_clear(&one);
	histogram_init(&many);
	for (uint64_t value = 1; value <= 101; value++)
		add(&many, value, 1);
	assert_int_equal(histogram_percentile(&many, P99), 100);
	histogram_clear(&many);
}

/*
 * https://github.com/prometheus/prometheus/issues/7970: interpolation inside a bucket.
 * Here the answer is a bucket's upper bound: that of 10 us is 64 ns wide and ends at
 * 10047 ns, and nothing is above the greatest sample.
 */
static void report_99_two_samples_are_not_interpolated(void **state)
{
	struct histogram h;

	histogram_init(&h);
	add(&h, 10000, 1);
	add(&h, 20000, 1);
	assert_int_equal(histogram_percentile(&h, P50), 10047);
	assert_int_equal(histogram_percentile(&h, P99), 20000);
	histogram_clear(&h);
}

/*
 * https://github.com/redis/memtier_benchmark/issues/184: the printed p99.99 was not of
 * the printed distribution.  Of 20000 samples it is the 19998th.
 */
static void report_101_high_percentiles_are_exact_ranks(void **state)
{
	struct histogram h;

	histogram_init(&h);
	add(&h, 10, 19997);
	add(&h, 20, 1);
	add(&h, 30, 2);
	assert_int_equal(histogram_percentile(&h, P99_99), 20);
	assert_int_equal(histogram_percentile(&h, P99_99 - 5), 10);
	assert_int_equal(histogram_percentile(&h, P99_99 + 1), 30);
	histogram_clear(&h);
}

/* The wakeup latency of a task that waits from @at_ns for @wait_ns. */
static void assert_latency(uint64_t at_ns, uint64_t wait_ns)
{
	report_scene *s = report_scene_new();
	stats *counting = stats_new(&s->in);
	const struct results *r;

	s->m.observers = stats_observers(counting);
	scene_at(s, at_ns);
	scene_wakeup(s, 0, 0, 0);
	scene_at(s, at_ns + wait_ns);
	scene_switch(s, 0, 0, false);
	r = stats_finish(counting, at_ns + wait_ns);
	assert_int_equal(r->all.wakeup_latency_ns.count, 1);
	assert_int_equal(r->all.wakeup_latency_ns.max, wait_ns);
	assert_int_equal(r->all.run_delay_ns.max, wait_ns);
	stats_free(counting);
	report_scene_free(s);
}

/*
 * https://github.com/sched-ext/scx/pull/890: times were turned to seconds and then
 * subtracted, and wrapped.
 */
static void report_106_differences_are_right_wherever_time_stands(void **state)
{
	assert_latency((1ULL << 32) - 500, 1000);
	assert_latency((1ULL << 32) * NSEC_PER_MSEC - 500, 10 * NSEC_PER_SEC);
	assert_latency((1ULL << 63) - 500, 1000);
	assert_latency((1ULL << 63) - 500, 10 * NSEC_PER_SEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(report_97_ranks_are_rounded_up),
		cmocka_unit_test(report_99_two_samples_are_not_interpolated),
		cmocka_unit_test(report_101_high_percentiles_are_exact_ranks),
		cmocka_unit_test(report_106_differences_are_right_wherever_time_stands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
