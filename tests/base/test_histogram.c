/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The histogram against exact order statistics.
 */
#include "test.h"

#include "base/histogram.h"
#include "base/random.h"

#include <stdlib.h>

#define NR_VALUES 20000

static int set_up(void **state)
{
	struct histogram *h = g_new(struct histogram, 1);

	histogram_init(h);
	*state = h;
	return 0;
}

static int tear_down(void **state)
{
	histogram_clear(*state);
	g_free(*state);
	return 0;
}

static void an_empty_histogram_has_no_percentile(void **state)
{
	struct histogram *h = *state;

	assert_true(h->count == 0);
	assert_true(h->min == UINT64_MAX);
	assert_true(h->max == 0);
	assert_true(histogram_percentile(h, 50000) == 0);
	assert_true(histogram_percentile(h, 100000) == 0);
}

/* Of 1..10, p50 is the 5th and p51 the 6th: ranks 5.0 and 5.1, rounded up. */
static void percentiles_are_of_the_nearest_rank(void **state)
{
	struct histogram *h = *state;

	for (uint64_t value = 10; value >= 1; value--)
		histogram_add(h, value);
	assert_true(histogram_percentile(h, 0) == 1);
	assert_true(histogram_percentile(h, 1) == 1);
	assert_true(histogram_percentile(h, 10000) == 1);
	assert_true(histogram_percentile(h, 10001) == 2);
	assert_true(histogram_percentile(h, 50000) == 5);
	assert_true(histogram_percentile(h, 51000) == 6);
	assert_true(histogram_percentile(h, 90000) == 9);
	assert_true(histogram_percentile(h, 99900) == 10);
	assert_true(histogram_percentile(h, 100000) == 10);
}

static void count_sum_and_ends_are_exact(void **state)
{
	struct histogram *h = *state;

	histogram_add(h, 1000003);
	histogram_add(h, 999983);
	histogram_add(h, 5000011);
	assert_true(h->count == 3);
	assert_true(h->sum == 6999997);
	assert_true(h->min == 999983);
	assert_true(h->max == 5000011);
}

/* Of 512..1023 each of 128 buckets holds four values; 1000 is one of 1000..1003. */
static void a_percentile_is_its_buckets_upper_bound(void **state)
{
	struct histogram *h = *state;

	histogram_add(h, 1000);
	histogram_add(h, 2000);
	assert_true(histogram_percentile(h, 50000) == 1003);
}

static void a_percentile_never_exceeds_the_maximum(void **state)
{
	struct histogram *h = *state;

	histogram_add(h, 1000);
	histogram_add(h, 1001);
	assert_true(histogram_percentile(h, 50000) == 1001);
	assert_true(histogram_percentile(h, 100000) == 1001);
}

static void small_values_have_a_bucket_each(void **state)
{
	struct histogram *h = *state;

	for (uint64_t value = 0; value < 256; value++)
		histogram_add(h, value);
	for (uint64_t value = 0; value < 256; value++)
		assert_true(h->octaves[value / 128][value % 128] == 1);
}

/* First and last value of each bucket, for every power of two. */
static void every_value_is_within_a_128th(void **state)
{
	for (int power = 7; power < 64; power++) {
		uint64_t width = 1ULL << (power - 7);
		uint64_t first = 1ULL << power;
		struct histogram h;

		histogram_init(&h);
		histogram_add(&h, first);
		histogram_add(&h, first + width - 1);
		histogram_add(&h, UINT64_MAX); /* lets the bucket's bound show */
		assert_true(histogram_percentile(&h, 1) == first + width - 1);
		assert_true(histogram_percentile(&h, 66666) == first + width - 1);
		assert_true(width - 1 < first / 128 + 1);
		histogram_clear(&h);
	}
}

