/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions: single draws by hand, the whole of them against the libm, and
 * statistics of a million draws.
 */
#include "test.h"

#include "base/dist.h"

#include <math.h>
#include <stdlib.h>

#define NR_SAMPLES 1000000
#define US 1000ULL
#define MS 1000000ULL

/*
 * A stream whose next number is @r.  random_next() returns rotl(state[1] * 5, 7) * 9;
 * odd factors have inverses modulo 2^64.
 */
static struct random_stream stream_that_gives(uint64_t r)
{
	const uint64_t inverse_of_5 = 0xcccccccccccccccd;
	const uint64_t inverse_of_9 = 0x8e38e38e38e38e39;
	uint64_t rotated = r * inverse_of_9;
	struct random_stream s = {{1, 0, 0, 0}};

	s.state[1] = (rotated >> 7 | rotated << 57) * inverse_of_5;
	return s;
}

static uint64_t sample_at(const struct dist *d, uint64_t r)
{
	struct random_stream s = stream_that_gives(r);
	uint64_t turn = 0;

	return dist_sample(d, &s, &turn);
}

static void the_crafted_stream_gives_its_number(void **state)
{
	static const uint64_t numbers[] = {0, 1, 12345, 1ULL << 40, UINT64_MAX};

	for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++) {
		struct random_stream s = stream_that_gives(numbers[i]);

		assert_true(random_next(&s) == numbers[i]);
	}
}

static void assert_near(uint64_t value, double expected, double tolerance)
{
	if (fabs(value - expected) > tolerance)
		fail_msg("%" G_GUINT64_FORMAT " is not within %g of %f", value,
			 tolerance, expected);
}

static void fixed_is_always_the_same(void **state)
{
	struct dist d = dist_fixed(250 * US);

	assert_true(sample_at(&d, 0) == 250000);
	assert_true(sample_at(&d, UINT64_MAX) == 250000);
	assert_true(dist_mean_ns(&d) == 250000);
}

static void uniform_includes_both_ends(void **state)
{
	struct dist d = {.kind = DIST_UNIFORM, .a = 10, .b = 12};
	unsigned seen[3] = {0};
	struct random_stream s;
	uint64_t turn = 0;

	random_stream_init(&s, 1, "uniform");
	for (int i = 0; i < 30000; i++) {
		uint64_t value = dist_sample(&d, &s, &turn);

		assert_in_range(value, 10, 12);
		seen[value - 10]++;
	}
	for (int i = 0; i < 3; i++)
		assert_in_range(seen[i], 10000 - 408, 10000 + 408);
	assert_true(turn == 0);
}

static void uniform_may_be_the_whole_range(void **state)
{
	struct dist d = {.kind = DIST_UNIFORM, .a = 0, .b = UINT64_MAX};

	assert_true(sample_at(&d, 0x123456789abcdef0) == 0x123456789abcdef0);
	assert_true(dist_mean_ns(&d) == UINT64_MAX / 2);
}

static void a_list_comes_in_turn(void **state)
{
	uint64_t values[] = {30, 10, 20};
	struct dist d = {.kind = DIST_LIST, .nr = 3, .values = values};
	struct random_stream s = stream_that_gives(5);
	uint64_t turn = 0, other_turn = 2;

	for (int i = 0; i < 7; i++)
		assert_true(dist_sample(&d, &s, &turn) == values[i % 3]);
	assert_true(turn == 7);
	assert_true(dist_sample(&d, &s, &other_turn) == 20);
	assert_true(dist_mean_ns(&d) == 20);
}

/* -ln(2^-k) = k ln 2 = k * 0.693147180559945; times a second, to the nanosecond. */
static void exp_reaches_far_into_its_tail(void **state)
{
	struct dist d = {.kind = DIST_EXP, .a = 1000 * MS};

	assert_near(sample_at(&d, 1ULL << 63), 693147180.56, 1);
	assert_near(sample_at(&d, 1ULL << 62), 1386294361.12, 1);
	assert_near(sample_at(&d, 1ULL << 40), 16635532333.44, 5); /* 2^-24 */
	assert_near(sample_at(&d, 1), 44361419555.84, 15);         /* 2^-64 */
	assert_near(sample_at(&d, 0), 44361419555.84, 15);
	assert_true(sample_at(&d, UINT64_MAX) == 0);
}

