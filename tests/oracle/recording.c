/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording.h"

#include "test.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#define TRACE_NAME "trace_rep1.txt.xz"

static void recording_free(void *p)
{
	struct recording *r = p;

	g_free(r->path);
	g_free(r->features);
	g_ptr_array_unref(r->lines);
	g_free(r->text);
	g_free(r);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in @path, sorted.  (transfer full) */
static GPtrArray *names_in(const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) dir = g_dir_open(path, 0, &error);
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	if (!dir)
		fail_msg("%s", error->message);
	while ((name = g_dir_read_name(dir)))
		g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	return names;
}

/* "s2c2t2": sockets of one LLC each, cores of one, threads of one; no t: one. */
static void read_shape(struct recording *r, const char *topology)
{
	int sockets, cores, threads = 1;

	if (sscanf(topology, "s%dc%dt%d", &sockets, &cores, &threads) < 2)
		fail_msg("%s: expected a topology, got %s", r->path, topology);
	r->cpus_per_core = threads;
	r->cpus_per_llc = cores * threads;
	r->nr_cpus = sockets * r->cpus_per_llc;
}

/* The tunables that the kernel had, from the description beside the trace. */
static void read_meta(struct recording *r, const char *path)
{
	json_object *meta = json_object_from_file(path);
	json_object *sysinfo = NULL, *latency = NULL, *granularity = NULL;

	if (!meta || !json_object_object_get_ex(meta, "sysinfo", &sysinfo))
		fail_msg("%s: expected sysinfo, got none", path);
	json_object_object_foreach(sysinfo, key, boot)
	{
		if (!json_object_is_type(boot, json_type_object))
			continue;
		if (!json_object_object_get_ex(boot, "latency_ns", &latency) ||
		    !json_object_object_get_ex(boot, "min_granularity_ns",
					       &granularity))
			fail_msg("%s: %s: expected tunables, got none", path, key);
		r->latency_ns = (uint64_t)json_object_get_int64(latency);
		r->min_granularity_ns = (uint64_t)json_object_get_int64(granularity);
	}
	if (!r->latency_ns || !r->min_granularity_ns)
		fail_msg("%s: expected tunables, got none", path);
	json_object_put(meta);
}

static char *unpack(const char *path)
{
	const char *argv[] = {"xz", "-dc", path, NULL};
	g_autoptr(GError) error = NULL;
	char *text = NULL;
	int status = 0;

	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
			  &text, NULL, &status, &error) ||
	    !g_spawn_check_wait_status(status, &error))
		fail_msg("%s: %s", path, error->message);
	return text;
}

/* Ends each line of @text where its newline was.  (transfer full) */
static GPtrArray *cut_lines(char *text)
{
	GPtrArray *lines = g_ptr_array_new();
	char *line = text, *end = text + strlen(text), *newline;

	while ((newline = memchr(line, '\n', (size_t)(end - line)))) {
		*newline = '\0';
		g_ptr_array_add(lines, line);
		line = newline + 1;
	}
	g_ptr_array_add(lines, line);
	return lines;
}

static void add_recording(GPtrArray *list, const char *folder, const char *topology,
			  const char *features)
{
	struct recording *r = g_new0(struct recording, 1);
	g_autofree char *meta =
		g_build_filename(folder, topology, features, "meta.json", NULL);

	r->path = g_build_filename(folder, topology, features, TRACE_NAME, NULL);
	r->features = g_strdup(features);
	read_shape(r, topology);
	read_meta(r, meta);
	r->text = unpack(r->path);
	r->lines = cut_lines(r->text);
	g_ptr_array_add(list, r);
}

static void add_workload(GPtrArray *list, const char *folder)
{
	g_autoptr(GPtrArray) topologies = names_in(folder);

	for (guint i = 0; i < topologies->len; i++) {
		const char *topology = g_ptr_array_index(topologies, i);
		g_autofree char *path = g_build_filename(folder, topology, NULL);
		g_autoptr(GPtrArray) features = names_in(path);

		for (guint k = 0; k < features->len; k++)
			add_recording(list, folder, topology,
				      g_ptr_array_index(features, k));
	}
}

GPtrArray *recordings_in(const char *folder)
{
	g_autofree char *traces = g_build_filename(folder, "traces", NULL);
	g_autoptr(GPtrArray) workloads = names_in(traces);
	GPtrArray *list = g_ptr_array_new_with_free_func(recording_free);

	for (guint i = 0; i < workloads->len; i++) {
		const char *name = g_ptr_array_index(workloads, i);
		g_autofree char *path = g_build_filename(traces, name, NULL);

		if (g_str_has_prefix(name, "dec_") || g_str_has_prefix(name, "pelt_"))
			add_workload(list, path);
	}
	return list;
}

