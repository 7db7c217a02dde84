/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control files of the cpu controller, with the kernel's ranges and errnos.
 *
 * source: kernel/sched/core.c, 6.1
 */
#include "sched/cpu_cgroup.h"

#include "sched/bandwidth.h"
#include "sched/load_weight.h"
#include "sched/task_group.h"
#include "sched/uclamp.h"

#include <errno.h>
#include <string.h>

/* source: CGROUP_WEIGHT_MIN, CGROUP_WEIGHT_DFL, CGROUP_WEIGHT_MAX */
#define WEIGHT_MIN 1
#define WEIGHT_DEFAULT 100
#define WEIGHT_MAX 10000

/* source: MAX_SHARES */
#define SHARES_MAX (1ULL << 18)

/* The longest first word of cpu.max that is looked at. */
#define QUOTA_WORD_MAX 20

static void cpu_online(struct cgroup *cg)
{
	struct machine *m = cg->tree->m;
	struct task_group *tg = &m->root_tg;

	if (cg->parent)
		tg = task_group_new(m, cgroup_tg(cg->parent));
	tg->cgroup = cg;
	cg->css[CGROUP_CPU] = tg;
}

static void cpu_offline(struct cgroup *cg)
{
	task_group_free(cg->tree->m, cgroup_tg(cg));
	cg->css[CGROUP_CPU] = NULL;
}

static void cpu_attach(struct cgroup *to, struct task *const *tasks, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		sched_move_task(to->tree->m, tasks[i], cgroup_tg(to));
}

static int set_shares(struct cgroup *cg, uint64_t weight)
{
	return sched_group_set_shares(cg->tree->m, cgroup_tg(cg), weight << LOAD_SHIFT);
}

static int write_shares(struct cgroup *cg, uint64_t shares)
{
	if (shares > UINT64_MAX >> LOAD_SHIFT)
		shares = SHARES_MAX;
	return set_shares(cg, shares);
}

static int write_weight(struct cgroup *cg, uint64_t weight)
{
	if (weight < WEIGHT_MIN || weight > WEIGHT_MAX)
		return -ERANGE;
	return set_shares(cg, (weight * 1024 + WEIGHT_DEFAULT / 2) / WEIGHT_DEFAULT);
}

static int write_weight_nice(struct cgroup *cg, int64_t nice)
{
	if (nice < MIN_NICE || nice > MAX_NICE)
		return -ERANGE;
	return sched_group_set_shares(
		cg->tree->m, cgroup_tg(cg),
		task_load_weight(POLICY_NORMAL, (int)nice).weight);
}

static int write_idle(struct cgroup *cg, int64_t idle)
{
	return sched_group_set_idle(cg->tree->m, cgroup_tg(cg), idle);
}

static int set_limit(struct cgroup *cg, const struct cfs_limit *limit)
{
	return tg_set_cfs_bandwidth(cg->tree->m, cgroup_tg(cg), limit,
				    cg->tree->version == CGROUP_V2);
}

/* source: tg_set_cfs_quota() */
static int write_quota_us(struct cgroup *cg, int64_t quota_us)
{
	struct cfs_limit limit = tg_cfs_limit(cgroup_tg(cg));

	if (quota_us > (int64_t)(UINT64_MAX / NSEC_PER_USEC))
		return -EINVAL;
	limit.quota_ns =
		quota_us < 0 ? RUNTIME_INF : (uint64_t)quota_us * NSEC_PER_USEC;
	return set_limit(cg, &limit);
}

static int write_period_us(struct cgroup *cg, uint64_t period_us)
{
	struct cfs_limit limit = tg_cfs_limit(cgroup_tg(cg));

	if (period_us > UINT64_MAX / NSEC_PER_USEC)
		return -EINVAL;
	limit.period_ns = period_us * NSEC_PER_USEC;
	return set_limit(cg, &limit);
}

static int write_burst_us(struct cgroup *cg, uint64_t burst_us)
{
	struct cfs_limit limit = tg_cfs_limit(cgroup_tg(cg));

	if (burst_us > UINT64_MAX / NSEC_PER_USEC)
		return -EINVAL;
	limit.burst_ns = burst_us * NSEC_PER_USEC;
	return set_limit(cg, &limit);
}

/* Digits at the start of @text, wrapping.  False without any.  source: sscanf("%llu")
 */
static bool scan_us(const char *text, uint64_t *ns)
{
	uint64_t us = 0;

	if (!g_ascii_isdigit(*text))
		return false;
	for (; g_ascii_isdigit(*text); text++)
		us = us * 10 + (uint64_t)(*text - '0');
	*ns = us * NSEC_PER_USEC;
	return true;
}

static const char *skip_spaces(const char *text)
{
	while (g_ascii_isspace(*text))
		text++;
	return text;
}

