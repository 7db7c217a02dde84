/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is written to control files, and read from them.
 *
 * source: kernel/cgroup/cpuset.c; bitmap_parselist(), lib/bitmap.c;
 * cgroup_file_write()
 */
#include "cpuset/internal.h"

#include "cpuset/cpuset_tree.h"

#include <errno.h>
#include <string.h>

struct cpuset_file {
	int version; /* of cgroups */
	const char *name;
	bool on_root;
	int (*write)(struct cpuset *cs, const char *text, op_result *out);
	char *(*read)(const struct cpuset *cs);
};

/* Texts */

/* A part of a list: first-last:used/group. */
struct region {
	unsigned first, last, used, group;
};

/* Reads digits from *@at and moves past them.  0, -EINVAL or -EOVERFLOW. */
static int read_number(const char **at, unsigned *out)
{
	uint64_t value = 0;

	if (!g_ascii_isdigit(**at))
		return -EINVAL;
	for (; g_ascii_isdigit(**at); (*at)++) {
		value = value * 10 + (uint64_t)(**at - '0');
		if (value > UINT32_MAX)
			return -EOVERFLOW;
	}
	*out = (unsigned)value;
	return 0;
}

/* The number after @letter, if that comes next; else *@out is left alone. */
static int read_after(char letter, const char **at, unsigned *out)
{
	if (**at != letter)
		return 0;
	(*at)++;
	return read_number(at, out);
}

static int read_region(const char **at, struct region *out)
{
	int err = read_number(at, &out->first);

	out->last = out->first;
	if (!err)
		err = read_after('-', at, &out->last);
	out->used = out->group = 0;
	if (!err && **at == ':') {
		err = read_after(':', at, &out->used);
		if (!err)
			err = **at == '/' ? read_after('/', at, &out->group) : -EINVAL;
		if (!err && !out->group)
			err = -EINVAL;
	} else if (!err) {
		out->used = out->group = out->last + 1;
	}
	return err;
}

static int check_region(const struct region *r, unsigned nr_bits)
{
	if (r->first > r->last || !r->group || r->used > r->group)
		return -EINVAL;
	return r->last >= nr_bits ? -ERANGE : 0;
}

static bool is_separator(char c)
{
	return c == ',' || g_ascii_isspace(c);
}

/*
 * "0-3,8" or "0-15:1/2", of numbers below @nr_bits.
 * source: bitmap_parselist()
 */
static int parse_list(const char *text, unsigned nr_bits, struct cpumask *out)
{
	*out = cpumask_none();
	while (*text) {
		struct region r;
		int err;

		if (is_separator(*text)) {
			text++;
			continue;
		}
		err = read_region(&text, &r);
		if (!err)
			err = check_region(&r, nr_bits);
		if (!err && *text && !is_separator(*text))
			err = -EINVAL;
		if (err)
			return err;
		for (unsigned bit = r.first; bit <= r.last; bit++)
			if ((bit - r.first) % r.group < r.used)
				cpumask_set(out, (int)bit);
	}
	return 0;
}

static int parse_u64(const char *text, uint64_t *out)
{
	return g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, out, NULL) ? 0
									      : -EINVAL;
}

static int parse_s64(const char *text, int64_t *out)
{
	return g_ascii_string_to_signed(text, 10, INT64_MIN, INT64_MAX, out, NULL)
		       ? 0
		       : -EINVAL;
}

static char *flag_text(bool on)
{
	return g_strdup(on ? "1" : "0");
}

/* A write that came to nothing. */
static int refuse(struct cpuset *cs, op_result *out, int err)
{
	struct op_scope scope;

	cpuset_op_begin(cs->sys, &scope, REBUILD_CPUS, out);
	return cpuset_op_end(cs->sys, &scope, err);
}

/* Masks */

static int write_cpus(struct cpuset *cs, const char *text, op_result *out)
{
	struct cpumask cpus;
	int err = cs->parent ? parse_list(text, CPUS_MAX, &cpus) : -EACCES;

	return err ? refuse(cs, out, err) : cpuset_set_cpus(cs, &cpus, out);
}

static char *read_cpus(const struct cpuset *cs)
{
	return cpumask_to_list(&cs->cpus_allowed);
}

static char *read_effective_cpus(const struct cpuset *cs)
{
	return cpumask_to_list(&cs->effective_cpus);
}

