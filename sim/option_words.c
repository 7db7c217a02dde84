/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GOption splits the command line into words; a command knows only the options that
 * mean something to it.
 */
#include "option_words.h"

#include "schedsim/error.h"

#include <string.h>

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

/* Which commands know an option. */
enum {
	RUN = 1 << COMMAND_RUN,
	COMPARE = 1 << COMMAND_COMPARE,
	CHECK = 1 << COMMAND_CHECK,
	LIST = 1 << COMMAND_LIST,
	VALIDATE = 1 << COMMAND_VALIDATE
};

/* Of an option: not to be given again.  Others collect what they are given. */
#define ONCE (1 << 8)

/* What is given to an option; ARG_FILENAME: bytes as they came, whatever the locale. */
#define VALUES(member, name, letter, flags, help, value)                               \
	offsetof(struct words, member),                                                \
	{                                                                              \
		name, letter, flags, G_OPTION_ARG_FILENAME_ARRAY, NULL, help, value    \
	}
#define SWITCH(member, name, help)                                                     \
	offsetof(struct words, member),                                                \
	{                                                                              \
		name, 0, 0, G_OPTION_ARG_NONE, NULL, help, NULL                        \
	}

static const struct {
	unsigned known_to; /* with ONCE or not */
	gsize member;      /* of struct words */
	GOptionEntry entry;
} options[] = {
	{RUN, VALUES(policies, "policy", 'p', 0,
		     "a column of the table; may be given again", "POLICY")},
	{RUN | ONCE,
	 VALUES(seed, "seed", 's', 0, "of the random numbers; default 1", "N")},
	{RUN | ONCE, VALUES(runs, "runs", 'r', 0,
			    "with N seeds, paired across policies; default 1", "N")},
	{RUN | CHECK | ONCE,
	 VALUES(threads, "jobs", 'j', 0,
		"simulations at a time; results do not depend on it", "N")},
	{RUN | VALIDATE | ONCE,
	 VALUES(duration, "duration", 'd', 0,
		"what is measured, in place of the workload's", "TIME")},
	{RUN | VALIDATE | ONCE,
	 VALUES(warmup, "warmup", 'w', 0,
		"what comes before, in place of the workload's", "TIME")},
	{RUN | VALIDATE | ONCE,
	 VALUES(machine, "machine", 'm', 0,
		"in place of the workload's; a name, 1n2l4c2t or a file", "MACHINE")},
	{RUN | VALIDATE,
	 VALUES(params, "param", 'P', 0,
		"sets a parameter, or runs each step of FROM..TO:STEPS", "NAME=VALUE")},
	{RUN | ONCE,
	 VALUES(format, "format", 'f', 0,
		"of what is printed: text (default), json or csv", "FORMAT")},
	{RUN | ONCE,
	 VALUES(output, "output", 'o', 0,
		"also writes the result there, as JSON; as CSV if it ends in .csv",
		"FILE")},
	{RUN | ONCE, VALUES(decisions, "decisions", 0, 0,
			    "a line of JSON for each wakeup", "FILE")},
	{RUN | ONCE,
	 VALUES(rtapp_logs, "rtapp-logs", 0, 0,
		"logs there as rt-app does, a file for each thread", "DIR")},
	{RUN, SWITCH(invariants, "check",
		     "checks after each event what must hold of the scheduler (slow)")},
	{RUN, VALUES(html, "html", 0, G_OPTION_FLAG_HIDDEN, NULL, NULL)},
	{RUN, VALUES(trace, "trace", 0, G_OPTION_FLAG_HIDDEN, NULL, NULL)},
	{CHECK | ONCE,
	 VALUES(against, "against", 'a', 0, "the result to repeat", "RESULT.json")},
	{CHECK, VALUES(limits, "limit", 'l', 0,
		       "judges by METRIC alone, which may get worse by so much",
		       "METRIC:+5%,50us")},
	{RUN, SWITCH(version, "version", "prints the version")},
	{RUN | COMPARE | CHECK | LIST | VALIDATE,
	 VALUES(rest, G_OPTION_REMAINING, 0, 0, NULL, NULL)},
};

const char *command_name(enum command command)
{
	return commands[command].name;
}

const char *command_args(enum command command)
{
	return commands[command].args;
}

static char ***values_of(struct words *w, gsize i)
{
	return G_STRUCT_MEMBER_P(w, options[i].member);
}

static void add_entries(GOptionContext *context, enum command command, struct words *w)
{
	for (gsize i = 0; i < G_N_ELEMENTS(options); i++) {
		GOptionEntry entries[2] = {options[i].entry, {0}};

		entries[0].arg_data = G_STRUCT_MEMBER_P(w, options[i].member);
		if (options[i].known_to & 1U << command)
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

static bool check_once(struct words *w, GError **error)
{
	for (gsize i = 0; i < G_N_ELEMENTS(options); i++) {
		char **given = options[i].known_to & ONCE ? *values_of(w, i) : NULL;

		if (!given || !given[1])
			continue;
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "--%s: expected it once, got \"%s\" and \"%s\"",
			    options[i].entry.long_name, given[0], given[1]);
		return false;
	}
	return true;
}

void words_clear(struct words *w)
{
	for (gsize i = 0; i < G_N_ELEMENTS(options); i++)
		if (options[i].entry.arg == G_OPTION_ARG_FILENAME_ARRAY)
			g_strfreev(*values_of(w, i));
	memset(w, 0, sizeof(*w));
}

/* The command that the first word names; run where it is none. */
static enum command find_command(char **args, bool *named)
{
	*named = true;
	for (gsize i = 0; args[0] && args[1] && i < G_N_ELEMENTS(commands); i++)
		if (!strcmp(args[1], commands[i].name))
			return commands[i].command;
	*named = false;
	return COMMAND_RUN;
}

enum command command_of(char **args)
{
	bool named;

	return find_command(args, &named);
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
	bool before_end = true;

	for (int i = 0; args[i]; i++) {
		before_end = before_end && strcmp(args[i], "--");
		if (!before_end || !has_value_attached(args[i])) {
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

static bool refuse_later(const struct words *w, GError **error)
{
	const char *option = w->html ? "--html" : w->trace ? "--trace" : NULL;

	if (!option)
		return true;
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_UNSUPPORTED,
		    "%s: not available yet", option);
	return false;
}

/* The words after the program's, which then has the name of the command too. */
static char **words_of_command(char **args, enum command command, bool named)
{
	char **words = split_short_options(args + (named ? 1 : 0));

	if (named) {
		g_free(words[0]);
		words[0] = g_strdup_printf("schedsim %s", commands[command].name);
	}
	return words;
}

bool words_parse(char **args, enum command *command, char **text, struct words *w,
		 GError **error)
{
	bool named;
	enum command asked = find_command(args, &named);
	g_autoptr(GOptionContext) context = context_new(asked, named, w);
	g_auto(GStrv) words = words_of_command(args, asked, named);

	if (!refuse_import(args, error))
		return false;
	*command = asked;
	if (asks_for_help(args)) {
		g_set_prgname(named ? words[0] : "schedsim");
		*text = g_option_context_get_help(context, TRUE, NULL);
		*command = COMMAND_HELP;
		return true;
	}
	if (!g_option_context_parse_strv(context, &words, error)) {
		begin_in_lower_case(error);
		return false;
	}
	if (w->version) {
		*text = g_strdup("schedsim " SCHEDSIM_VERSION "\n");
		*command = COMMAND_HELP;
		return true;
	}
	return refuse_later(w, error) && check_once(w, error);
}