static bool read_decision(const char *text, struct decision *d)
{
	return sscanf(text,
		      "WT p=%d c=%d this=%d prev=%d fl=%x sync=%d wide=%d fm=%u fs=%u "
		      "path=%d aff=%d new=%d idle=%" SCNx64 " tnr=%u pnr=%u tl=%" SCNu64
		      " pl=%" SCNu64 " hl=%" SCNu64 " ld=%" SCNu64 " ut=%" SCNu64
		      " dur=%" SCNu64 " cdur=%" SCNu64
		      " ruc=%d nis=%d hic=%d irq=%d allow=%" SCNx64,
		      &d->wakee, &d->waker, &d->this_cpu, &d->prev_cpu, &d->wake_flags,
		      &d->sync, &d->wide, &d->waker_flips, &d->wakee_flips, &d->path,
		      &d->affine_cpu, &d->chosen_cpu, &d->idle, &d->this_nr,
		      &d->prev_nr, &d->this_load, &d->prev_load, &d->h_load,
		      &d->load_avg, &d->util_avg, &d->dur_avg_ns, &d->waker_dur_avg_ns,
		      &d->recent_used_cpu, &d->nr_idle_scan, &d->has_idle_cores,
		      &d->from_irq, &d->allowed) == 27;
}

/* Clocks and averages between the fields that are wanted are skipped. */
static bool read_change(const char *text, struct change *c)
{
	return sscanf(text,
		      "PT %7s p=%d now=%" SCNu64 " task=%*u pelt=%*u sum=%" SCNu64
		      " vr=%" SCNu64 " minvr=%" SCNu64
		      " la=%*u ra=%*u ua=%*u cla=%*u cua=%*u nr=%*u ue=%*u/%*u "
		      "dur=%" SCNu64 " w=%" SCNu64,
		      c->what, &c->pid, &c->now_ns, &c->sum_exec_ns, &c->vruntime,
		      &c->min_vruntime, &c->dur_avg_ns, &c->weight) == 8;
}

/* Per CPU, what others did since the last sched_waking there. */
struct disturbance {
	uint64_t cpus[64];
};

/* @by did something to @cpu that the others may notice. */
static void disturb(struct disturbance *seen, int by, int cpu)
{
	for (int other = 0; other < 64; other++)
		if (other != by)
			seen->cpus[other] |= 1ULL << cpu;
}

static int number_after(const char *line, const char *key)
{
	const char *text = strstr(line, key);

	return text ? atoi(text + strlen(key)) : -1;
}

static int cpu_after(const char *line, const char *key)
{
	int cpu = number_after(line, key);

	if (cpu < 0 || cpu > 63)
		fail_msg("expected a CPU after %s, got %s", key, line);
	return cpu;
}

static void play_tracepoint(const char *line, int by, struct disturbance *seen,
			    const struct listener *listener, void *data)
{
	if (strstr(line, ": sched_waking: ")) {
		seen->cpus[by] = 0;
	} else if (strstr(line, ": sched_switch: ")) {
		disturb(seen, by, by);
	} else if (strstr(line, ": sched_wakeup: ") ||
		   strstr(line, ": sched_wakeup_new: ")) {
		disturb(seen, by, cpu_after(line, " target_cpu="));
	} else if (strstr(line, ": sched_migrate_task: ")) {
		disturb(seen, by, cpu_after(line, " orig_cpu="));
		disturb(seen, by, cpu_after(line, " dest_cpu="));
		if (listener->migration)
			listener->migration(data, number_after(line, " pid="));
	}
}

static void play_line(const char *line, struct disturbance *seen,
		      const struct listener *listener, void *data)
{
	int by = cpu_after(line, " [");
	const char *text;
	struct decision decision = {0};
	struct change change = {0};

	if ((text = strstr(line, ": WT p="))) {
		if (!read_decision(text + 2, &decision))
			fail_msg("expected a decision, got %s", line);
		decision.disturbed = seen->cpus[by];
		if (listener->decision)
			listener->decision(data, &decision);
	} else if ((text = strstr(line, ": PT "))) {
		if (!read_change(text + 2, &change))
			fail_msg("expected a change, got %s", line);
		if (listener->change)
			listener->change(data, &change);
	} else {
		play_tracepoint(line, by, seen, listener, data);
	}
}

void recording_play(const struct recording *r, const struct listener *listener,
		    void *data)
{
	struct disturbance seen = {{0}};

	for (guint i = 0; i < r->lines->len; i++) {
		const char *line = g_ptr_array_index(r->lines, i);

		if (*line && *line != '#')
			play_line(line, &seen, listener, data);
	}
}
