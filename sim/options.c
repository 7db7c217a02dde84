/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GOption splits the words; values are read here, for messages that say what was
 * expected.  A command knows only the options that mean something to it.
 */
#include "options.h"

#include "base/duration.h"
#include "base/nearest.h"
#include "report/output_file.h"
#include "schedsim/error.h"

#include <string.h>

/* What GOption fills in: words, to be read afterwards with messages of our own. */
struct words {
	char **policies, **params, **limits, **rest;
	/* which may be given once, and is looked at by only() */
	char **seed, **runs, **threads, **duration, **warmup, **machine, **output,
		**format, **decisions, **rtapp_logs, **against, **html, **trace;
	gboolean version, invariants;
};

static const struct {
	const char *name;
	enum command command;
	const char *args, *summary;
} commands[] = {
	{"run", COMMAND_RUN, "WORKLOAD.json...",
	 "Simulates each workload under each policy and prints the figures."},
	{"compare", COMMAND_COMPARE, "RESULT.json RESULT.json...",
	 "Prints what differs between results that --output wrote."},
	{"check", COMMAND_CHECK, "WORKLOAD.json...",
	 "Repeats the runs of a result and demands the same figures, or figures within "
	 "limits.  Ends with 0 (they are), 1 (they are not) or 125 (cannot judge)."},
	{"list", COMMAND_LIST,
	 "policies|features|tunables|machines|metrics|limits|kernels|costs",
	 "Prints the names that can be used, and what they mean."},
	{"validate", COMMAND_VALIDATE, "WORKLOAD.json...",
	 "Reads workloads without running them and says what is wrong with them."},
};

static const char intro[] =
	"Simulates the Linux 6.1 CPU scheduler.\n"
	"\n"
	"Commands:\n"
	"  run WORKLOAD.json...                  simulate; the word run may be left "
	"out\n"
	"  compare RESULT.json RESULT.json...    what differs between results\n"
	"  check WORKLOAD.json --against RESULT.json\n"
	"                                        repeat a result's runs, for CI\n"
	"  list policies|features|tunables|machines|metrics|limits|kernels|costs\n"
	"  validate WORKLOAD.json...             read workloads without running them\n"
	"schedsim COMMAND --help says more of each.";

static const char notes[] =
	"POLICY is [LABEL=]NAME[:SETTING,...][+NAME[:SETTING,...]], a wakeup policy, "
	"a\n"
	"rebuild policy (of cpusets) or both, of schedsim list policies; a SETTING is\n"
	"one of the policy's own, a kernel tunable (wakeup_granularity_ns=2000000),\n"
	"[NO_]FEATURE, a cost (wakeup_ipi_ns=2000), costs=none, or costs=50% of what\n"
	"each is:\n"
	"  --policy baseline --policy late=sis_short:idle_arm=0,NO_WA_WEIGHT\n"
	"  --policy baseline --policy exact=baseline:costs=none\n"
	"  --policy rebuild_v5_4 --policy sis_short+rebuild_v6_5\n"
	"Without --policy, baseline and sis_short stand side by side.\n"
	"Times carry their unit: 250us, 10ms, 2s.\n"
	"\n"
	"Exit status: 0 done; 2 unusable arguments or input; 3 schedsim itself "
	"failed.\n"
	"The manual page, schedsim(1), says the rest; workloads/README.md of the "
	"source,\n"
	"installed beside other documentation, what a workload may say: machine, "
	"tasks,\n"
	"requests, control groups, CPUs that go off.";

/* Values */

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

static bool check_once(const struct words *w, GError **error)
{
	const struct {
		const char *option;
		char **given;
	} options[] = {
		{"--seed", w->seed},           {"--runs", w->runs},
		{"--jobs", w->threads},        {"--duration", w->duration},
		{"--warmup", w->warmup},       {"--machine", w->machine},
		{"--format", w->format},       {"--output", w->output},
		{"--decisions", w->decisions}, {"--rtapp-logs", w->rtapp_logs},
		{"--against", w->against},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(options); i++)
		if (options[i].given && options[i].given[1]) {
			g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
				    "%s: expected it once, got \"%s\" and \"%s\"",
				    options[i].option, options[i].given[0],
				    options[i].given[1]);
			return false;
		}
	return true;
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

