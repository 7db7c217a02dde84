/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repeats the runs of a result file and judges what comes out.
 */
#include "commands.h"

#include "report/check.h"
#include "report/result_file.h"
#include "schedsim/error.h"

static void clear_tolerance(gpointer t)
{
	tolerance_clear(t);
}

/* The --limit options, of struct tolerance; NULL with an error. */
static GArray *read_tolerances(char **limits, GError **error)
{
	g_autoptr(GArray) list = g_array_new(FALSE, TRUE, sizeof(struct tolerance));
	struct tolerance t;

	g_array_set_clear_func(list, clear_tolerance);
	for (int i = 0; limits && limits[i]; i++) {
		if (!tolerance_read(limits[i], &t, error)) {
			g_prefix_error(error, "--limit: ");
			return NULL;
		}
		g_array_append_val(list, t);
	}
	return g_steal_pointer(&list);
}

/* What the reference ran, on @workloads. */
static struct experiment_spec spec_of(const experiment *reference, char **workloads)
{
	const struct experiment_spec *from = &reference->spec;
	struct experiment_spec spec = *from;

	spec.workloads = g_strdupv(workloads);
	spec.policies = g_strdupv(from->policies);
	spec.params = g_array_ref(from->params);
	spec.machine = g_strdup(from->machine);
	return spec;
}

/* Before any simulation: files that differ are not worth the time. */
static bool inputs_match(const experiment *reference, char **workloads, GError **error)
{
	struct experiment_spec spec = spec_of(reference, workloads);
	g_autoptr(experiment) inputs = NULL;
	guint nr = g_strv_length(workloads);
	guint expected = g_strv_length(reference->spec.workloads);

	if (nr == expected)
		inputs = experiment_read(&spec, error);
	else
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected %u workloads as in the reference, got %u",
			    expected, nr);
	experiment_spec_clear(&spec);
	return inputs && check_comparable(reference, inputs, error);
}

static bool print_verdict(const struct options *o, const experiment *now, bool good,
			  const GString *differences, GError **error)
{
	g_autofree char *text =
		good ? g_strdup_printf("%s: %s in all %u runs\n", o->against,
				       o->limits ? "within the limits"
						 : "equal results",
				       experiment_nr_cells(now))
		     : g_strdup_printf("%s%s: %s\n", differences->str, o->against,
				       o->limits ? "a limit was passed"
						 : "results differ");

	return print_text(text, error);
}

bool command_check(struct options *o, bool *out_equal, GError **error)
{
	struct experiment_options options = {
		.threads = o->threads,
		.progress = show_progress,
	};
	g_autoptr(GArray) tolerances = read_tolerances(o->limits, error);
	g_autoptr(experiment) reference = NULL;
	g_autoptr(experiment) now = NULL;
	g_autoptr(GString) differences = g_string_new(NULL);
	struct experiment_spec spec;

	if (!tolerances || !(reference = result_read(o->against, error)))
		return false;
	if (!inputs_match(reference, o->args, error)) {
		g_prefix_error(error, "%s: ", o->against);
		return false;
	}
	spec = spec_of(reference, o->args);
	now = experiment_run(&spec, &options, error);
	experiment_spec_clear(&spec);
	if (!now)
		return false;
	if (!tolerances->len)
		*out_equal = check_equal(reference, now, differences);
	else if (!check_tolerances(reference, now, tolerances, differences, out_equal,
				   error))
		return false;
	return print_verdict(o, now, *out_equal, differences, error);
}
