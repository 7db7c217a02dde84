/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of measured figures: what to run for each row, what a real kernel did,
 * how far off a simulation may be, and why it is where it is.
 */
#ifndef ORACLE_COMPARE_ROWS_H
#define ORACLE_COMPARE_ROWS_H

#include <glib.h>
#include <stdbool.h>

/* A line of runs.tsv: how a workload of the recording is simulated. */
struct compare_run {
	char *row;      /* owned; its name in the recording */
	char *workload; /* owned; workloads/NAME.json */
	char **params;  /* owned; as --param takes them */
	char *settings; /* owned; of every policy; NULL: none */
	unsigned seeds;
	double seconds; /* measured; 0: the workload has an end of its own */
};

enum tolerance_kind {
	TOLERANCE_NONE,    /* "-": none was given */
	TOLERANCE_UNASKED, /* "not": not to be compared */
	TOLERANCE_SHARE,   /* "20%": of the real median */
	TOLERANCE_FACTOR,  /* "x2": at most twice and at least half of it */
	TOLERANCE_RANGE,   /* "0.28..0.37": itself within these */
};

struct compare_tolerance {
	enum tolerance_kind kind;
	double low, high; /* TOLERANCE_RANGE; @high alone of SHARE and FACTOR */
};

/* A line of rows.tsv: one figure of one row. */
struct compare_row {
	char *row;      /* owned */
	char *machine;  /* owned; as the recording names it: s1c2 */
	char *features; /* owned; base, v5, v5w, w; two with a slash: their ratio */
	char *metric;   /* owned; as printed */
	char *figure;   /* owned; schedsim's: A, A/B, A/s, A-B/C-D; *FACTOR behind */
	char *unit;     /* owned */
	double median, min, max; /* measured */
	char *tolerance_text;    /* owned */
	struct compare_tolerance tolerance;
	char *expected; /* owned; "met" is asserted */
	char *reason;   /* owned; a key of reasons.tsv */
};

struct compare_reason {
	char *key, *text; /* owned */
};

struct compare_tables {
	GArray *runs;    /* of struct compare_run; owned */
	GArray *rows;    /* of struct compare_row; owned */
	GArray *reasons; /* of struct compare_reason; owned */
};

/* Reads the tables of @folder; a mistake in them ends the program. */
void compare_tables_read(const char *folder, struct compare_tables *out);
void compare_tables_clear(struct compare_tables *t);

/* NULL: none of that name. */
const struct compare_run *compare_run_find(const struct compare_tables *t,
					   const char *row);

#endif