static bool refuse_later(const struct words *w, GError **error)
{
	const char *option = w->html ? "--html" : w->trace ? "--trace" : NULL;

	if (!option)
		return true;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_UNSUPPORTED,
		    "%s: not available yet", option);
	return false;
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
	if (!refuse_later(w, error) || !check_once(w, error) ||
	    !read_numbers(w, o, error) ||
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
			    "list: expected %s, got nothing",
			    commands[o->command].args);
	else if (!nr)
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "%s: expected a workload file, got none; see --help",
			    commands[o->command].name);
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

/* GOption */

/* Which commands know an option. */
enum {
	RUN = 1 << COMMAND_RUN,
	COMPARE = 1 << COMMAND_COMPARE,
	CHECK = 1 << COMMAND_CHECK,
	LIST = 1 << COMMAND_LIST,
	VALIDATE = 1 << COMMAND_VALIDATE
};

/* Every word is ARG_FILENAME: bytes as they came, whatever the locale. */
static void add_entries(GOptionContext *context, enum command command, struct words *w)
{
	const struct {
		unsigned known_to;
		GOptionEntry entry;
	} all[] = {
		{RUN,
		 {"policy", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->policies,
		  "a column of the table; may be given again", "POLICY"}},
		{RUN,
		 {"seed", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->seed,
		  "of the random numbers; default 1", "N"}},
		{RUN,
		 {"runs", 'r', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->runs,
		  "with N seeds, paired across policies; default 1", "N"}},
		{RUN | CHECK,
		 {"jobs", 'j', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->threads,
		  "simulations at a time; results do not depend on it", "N"}},
		{RUN | VALIDATE,
		 {"duration", 'd', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->duration,
		  "what is measured, in place of the workload's", "TIME"}},
		{RUN | VALIDATE,
		 {"warmup", 'w', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->warmup,
		  "what comes before, in place of the workload's", "TIME"}},
		{RUN | VALIDATE,
		 {"machine", 'm', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->machine,
		  "in place of the workload's; a name, 1n2l4c2t or a file", "MACHINE"}},
		{RUN | VALIDATE,
		 {"param", 'P', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->params,
		  "sets a parameter, or runs each step of FROM..TO:STEPS",
		  "NAME=VALUE"}},
		{RUN,
		 {"format", 'f', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->format,
		  "of what is printed: text (default), json or csv", "FORMAT"}},
		{RUN,
		 {"output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->output,
		  "also writes the result there, as JSON; as CSV if it ends in .csv",
		  "FILE"}},
		{RUN,
		 {"decisions", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w->decisions,
		  "a line of JSON for each wakeup", "FILE"}},
		{RUN,
		 {"rtapp-logs", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w->rtapp_logs,
		  "logs there as rt-app does, a file for each thread", "DIR"}},
		{RUN,
		 {"check", 0, 0, G_OPTION_ARG_NONE, &w->invariants,
		  "checks after each event what must hold of the scheduler (slow)",
		  NULL}},
		{RUN,
		 {"html", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME_ARRAY,
		  &w->html, NULL, NULL}},
		{RUN,
		 {"trace", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME_ARRAY,
		  &w->trace, NULL, NULL}},
		{CHECK,
		 {"against", 'a', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->against,
		  "the result to repeat", "RESULT.json"}},
		{CHECK,
		 {"limit", 'l', 0, G_OPTION_ARG_FILENAME_ARRAY, &w->limits,
		  "judges by METRIC alone, which may get worse by so much",
		  "METRIC:+5%,50us"}},
		{RUN,
		 {"version", 0, 0, G_OPTION_ARG_NONE, &w->version, "prints the version",
		  NULL}},
		{RUN | COMPARE | CHECK | LIST | VALIDATE,
		 {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &w->rest, NULL,
		  NULL}},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
		GOptionEntry entries[2] = {all[i].entry, {0}};

		if (all[i].known_to & 1U << command)
			g_option_context_add_main_entries(context, entries, NULL);
	}
}