/* Least 1 ms, mean 2 ms: alpha is 2, so 2^-k is exceeded by 2^(k/2) ms. */
static void pareto_reaches_far_into_its_tail(void **state)
{
	struct dist d = {.kind = DIST_PARETO, .a = MS, .b = 2 * MS};

	assert_near(sample_at(&d, 1ULL << 62), 2 * MS, 1);
	assert_near(sample_at(&d, 1ULL << 40), 4096 * MS, 4096);
	assert_near(sample_at(&d, 1ULL << 16), 16777216.0 * MS, 16777216.0);
	assert_near(sample_at(&d, UINT64_MAX), MS, 0);
}

/*
 * Median 1 ms, p99 100 ms.  The upper half of the random numbers gives the upper
 * half of the values, the further out the smaller the 63 bits below: 2/100 of
 * them all lie beyond p99.
 */
static void lognormal_passes_its_median_and_p99(void **state)
{
	struct dist d = {.kind = DIST_LOGNORMAL, .a = MS, .b = 100 * MS};
	uint64_t half = 1ULL << 63;

	assert_near(sample_at(&d, UINT64_MAX), MS, 1);
	assert_near(sample_at(&d, half - 1), MS, 1);
	assert_near(sample_at(&d, half + half / 50), 100 * MS, 100 * MS * 1e-4);
	assert_near(sample_at(&d, half / 50), MS / 100, 2);
}

static void lognormal_of_no_spread_is_its_median(void **state)
{
	struct dist d = {.kind = DIST_LOGNORMAL, .a = 80 * US, .b = 80 * US};

	assert_true(sample_at(&d, 0) == 80000);
	assert_true(sample_at(&d, UINT64_MAX) == 80000);
	assert_true(dist_mean_ns(&d) == 80000);
}

/* 0..100 over the first half, 100..1000 over the rest. */
static void quantiles_are_joined_by_straight_lines(void **state)
{
	uint64_t values[] = {0, 100, 1000};
	uint32_t ppm[] = {0, 500000, 1000000};
	struct dist d = {.kind = DIST_QUANTILES, .nr = 3, .values = values, .ppm = ppm};

	assert_true(sample_at(&d, 0) == 0);
	assert_true(sample_at(&d, 1ULL << 62) == 50);
	assert_true(sample_at(&d, 1ULL << 63) == 100);
	assert_true(sample_at(&d, 3ULL << 62) == 550);
	assert_true(sample_at(&d, UINT64_MAX) == 1000);
	/* (50 + 550) / 2 */
	assert_true(dist_mean_ns(&d) == 300);
}

/* 10 and 20, half and half: no line in between is long enough to be met. */
static void quantiles_may_jump(void **state)
{
	uint64_t values[] = {10, 10, 20, 20};
	uint32_t ppm[] = {0, 500000, 500000, 1000000};
	struct dist d = {.kind = DIST_QUANTILES, .nr = 4, .values = values, .ppm = ppm};

	assert_true(sample_at(&d, (1ULL << 63) - 1) == 10);
	assert_true(sample_at(&d, 1ULL << 63) == 20);
	assert_true(dist_mean_ns(&d) == 15);
}

static void values_beyond_64_bits_stay_at_the_greatest(void **state)
{
	struct dist exponential = {.kind = DIST_EXP, .a = UINT64_MAX / 2};
	struct dist pareto = {.kind = DIST_PARETO, .a = 1000, .b = UINT64_MAX};
	struct dist lognormal = {.kind = DIST_LOGNORMAL, .a = 1, .b = UINT64_MAX};

	assert_true(sample_at(&exponential, 1ULL << 40) == UINT64_MAX);
	assert_true(sample_at(&pareto, 1) == UINT64_MAX);
	assert_true(sample_at(&lognormal, 1ULL << 63) == UINT64_MAX);
	assert_true(dist_mean_ns(&lognormal) == UINT64_MAX);
}

