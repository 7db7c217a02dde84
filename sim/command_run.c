/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an experiment and hands it to the writers.
 */
#include "commands.h"

#include "report/output_file.h"
#include "report/writers.h"

#include <sys/resource.h>

static char *report_in(const experiment *e, enum report_format format)
{
	switch (format) {
	case FORMAT_JSON:
		return json_report(e);
	case FORMAT_CSV:
		return csv_report(e);
	case FORMAT_TEXT:
		break;
	}
	return text_report(e);
}

static bool write_output(const experiment *e, const char *path, output_file *file,
			 GError **error)
{
	bool csv = g_str_has_suffix(path, ".csv");
	g_autofree char *text = report_in(e, csv ? FORMAT_CSV : FORMAT_JSON);

	fputs(text, output_file_stream(file));
	return output_file_commit(file, error);
}

/* The log of each thread is open until its run ends. */
static void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

bool command_run(struct options *o, GError **error)
{
	struct experiment_options options = {
		.threads = o->threads,
		.invariants = o->invariants,
		.decisions = o->decisions,
		.rtapp_logs = o->rtapp_logs,
		.output = o->output,
		.progress = show_progress,
	};
	g_autoptr(output_file) file = NULL;
	g_autoptr(experiment) e = NULL;
	g_autofree char *text = NULL;

	if (o->rtapp_logs)
		allow_many_files();
	/* before the work, so that a place that cannot be written is known at once */
	if (o->output && !(file = output_file_open(o->output, error)))
		return false;
	e = experiment_run(&o->spec, &options, error);
	if (!e || (file && !write_output(e, o->output, file, error)))
		return false;
	text = report_in(e, o->format);
	return print_text(text, error);
}
