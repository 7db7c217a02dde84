/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generators against their published numbers, and the streams' independence.
 */
#include "test.h"

#include "base/random.h"

#define NR_DRAWS 60000

/* The authors' program, started from 1, 2, 3, 4 (also rand_xoshiro's test). */
static void the_generator_gives_its_published_numbers(void **state)
{
	static const uint64_t expected[] = {
		11520ULL,
		0ULL,
		1509978240ULL,
		1215971899390074240ULL,
		1216172134540287360ULL,
		607988272756665600ULL,
		16172922978634559625ULL,
		8476171486693032832ULL,
		10595114339597558777ULL,
		2904607092377533576ULL,
	};
	struct random_stream s = {{1, 2, 3, 4}};

	for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++)
		assert_true(random_next(&s) == expected[i]);
}

/*
 * Worked out with Python's integers from a splitmix64 and an FNV-1a that were
 * first checked against published numbers: 6457827717110365317 is the first of
 * seed 1234567, 0x85944171f73967e8 the hash of "foobar".
 */
static void seed_and_name_fill_the_state(void **state)
{
	static const uint64_t unnamed_0[] = {0x5b21f68ffa77f14c, 0xacf0460c6cc09c67,
					     0x1e3a31b219d0d222, 0xe6d5efe738142816};
	static const uint64_t foobar_1[] = {0x3439551850bf5e86, 0x219d1bf6dbd48d0c,
					    0x50d290307e73afbb, 0x050c48b6b3823d1c};
	struct random_stream s;

	random_stream_init(&s, 0, "");
	assert_memory_equal(s.state, unnamed_0, sizeof(unnamed_0));
	random_stream_init(&s, 1, "foobar");
	assert_memory_equal(s.state, foobar_1, sizeof(foobar_1));
}

static void a_stream_starts_anew_from_its_seed_and_name(void **state)
{
	struct random_stream a, b;

	random_stream_init(&a, 42, "redis");
	random_next(&a);
	random_stream_init(&a, 42, "redis");
	random_stream_init(&b, 42, "redis");
	for (int i = 0; i < 1000; i++)
		assert_true(random_next(&a) == random_next(&b));
}

/* The bits in which two streams agree are half of all, to five standard deviations. */
static void assert_unrelated(uint64_t seed_a, const char *name_a, uint64_t seed_b,
			     const char *name_b)
{
	struct random_stream a, b;
	int agreeing = 0;

	random_stream_init(&a, seed_a, name_a);
	random_stream_init(&b, seed_b, name_b);
	for (int i = 0; i < 10000; i++)
		agreeing += __builtin_popcountll(~(random_next(&a) ^ random_next(&b)));
	assert_in_range(agreeing, 320000 - 2000, 320000 + 2000);
}

static void streams_differ_by_name_and_by_seed(void **state)
{
	assert_unrelated(1, "task[0]", 1, "task[1]");
	assert_unrelated(1, "task[0]", 2, "task[0]");
	assert_unrelated(0, "a", 1, "a");
	/* one bit of the seed, the same bit of the name's last letter */
	assert_unrelated(0, "a", 1, "`");
	assert_unrelated(1, "", 1, "a");
}

/* Others' draws do not move this stream. */
static void a_stream_is_untouched_by_others(void **state)
{
	struct random_stream alone, beside, other;

	random_stream_init(&alone, 3, "web");
	random_stream_init(&beside, 3, "web");
	random_stream_init(&other, 3, "db");
	for (int i = 0; i < 1000; i++) {
		random_next(&other);
		assert_true(random_next(&alone) == random_next(&beside));
	}
}

static void bounded_numbers_stay_below_their_bound(void **state)
{
	static const uint64_t bounds[] = {1, 2, 3, 1000, 1ULL << 63, UINT64_MAX};
	struct random_stream s;

	random_stream_init(&s, 5, "bounded");
	for (unsigned i = 0; i < G_N_ELEMENTS(bounds); i++)
		for (int draw = 0; draw < 1000; draw++)
			assert_true(random_below(&s, bounds[i]) < bounds[i]);
}

static void bounded_numbers_are_spread_evenly(void **state)
{
	unsigned seen[6] = {0};
	struct random_stream s;

	random_stream_init(&s, 6, "dice");
	for (int i = 0; i < NR_DRAWS; i++)
		seen[random_below(&s, 6)]++;
	/* 10000 each; a standard deviation is 91 */
	for (int face = 0; face < 6; face++)
		assert_in_range(seen[face], 10000 - 456, 10000 + 456);
}

/*
 * Of 3 * 2^62 results each stands for 4/3 of a random number: with none drawn
 * again every third would come twice as often as its neighbours.
 */
static void a_bound_near_the_range_brings_no_bias(void **state)
{
	unsigned seen[3] = {0};
	struct random_stream s;

	random_stream_init(&s, 7, "bias");
	for (int i = 0; i < NR_DRAWS; i++)
		seen[random_below(&s, 3ULL << 62) % 3]++;
	/* 20000 each; a standard deviation is 115 */
	for (int rest = 0; rest < 3; rest++)
		assert_in_range(seen[rest], 20000 - 577, 20000 + 577);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_generator_gives_its_published_numbers),
		cmocka_unit_test(seed_and_name_fill_the_state),
		cmocka_unit_test(a_stream_starts_anew_from_its_seed_and_name),
		cmocka_unit_test(streams_differ_by_name_and_by_seed),
		cmocka_unit_test(a_stream_is_untouched_by_others),
		cmocka_unit_test(bounded_numbers_stay_below_their_bound),
		cmocka_unit_test(bounded_numbers_are_spread_evenly),
		cmocka_unit_test(a_bound_near_the_range_brings_no_bias),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