static void great_values_do_not_lose_their_low_bits(void **state)
{
	struct dist d = {.kind = DIST_LOGNORMAL, .a = UINT64_MAX, .b = UINT64_MAX};
	uint64_t values[] = {UINT64_MAX, UINT64_MAX};
	struct dist list = {.kind = DIST_LIST, .nr = 2, .values = values};

	assert_true(sample_at(&d, 1ULL << 63) == UINT64_MAX);
	assert_true(dist_mean_ns(&list) == UINT64_MAX);
}

static void values_below_1_ns_are_0(void **state)
{
	struct dist d = {.kind = DIST_LOGNORMAL, .a = 1, .b = UINT64_MAX};

	assert_true(sample_at(&d, 0) == 0);
	/* 2^27 ns go down by 2^100: more than a product's 128 bits */
	d.a = 1 << 27;
	assert_true(sample_at(&d, 0) == 0);
}

/* 1001 ln 2 = 693.84, 1000 ln 2 = 693.15, 7 sqrt(2) = 9.90 and 3 sqrt(2) = 4.24 */
static void draws_are_rounded_to_the_nearest(void **state)
{
	uint64_t half = 1ULL << 63;

	assert_true(sample_at(&(struct dist){.kind = DIST_EXP, .a = 1001}, half) ==
		    694);
	assert_true(sample_at(&(struct dist){.kind = DIST_EXP, .a = 1000}, half) ==
		    693);
	assert_true(sample_at(&(struct dist){.kind = DIST_PARETO, .a = 7, .b = 14},
			      half) == 10);
	assert_true(sample_at(&(struct dist){.kind = DIST_PARETO, .a = 3, .b = 6},
			      half) == 4);
}

/* The stated error of each kind, at probabilities from 2^-64 to nearly 1. */
static void draws_follow_the_exact_inverse(void **state)
{
	const double mean = 1e9, a = 1e6, b = 3e6;
	struct dist exponential = {.kind = DIST_EXP, .a = mean};
	struct dist pareto = {.kind = DIST_PARETO, .a = a, .b = b};

	for (uint64_t r = 1; r < UINT64_MAX - r / 90; r += r / 90 + 1) {
		double minus_ln = -log(ldexp(r, -64));
		double exact = a * exp(minus_ln * (b - a) / b);

		assert_near(sample_at(&exponential, r), mean * minus_ln,
			    2e-6 * mean + 0.5);
		assert_near(sample_at(&pareto, r), exact, 3e-6 * exact + 0.5);
	}
}

/* Phi by the libm: the draw's own place in the distribution must be where it came from.
 */
