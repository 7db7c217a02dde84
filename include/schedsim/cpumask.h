/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of CPUs as a plain value.
 */
#ifndef SCHEDSIM_CPUMASK_H
#define SCHEDSIM_CPUMASK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define CPUS_MAX 512
#define CPUMASK_WORDS (CPUS_MAX / 64)

struct cpumask {
	uint64_t bits[CPUMASK_WORDS];
};

static inline bool cpumask_test(const struct cpumask *m, int cpu)
{
	return m->bits[cpu >> 6] >> (cpu & 63) & 1;
}

static inline void cpumask_set(struct cpumask *m, int cpu)
{
	m->bits[cpu >> 6] |= 1ULL << (cpu & 63);
}

static inline void cpumask_clear(struct cpumask *m, int cpu)
{
	m->bits[cpu >> 6] &= ~(1ULL << (cpu & 63));
}

static inline struct cpumask cpumask_none(void)
{
	return (struct cpumask){{0}};
}

static inline struct cpumask cpumask_of(int cpu)
{
	struct cpumask m = {{0}};

	cpumask_set(&m, cpu);
	return m;
}

static inline struct cpumask cpumask_first_n(int nr)
{
	struct cpumask m = {{0}};

	for (int cpu = 0; cpu < nr; cpu++)
		cpumask_set(&m, cpu);
	return m;
}

static inline struct cpumask cpumask_and(const struct cpumask *a,
					 const struct cpumask *b)
{
	struct cpumask m;

	for (int i = 0; i < CPUMASK_WORDS; i++)
		m.bits[i] = a->bits[i] & b->bits[i];
	return m;
}

static inline struct cpumask cpumask_or(const struct cpumask *a,
					const struct cpumask *b)
{
	struct cpumask m;

	for (int i = 0; i < CPUMASK_WORDS; i++)
		m.bits[i] = a->bits[i] | b->bits[i];
	return m;
}

static inline struct cpumask cpumask_andnot(const struct cpumask *a,
					    const struct cpumask *b)
{
	struct cpumask m;

	for (int i = 0; i < CPUMASK_WORDS; i++)
		m.bits[i] = a->bits[i] & ~b->bits[i];
	return m;
}

static inline bool cpumask_empty(const struct cpumask *m)
{
	for (int i = 0; i < CPUMASK_WORDS; i++)
		if (m->bits[i])
			return false;
	return true;
}

static inline bool cpumask_equal(const struct cpumask *a, const struct cpumask *b)
{
	for (int i = 0; i < CPUMASK_WORDS; i++)
		if (a->bits[i] != b->bits[i])
			return false;
	return true;
}

static inline bool cpumask_intersects(const struct cpumask *a, const struct cpumask *b)
{
	for (int i = 0; i < CPUMASK_WORDS; i++)
		if (a->bits[i] & b->bits[i])
			return true;
	return false;
}

static inline bool cpumask_subset(const struct cpumask *a, const struct cpumask *of)
{
	for (int i = 0; i < CPUMASK_WORDS; i++)
		if (a->bits[i] & ~of->bits[i])
			return false;
	return true;
}

static inline int cpumask_weight(const struct cpumask *m)
{
	int weight = 0;

	for (int i = 0; i < CPUMASK_WORDS; i++)
		weight += __builtin_popcountll(m->bits[i]);
	return weight;
}

/* The lowest member above @after, or CPUS_MAX; @after is -1 for the first. */
static inline int cpumask_next(const struct cpumask *m, int after)
{
	int from = after + 1;
	int i = from >> 6;
	uint64_t word;

	if (from >= CPUS_MAX)
		return CPUS_MAX;
	word = m->bits[i] & (~0ULL << (from & 63));
	while (!word) {
		if (++i == CPUMASK_WORDS)
			return CPUS_MAX;
		word = m->bits[i];
	}
	return i * 64 + __builtin_ctzll(word);
}

static inline int cpumask_first(const struct cpumask *m)
{
	return cpumask_next(m, -1);
}

/* Every member of @m, ascending. */
#define for_each_cpu(cpu, m)                                                           \
	for ((cpu) = cpumask_first(m); (cpu) < CPUS_MAX; (cpu) = cpumask_next(m, (cpu)))

/*
 * Every member once, ascending from @start and round past the end.  @left counts
 * down; the loop variable is @cpu.  source: for_each_cpu_wrap()
 */
#define for_each_cpu_wrap(cpu, m, start, left)                                         \
	for ((left) = cpumask_weight(m), (cpu) = cpumask_next_wrap(m, (start)-1);      \
	     (left) > 0; (left)--, (cpu) = cpumask_next_wrap(m, (cpu)))

static inline int cpumask_next_wrap(const struct cpumask *m, int after)
{
	int cpu = cpumask_next(m, after);

	return cpu < CPUS_MAX ? cpu : cpumask_first(m);
}

/*
 * Reads a list as in cpuset.cpus: "0-3,8"; the empty text is no CPU.  CPUs must be
 * below @nr_cpus.  INPUT_ERROR_VALUE says what was expected and what came, and @out
 * is left alone.
 */
bool cpumask_parse_list(const char *text, int nr_cpus, struct cpumask *out,
			GError **error);

/* The list form of @m, "0-3,8"; empty for no CPU.  (transfer full) */
char *cpumask_to_list(const struct cpumask *m);

#endif