static void the_greatest_value_has_a_bucket(void **state)
{
	struct histogram *h = *state;

	histogram_add(h, UINT64_MAX);
	histogram_add(h, UINT64_MAX - 1);
	assert_true(h->octaves[HISTOGRAM_OCTAVES - 1][127] == 2);
	assert_true(histogram_percentile(h, 50000) == UINT64_MAX);
}

/* Of all sizes: a random number shifted by a random number of bits. */
static uint64_t some_value(struct random_stream *s)
{
	return random_next(s) >> random_below(s, 64);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void percentiles_are_near_those_of_the_sorted_values(void **state)
{
	struct histogram *h = *state;
	g_autofree uint64_t *values = g_new(uint64_t, NR_VALUES);
	struct random_stream s;

	random_stream_init(&s, 7, "values");
	for (unsigned i = 0; i < NR_VALUES; i++) {
		values[i] = some_value(&s);
		histogram_add(h, values[i]);
	}
	qsort(values, NR_VALUES, sizeof(*values), compare);
	/* a rank a step: 100000 / NR_VALUES = 5 */
	for (unsigned rank = 1; rank <= NR_VALUES; rank++) {
		uint64_t exact = values[rank - 1];
		uint64_t shown = histogram_percentile(h, rank * 5);

		assert_true(shown >= exact);
		assert_true(shown - exact <= exact / 128);
	}
}

static void merging_equals_adding(void **state)
{
	struct histogram *whole = *state;
	struct histogram parts[2];
	struct random_stream s;

	histogram_init(&parts[0]);
	histogram_init(&parts[1]);
	random_stream_init(&s, 8, "values");
	for (unsigned i = 0; i < NR_VALUES; i++) {
		uint64_t value = some_value(&s);

		histogram_add(whole, value);
		histogram_add(&parts[i % 3 == 0], value);
	}
	histogram_merge(&parts[0], &parts[1]);
	assert_true(parts[0].count == whole->count);
	assert_true(parts[0].sum == whole->sum);
	assert_true(parts[0].min == whole->min);
	assert_true(parts[0].max == whole->max);
	for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++) {
		assert_int_equal(!parts[0].octaves[i], !whole->octaves[i]);
		if (whole->octaves[i])
			assert_memory_equal(parts[0].octaves[i], whole->octaves[i],
					    128 * sizeof(uint64_t));
	}
	histogram_clear(&parts[0]);
	histogram_clear(&parts[1]);
}

/* A group of tasks has several, most of them empty or of few magnitudes. */
static void only_magnitudes_that_came_take_memory(void **state)
{
	struct histogram *h = *state;
	unsigned taken = 0;

	histogram_add(h, 0);
	histogram_add(h, 127);
	histogram_add(h, 1000000);
	histogram_add(h, 1048575);
	for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++)
		taken += !!h->octaves[i];
	assert_int_equal(taken, 2);
}

static void merging_an_empty_histogram_changes_nothing(void **state)
{
	struct histogram *h = *state;
	struct histogram empty;

	histogram_init(&empty);
	histogram_add(h, 42);
	histogram_merge(h, &empty);
	assert_true(h->count == 1);
	assert_true(h->min == 42);
	assert_true(h->max == 42);
	histogram_merge(&empty, h);
	assert_true(empty.min == 42);
	assert_true(histogram_percentile(&empty, 50000) == 42);
	histogram_clear(&empty);
}

#define TEST(claim) cmocka_unit_test_setup_teardown(claim, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_histogram_has_no_percentile),
		TEST(percentiles_are_of_the_nearest_rank),
		TEST(count_sum_and_ends_are_exact),
		TEST(a_percentile_is_its_buckets_upper_bound),
		TEST(a_percentile_never_exceeds_the_maximum),
		TEST(small_values_have_a_bucket_each),
		TEST(every_value_is_within_a_128th),
		TEST(the_greatest_value_has_a_bucket),
		TEST(percentiles_are_near_those_of_the_sorted_values),
		TEST(merging_equals_adding),
		TEST(only_magnitudes_that_came_take_memory),
		TEST(merging_an_empty_histogram_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