static void lognormal_draws_follow_the_exact_inverse(void **state)
{
	const double a = 1e9, b = 10e9, sigma = log(b / a) / 2.3263478740408408;
	struct dist d = {.kind = DIST_LOGNORMAL, .a = a, .b = b};

	for (uint64_t tail = 1ULL << 31; tail < 1ULL << 63; tail += tail / 90) {
		double p = ldexp(tail + 0.5, -64);
		uint64_t upper = sample_at(&d, 1ULL << 63 | tail);
		double z = log(upper / a) / sigma;
		/* where the exact z of p lies, by Newton's rule from this one */
		double slope = exp(-z * z / 2) / sqrt(2 * M_PI);
		double exact_z = z + (erfc(z / M_SQRT2) / 2 - p) / slope;

		assert_true(fabs(exp((z - exact_z) * sigma) - 1) < 5e-5 * sigma + 1e-5);
		/* the lower half mirrors the upper */
		assert_near(sample_at(&d, tail), a * (a / upper),
			    2e-5 * a * (a / upper));
	}
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Half a percent, for what a million draws allow. */
static void assert_statistics(const struct dist *d, double mean, double median,
			      double p99)
{
	g_autofree uint64_t *values = g_new(uint64_t, NR_SAMPLES);
	struct random_stream s;
	uint64_t turn = 0;
	double sum = 0;

	random_stream_init(&s, 1, "statistics");
	for (int i = 0; i < NR_SAMPLES; i++) {
		values[i] = dist_sample(d, &s, &turn);
		sum += values[i];
	}
	qsort(values, NR_SAMPLES, sizeof(*values), compare);
	assert_near(sum / NR_SAMPLES, mean, mean / 200);
	assert_near(values[NR_SAMPLES / 2], median, median / 200);
	assert_near(values[NR_SAMPLES / 100 * 99], p99, p99 / 200);
	assert_near(dist_mean_ns(d), mean, mean / 10000);
}

/* Mean 1 ms: median ln 2, p99 ln 100. */
static void exp_has_its_mean_median_and_p99(void **state)
{
	struct dist d = {.kind = DIST_EXP, .a = MS};

	assert_statistics(&d, 1e6, 693147, 4605170);
}

/* sigma = ln 3 / 2.32635 = 0.472247; mean = e^(sigma^2 / 2) = 1.117964 medians */
static void lognormal_has_its_mean_median_and_p99(void **state)
{
	struct dist d = {.kind = DIST_LOGNORMAL, .a = MS, .b = 3 * MS};

	assert_statistics(&d, 1117964, 1e6, 3e6);
}

/* alpha = 3 / (3 - 2) = 3: median 2 * 2^(1/3), p99 2 * 100^(1/3) ms */
static void pareto_has_its_mean_median_and_p99(void **state)
{
	struct dist d = {.kind = DIST_PARETO, .a = 2 * MS, .b = 3 * MS};

	assert_statistics(&d, 3e6, 2519842, 9283178);
}

static void uniform_has_its_mean_median_and_p99(void **state)
{
	struct dist d = {.kind = DIST_UNIFORM, .a = 0, .b = 10 * MS};

	assert_statistics(&d, 5e6, 5e6, 9.9e6);
}

/* Each piece's middle by its share: 0.5 * 50 + 0.45 * 300 + 0.05 * 5250 us */
static void quantiles_have_their_mean_median_and_p99(void **state)
{
	uint64_t values[] = {0, 100 * US, 500 * US, 10000 * US};
	uint32_t ppm[] = {0, 500000, 950000, 1000000};
	struct dist d = {.kind = DIST_QUANTILES, .nr = 4, .values = values, .ppm = ppm};

	/* p99: four fifths of the way from 500 us to 10 ms */
	assert_statistics(&d, 422500, 100000, 8100000);
}

static void clearing_frees_and_leaves_nothing(void **state)
{
	struct dist d = {.kind = DIST_QUANTILES, .nr = 2};

	d.values = g_new0(uint64_t, 2);
	d.ppm = g_new0(uint32_t, 2);
	dist_clear(&d);
	assert_null(d.values);
	assert_null(d.ppm);
	assert_true(dist_mean_ns(&d) == 0);
	dist_clear(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_crafted_stream_gives_its_number),
		cmocka_unit_test(fixed_is_always_the_same),
		cmocka_unit_test(uniform_includes_both_ends),
		cmocka_unit_test(uniform_may_be_the_whole_range),
		cmocka_unit_test(a_list_comes_in_turn),
		cmocka_unit_test(exp_reaches_far_into_its_tail),
		cmocka_unit_test(pareto_reaches_far_into_its_tail),
		cmocka_unit_test(lognormal_passes_its_median_and_p99),
		cmocka_unit_test(lognormal_of_no_spread_is_its_median),
		cmocka_unit_test(quantiles_are_joined_by_straight_lines),
		cmocka_unit_test(quantiles_may_jump),
		cmocka_unit_test(values_beyond_64_bits_stay_at_the_greatest),
		cmocka_unit_test(great_values_do_not_lose_their_low_bits),
		cmocka_unit_test(values_below_1_ns_are_0),
		cmocka_unit_test(draws_are_rounded_to_the_nearest),
		cmocka_unit_test(draws_follow_the_exact_inverse),
		cmocka_unit_test(lognormal_draws_follow_the_exact_inverse),
		cmocka_unit_test(exp_has_its_mean_median_and_p99),
		cmocka_unit_test(lognormal_has_its_mean_median_and_p99),
		cmocka_unit_test(pareto_has_its_mean_median_and_p99),
		cmocka_unit_test(uniform_has_its_mean_median_and_p99),
		cmocka_unit_test(quantiles_have_their_mean_median_and_p99),
		cmocka_unit_test(clearing_frees_and_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
