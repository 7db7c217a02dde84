/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU lists as text, the form of cpuset.cpus.
 */
#include <schedsim/cpumask.h>

#include <schedsim/error.h>

/*
 * Reads a decimal CPU number and moves @at past it.  Digits alone: neither sign
 * nor space, which strtoul would let through.  Numbers too large for any machine
 * stop growing at CPUS_MAX, so that they stay out of range and do not wrap.
 */
static bool take_cpu(const char **at, int *cpu)
{
	if (!g_ascii_isdigit(**at))
		return false;
	for (*cpu = 0; g_ascii_isdigit(**at); (*at)++)
		*cpu = MIN(*cpu * 10 + (**at - '0'), CPUS_MAX);
	return true;
}

/* One CPU, or first-last. */
static bool take_range(const char **at, int *first, int *last)
{
	if (!take_cpu(at, first))
		return false;
	*last = *first;
	if (**at != '-')
		return true;
	(*at)++;
	return take_cpu(at, last);
}

static bool refuse(GError **error, const char *expected, const char *text)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, "expected %s, got \"%s\"",
		    expected, text);
	return false;
}

static bool check_range(const char *text, int first, int last, int nr_cpus,
			GError **error)
{
	if (first > last)
		return refuse(error, "ranges of CPUs from low to high", text);
	if (last >= nr_cpus) {
		g_autofree char *expected = g_strdup_printf("CPUs below %d", nr_cpus);

		return refuse(error, expected, text);
	}
	return true;
}

bool cpumask_parse_list(const char *text, int nr_cpus, struct cpumask *out,
			GError **error)
{
	struct cpumask mask = cpumask_none();
	const char *at = text;

	g_assert(nr_cpus > 0 && nr_cpus <= CPUS_MAX);

	while (*at) {
		int first, last;

		if (!take_range(&at, &first, &last) || (*at && (*at != ',' || !*++at)))
			return refuse(error, "a list of CPUs such as \"0-3,8\"", text);
		if (!check_range(text, first, last, nr_cpus, error))
			return false;
		for (int cpu = first; cpu <= last; cpu++)
			cpumask_set(&mask, cpu);
	}
	*out = mask;
	return true;
}

/* The last CPU of the unbroken run of members that begins at @first. */
static int run_end(const struct cpumask *m, int first)
{
	int last = first;

	while (last + 1 < CPUS_MAX && cpumask_test(m, last + 1))
		last++;
	return last;
}

char *cpumask_to_list(const struct cpumask *m)
{
	GString *list = g_string_new(NULL);
	int first, last;

	for (first = cpumask_first(m); first < CPUS_MAX;
	     first = cpumask_next(m, last)) {
		last = run_end(m, first);
		if (list->len)
			g_string_append_c(list, ',');
		g_string_append_printf(list, "%d", first);
		if (last > first)
			g_string_append_printf(list, "-%d", last);
	}
	return g_string_free(list, FALSE);
}
