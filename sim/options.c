/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of options, read here for messages that say what was expected, and what
 * a command needs.
 */
#include "options.h"

#include "base/duration.h"
#include "option_words.h"
#include "report/output_file.h"
#include "schedsim/error.h"

#include <string.h>

static bool refuse(GError **error, const char *option, const char *expected,
		   const char *got)
{
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
		    "%s: expected %s, got \"%s\"", option, expected, got);
	return false;
}

/* The word of an option that means one thing; NULL: it was not given. */
static const char *only(char **given)
{
	return given ? given[0] : NULL;
}

/* Leaves @out alone where @text is NULL: the option was not given. */
static bool read_number(const char *option, const char *text, guint64 min, guint64 max,
			guint64 *out, GError **error)
{
	g_autofree char *expected = NULL;

	if (!text || g_ascii_string_to_unsigned(text, 10, min, max, out, NULL))
		return true;
	expected = g_strdup_printf("a whole number from %llu to %llu",
				   (unsigned long long)min, (unsigned long long)max);
	return refuse(error, option, expected, text);
}

static bool read_time(const char *option, const char *text, uint64_t min_ns,
		      uint64_t *out, GError **error)
{
	uint64_t ns;

	if (!text)
		return true;
	if (!duration_parse(text, &ns, error)) {
		g_prefix_error(error, "%s: ", option);
		return false;
	}
	if (ns < min_ns)
		return refuse(error, option, "a time above 0", text);
	if (ns >= SPAN_MAX_NS)
		return refuse(error, option, "a time of less than 2^53 ns", text);
	*out = ns;
	return true;
}

static bool read_format(const char *text, enum report_format *out, GError **error)
{
	static const char *const names[] = {"text", "json", "csv"};

	for (gsize i = 0; text && i < G_N_ELEMENTS(names); i++)
		if (!strcmp(text, names[i])) {
			*out = (enum report_format)i;
			return true;
		}
	return !text || refuse(error, "--format", "text, json or csv", text);
}

static bool read_params(char **texts, struct experiment_spec *spec, GError **error)
{
	for (int i = 0; texts && texts[i]; i++)
		if (!experiment_spec_add_param(spec, texts[i], error)) {
			g_prefix_error(error, "--param: ");
			return false;
		}
	return true;
}

static char **default_policies(void)
{
	static const char *const names[] = {"baseline", "sis_short", NULL};

	return g_strdupv((char **)names);
}

static bool read_numbers(const struct words *w, struct options *o, GError **error)
{
	guint64 seed = o->spec.seed, runs = o->spec.runs;
	guint64 threads = g_get_num_processors();

	if (!read_number("--seed", only(w->seed), 0, SEED_MAX - RUNS_MAX, &seed,
			 error) ||
	    !read_number("--runs", only(w->runs), 1, RUNS_MAX, &runs, error) ||
	    !read_number("--jobs", only(w->threads), 1, THREADS_MAX, &threads, error) ||
	    !read_time("--duration", only(w->duration), 1, &o->spec.duration_ns,
		       error) ||
	    !read_time("--warmup", only(w->warmup), 0, &o->spec.warmup_ns, error))
		return false;
	o->spec.seed = seed;
	o->spec.runs = runs;
	o->threads = threads;
	return true;
}

static bool read_words(struct words *w, struct options *o, GError **error)
{
	if (!read_numbers(w, o, error) ||
	    !read_format(only(w->format), &o->format, error) ||
	    !read_params(w->params, &o->spec, error))
		return false;
	o->spec.policies =
		w->policies ? g_steal_pointer(&w->policies) : default_policies();
	o->spec.machine = g_strdup(only(w->machine));
	o->args = w->rest ? g_steal_pointer(&w->rest) : g_new0(char *, 1);
	o->spec.workloads = g_strdupv(o->args);
	o->output = g_strdup(only(w->output));
	o->decisions = g_strdup(only(w->decisions));
	o->rtapp_logs = g_strdup(only(w->rtapp_logs));
	o->invariants = w->invariants;
	o->against = g_strdup(only(w->against));
	o->limits = g_steal_pointer(&w->limits);
	return true;
}

static bool check_needs(const struct options *o, GError **error)
{
	guint nr = g_strv_length(o->args);

	if (o->command == COMMAND_COMPARE && nr < 2)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "compare: expected two result files or more, got %u", nr);
	else if (!nr && o->command == COMMAND_LIST)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "list: expected %s, got nothing", command_args(o->command));
	else if (!nr)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "%s: expected a workload file, got none; see --help",
			    command_name(o->command));
	else if (o->command == COMMAND_CHECK && !o->against)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "check: expected --against RESULT.json, got none");
	else if (o->rtapp_logs && !*o->rtapp_logs)
		refuse(error, "--rtapp-logs", "the name of a folder", o->rtapp_logs);
	else if (o->output && !*o->output)
		refuse(error, "--output", "the name of a file", o->output);
	else if (o->decisions && !*o->decisions)
		refuse(error, "--decisions", "the name of a file", o->decisions);
	else if (o->output && o->decisions && same_file(o->output, o->decisions))
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "--decisions: expected another file than --output, got "
			    "\"%s\"",
			    o->decisions);
	else
		return true;
	return false;
}

bool options_ask_for_check(char **args)
{
	return command_of(args) == COMMAND_CHECK;
}

bool options_read(char **args, struct options *out, GError **error)
{
	struct options o = {0};
	struct words w = {0};
	bool ok;

	experiment_spec_init(&o.spec);
	ok = words_parse(args, &o.command, &o.text, &w, error);
	if (ok && o.command != COMMAND_HELP)
		ok = read_words(&w, &o, error) && check_needs(&o, error);
	words_clear(&w);
	if (ok)
		*out = o;
	else
		options_clear(&o);
	return ok;
}

void options_clear(struct options *o)
{
	g_free(o->text);
	g_strfreev(o->args);
	experiment_spec_clear(&o->spec);
	g_free(o->output);
	g_free(o->decisions);
	g_free(o->rtapp_logs);
	g_free(o->against);
	g_strfreev(o->limits);
	memset(o, 0, sizeof(*o));
}