static int write_mems(struct cpuset *cs, const char *text, op_result *out)
{
	struct cpumask nodes;
	int err = cs->parent ? parse_list(text, 64, &nodes) : -EACCES;

	return err ? refuse(cs, out, err) : cpuset_set_mems(cs, nodes.bits[0], out);
}

static char *node_list(node_set nodes)
{
	struct cpumask mask = cpumask_none();

	mask.bits[0] = nodes;
	return cpumask_to_list(&mask);
}

static char *read_mems(const struct cpuset *cs)
{
	return node_list(cs->mems_allowed);
}

static char *read_effective_mems(const struct cpuset *cs)
{
	return node_list(cs->effective_mems);
}

/* Flags: any number but 0 is on */

static int write_flag(struct cpuset *cs, const char *text, op_result *out,
		      int (*set)(struct cpuset *, bool, op_result *))
{
	uint64_t value;
	int err = parse_u64(text, &value);

	return err ? refuse(cs, out, err) : set(cs, value, out);
}

static int write_cpu_exclusive(struct cpuset *cs, const char *text, op_result *out)
{
	return write_flag(cs, text, out, cpuset_set_cpu_exclusive);
}

static char *read_cpu_exclusive(const struct cpuset *cs)
{
	return flag_text(cs->cpu_exclusive);
}

static int write_mem_exclusive(struct cpuset *cs, const char *text, op_result *out)
{
	return write_flag(cs, text, out, cpuset_set_mem_exclusive);
}

static char *read_mem_exclusive(const struct cpuset *cs)
{
	return flag_text(cs->mem_exclusive);
}

static int write_load_balance(struct cpuset *cs, const char *text, op_result *out)
{
	return write_flag(cs, text, out, cpuset_set_load_balance);
}

static char *read_load_balance(const struct cpuset *cs)
{
	return flag_text(cs->load_balance);
}

static int set_clone_children(struct cpuset *cs, bool on, op_result *out)
{
	cs->clone_children = on;
	return refuse(cs, out, 0);
}

static int write_clone_children(struct cpuset *cs, const char *text, op_result *out)
{
	return write_flag(cs, text, out, set_clone_children);
}

static char *read_clone_children(const struct cpuset *cs)
{
	return flag_text(cs->clone_children);
}

/* Others */

static int write_relax_level(struct cpuset *cs, const char *text, op_result *out)
{
	int64_t level;
	int err = parse_s64(text, &level);

	return err ? refuse(cs, out, err)
		   : cpuset_set_relax_domain_level(cs, level, out);
}

static char *read_relax_level(const struct cpuset *cs)
{
	return g_strdup_printf("%d", cs->relax_domain_level);
}

static int write_partition(struct cpuset *cs, const char *text, op_result *out)
{
	static const char *const names[] = {"member", "root", "isolated"};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(text, names[i])) {
			cpuset_set_partition(cs, (enum partition_state)i, out);
			return 0;
		}
	return refuse(cs, out, -EINVAL);
}

static const struct cpuset_file files[] = {
#define CPUSET_FILE(version, name, on_root, write, read)                               \
	{version, name, on_root, write, read},
#include "cpuset/cpuset_files.def"
#undef CPUSET_FILE
};

static const struct cpuset_file *find_file(const struct cpuset *cs, const char *name)
{
	int version = cpuset_on_dfl(cs->sys) ? 2 : 1;

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		const struct cpuset_file *file = &files[i];

		if (file->version == version && !strcmp(file->name, name) &&
		    (cs->parent || file->on_root))
			return file;
	}
	return NULL;
}

int cpuset_write(struct cpuset *cs, const char *file, const char *text, op_result *out)
{
	const struct cpuset_file *found = find_file(cs, file);
	g_autofree char *stripped = g_strstrip(g_strdup(text));

	if (!found)
		return refuse(cs, out, -ENOENT);
	/* Root may open any file of cgroupfs; what cannot be written says so then. */
	if (!found->write)
		return refuse(cs, out, -EINVAL);
	return found->write(cs, stripped, out);
}

char *cpuset_read(const struct cpuset *cs, const char *file)
{
	const struct cpuset_file *found = find_file(cs, file);

	return found ? found->read(cs) : NULL;
}