static GOptionContext *context_new(enum command command, bool named, struct words *w)
{
	GOptionContext *context = g_option_context_new(commands[command].args);

	g_option_context_set_summary(context,
				     named ? commands[command].summary : intro);
	if (command == COMMAND_RUN)
		g_option_context_set_description(context, notes);
	g_option_context_set_help_enabled(context, FALSE);
	add_entries(context, command, w);
	return context;
}

static void words_clear(struct words *w)
{
	g_strfreev(w->policies);
	g_strfreev(w->params);
	g_strfreev(w->limits);
	g_strfreev(w->rest);
	g_strfreev(w->seed);
	g_strfreev(w->runs);
	g_strfreev(w->threads);
	g_strfreev(w->duration);
	g_strfreev(w->warmup);
	g_strfreev(w->machine);
	g_strfreev(w->output);
	g_strfreev(w->format);
	g_strfreev(w->decisions);
	g_strfreev(w->rtapp_logs);
	g_strfreev(w->against);
	g_strfreev(w->html);
	g_strfreev(w->trace);
}

/* The command that the first word names; run where it is none. */
static enum command command_of(char **args, bool *named)
{
	*named = true;
	for (gsize i = 0; args[0] && args[1] && i < G_N_ELEMENTS(commands); i++)
		if (!strcmp(args[1], commands[i].name))
			return commands[i].command;
	*named = false;
	return COMMAND_RUN;
}

bool options_ask_for_check(char **args)
{
	bool named;

	return command_of(args, &named) == COMMAND_CHECK;
}

/* Whether help is asked for before any "--". */
static bool asks_for_help(char **args)
{
	for (int i = 1; args[0] && args[i] && strcmp(args[i], "--"); i++)
		if (!strcmp(args[i], "--help") || !strcmp(args[i], "-h"))
			return true;
	return false;
}

static bool refuse_import(char **args, GError **error)
{
	if (!args[0] || !args[1] || strcmp(args[1], "import"))
		return true;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_UNSUPPORTED,
		    "import: not available yet");
	return false;
}

/* Whether @word is a short option, all of which take a value, with it: "-j4". */
static bool has_value_attached(const char *word)
{
	return word[0] == '-' && g_ascii_isalpha(word[1]) && word[2];
}

/* @args with "-j4" as "-j" "4", which is all that GOption reads.  (transfer full) */
static char **split_short_options(char **args)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	bool options = true;

	for (int i = 0; args[i]; i++) {
		options = options && strcmp(args[i], "--");
		if (!options || !has_value_attached(args[i])) {
			g_ptr_array_add(words, g_strdup(args[i]));
			continue;
		}
		g_ptr_array_add(words, g_strndup(args[i], 2));
		g_ptr_array_add(words, g_strdup(args[i] + 2));
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

/* As all other messages do. */
static void begin_in_lower_case(GError **error)
{
	if (error && *error)
		*(*error)->message = g_ascii_tolower(*(*error)->message);
}

static bool parse(char **args, struct options *o, struct words *w, GError **error)
{
	bool named;
	enum command command = command_of(args, &named);
	g_autoptr(GOptionContext) context = context_new(command, named, w);
	g_autofree char *program = NULL;
	g_auto(GStrv) words = split_short_options(args + (named ? 1 : 0));

	o->command = command;
	if (named) {
		program = g_strdup_printf("schedsim %s", commands[command].name);
		g_free(words[0]);
		words[0] = g_strdup(program);
	}
	if (asks_for_help(args)) {
		g_set_prgname(named ? program : "schedsim");
		o->text = g_option_context_get_help(context, TRUE, NULL);
		o->command = COMMAND_HELP;
		return true;
	}
	if (!g_option_context_parse_strv(context, &words, error)) {
		begin_in_lower_case(error);
		return false;
	}
	if (w->version) {
		o->text = g_strdup("schedsim " SCHEDSIM_VERSION "\n");
		o->command = COMMAND_HELP;
		return true;
	}
	return read_words(w, o, error) && check_needs(o, error);
}

bool options_read(char **args, struct options *out, GError **error)
{
	struct options o = {0};
	struct words w = {0};
	bool ok;

	if (!refuse_import(args, error))
		return false;
	experiment_spec_init(&o.spec);
	ok = parse(args, &o, &w, error);
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