/*
 * "QUOTA" or "QUOTA PERIOD", QUOTA a number or "max".  What follows digits in a word is
 * not looked at, and a second word that is no number leaves the period.
 * source: cpu_period_quota_parse()
 */
static int write_max(struct cgroup *cg, const char *text)
{
	struct cfs_limit limit = tg_cfs_limit(cgroup_tg(cg));
	char quota[QUOTA_WORD_MAX + 1] = "";
	size_t length = 0;

	text = skip_spaces(text);
	while (*text && !g_ascii_isspace(*text) && length < QUOTA_WORD_MAX)
		quota[length++] = *text++;
	scan_us(skip_spaces(text), &limit.period_ns);
	if (!scan_us(quota, &limit.quota_ns)) {
		if (strcmp(quota, "max"))
			return -EINVAL;
		limit.quota_ns = RUNTIME_INF;
	}
	/* It was read in us and set as ns. */
	if (!cg->tree->m->profile->max_keeps_burst)
		limit.burst_ns /= NSEC_PER_USEC;
	return set_limit(cg, &limit);
}

/* Digits at *@text, which is moved past them; too big a number stays too big. */
static uint64_t skip_digits(const char **text)
{
	uint64_t value = 0;

	for (; g_ascii_isdigit(**text); (*text)++)
		value = MIN(value * 10 + (uint64_t)(**text - '0'), UINT32_MAX);
	return value;
}

/* What follows the point, in hundredths, to the closest. */
static unsigned hundredths(const char *digits)
{
	unsigned value = 0;

	for (int i = 0; i < 2; i++) {
		value *= 10;
		if (g_ascii_isdigit(*digits))
			value += (unsigned)(*digits++ - '0');
	}
	return value + (g_ascii_isdigit(*digits) && *digits >= '5');
}

/*
 * "max", or a percentage with a fraction, as a share of CAPACITY_ONE.  What follows the
 * number is not looked at.  source: capacity_from_percent(), cgroup_parse_float()
 */
static int parse_share(const char *text, unsigned *share)
{
	g_autofree char *word = g_strstrip(g_strdup(text));
	const char *at = word + (*word == '-');
	uint64_t percent;

	*share = CAPACITY_ONE;
	if (!strcmp(word, "max"))
		return 0;
	if (!g_ascii_isdigit(*at))
		return -EINVAL;
	percent = skip_digits(&at) * 100;
	if (*at == '.' && at[1] == '-' && g_ascii_isdigit(at[2]))
		return -EINVAL;
	if (*at == '.')
		percent += hundredths(at + 1);
	if (*word == '-' ? percent : percent > 10000)
		return -ERANGE;
	*share = (unsigned)((percent * CAPACITY_ONE + 5000) / 10000);
	return 0;
}

static int write_uclamp(struct cgroup *cg, enum uclamp_id id, const char *text)
{
	unsigned share;
	int error = parse_share(text, &share);

	if (!error)
		uclamp_tg_set(cg->tree->m, cgroup_tg(cg), id, share);
	return error;
}

static int write_uclamp_min(struct cgroup *cg, const char *text)
{
	return write_uclamp(cg, UCLAMP_MIN, text);
}

static int write_uclamp_max(struct cgroup *cg, const char *text)
{
	return write_uclamp(cg, UCLAMP_MAX, text);
}

static const struct cgroup_file files[] = {
	{.name = "cpu.weight", .version = CGROUP_V2, .write_u64 = write_weight},
	{.name = "cpu.weight.nice",
	 .version = CGROUP_V2,
	 .write_s64 = write_weight_nice},
	{.name = "cpu.idle", .version = CGROUP_V2, .write_s64 = write_idle},
	{.name = "cpu.max", .version = CGROUP_V2, .write = write_max},
	{.name = "cpu.max.burst", .version = CGROUP_V2, .write_u64 = write_burst_us},
	{.name = "cpu.uclamp.min", .version = CGROUP_V2, .write = write_uclamp_min},
	{.name = "cpu.uclamp.max", .version = CGROUP_V2, .write = write_uclamp_max},
	{"cpu.shares", CGROUP_V1, true, .write_u64 = write_shares},
	{"cpu.idle", CGROUP_V1, true, .write_s64 = write_idle},
	{"cpu.cfs_quota_us", CGROUP_V1, true, .write_s64 = write_quota_us},
	{"cpu.cfs_period_us", CGROUP_V1, true, .write_u64 = write_period_us},
	{"cpu.cfs_burst_us", CGROUP_V1, true, .write_u64 = write_burst_us},
	{.name = "cpu.uclamp.min", .version = CGROUP_V1, .write = write_uclamp_min},
	{.name = "cpu.uclamp.max", .version = CGROUP_V1, .write = write_uclamp_max},
	{.name = NULL},
};

const struct cgroup_controller cpu_cgroup = {
	.name = "cpu",
	.files = files,
	.online = cpu_online,
	.offline = cpu_offline,
	.attach = cpu_attach,
};
