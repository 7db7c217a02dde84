/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recorded arrivals, line by line, so that a long record needs no memory.
 */
#include "workload/arrivals.h"

#include "schedsim/error.h"

#include <cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond it cJSON's numbers, which are doubles, have gaps. */
#define NUMBER_MAX (1ULL << 53)
/* Of what a message quotes. */
#define SHOWN_BYTES_MAX 60

struct arrivals {
	char *path; /* owned */
	FILE *file; /* owned */
	char *line; /* owned, by getline() */
	size_t size;
	unsigned line_nr;
	uint64_t last_ns;
	enum arrival_values values;
	char *value; /* owned; of the last line */
};

arrivals *arrivals_open(const char *path, enum arrival_values values, GError **error)
{
	FILE *file = fopen(path, "r");
	arrivals *a;

	if (!file) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_FILE,
			    "%s: expected a file of arrivals, got: %s", path,
			    g_strerror(errno));
		return NULL;
	}
	a = g_new0(arrivals, 1);
	a->path = g_strdup(path);
	a->file = file;
	a->values = values;
	return a;
}

void arrivals_close(arrivals *a)
{
	if (!a)
		return;
	fclose(a->file);
	free(a->line);
	g_free(a->value);
	g_free(a->path);
	g_free(a);
}

G_GNUC_PRINTF(3, 4)
static bool refuse(const arrivals *a, GError **error, const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list args;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE, "%s:%u: %s", a->path,
		    a->line_nr, what);
	return false;
}

static bool read_number(const arrivals *a, const cJSON *item, uint64_t *out,
			GError **error)
{
	double number = cJSON_IsNumber(item) ? item->valuedouble : -1;

	if (number >= 0 && number <= (double)NUMBER_MAX &&
	    number == (double)(uint64_t)number) {
		*out = (uint64_t)number;
		return true;
	}
	g_autofree char *text = cJSON_PrintUnformatted(item);

	return refuse(a, error, "%s: expected a whole number up to 2^53, got %.*s",
		      item->string, SHOWN_BYTES_MAX, text);
}

/* A number is written as it is. */
static bool read_value(arrivals *a, const cJSON *item, struct arrival *out,
		       GError **error)
{
	uint64_t number = 0;

	g_free(a->value);
	a->value = NULL;
	if (cJSON_IsString(item))
		a->value = g_strdup(item->valuestring);
	else if (read_number(a, item, &number, error))
		a->value = g_strdup_printf("%" G_GUINT64_FORMAT, number);
	out->value = a->value;
	return a->value;
}

static bool read_member(arrivals *a, const cJSON *item, struct arrival *out,
			GError **error)
{
	if (!strcmp(item->string, "at_ns"))
		return read_number(a, item, &out->at_ns, error);
	if (!strcmp(item->string, "count"))
		return read_number(a, item, &out->count, error);
	if (!strcmp(item->string, "value") && a->values != ARRIVALS_WITHOUT_VALUES)
		return read_value(a, item, out, error);
	return refuse(a, error, "expected \"at_ns\"%s or \"%s\", got \"%.*s\"",
		      a->values != ARRIVALS_WITHOUT_VALUES ? ", \"count\"" : "",
		      a->values != ARRIVALS_WITHOUT_VALUES ? "value" : "count",
		      SHOWN_BYTES_MAX, item->string);
}

static bool read_object(arrivals *a, const cJSON *object, struct arrival *out,
			GError **error)
{
	struct arrival arrival = {.at_ns = UINT64_MAX, .count = 1};
	const cJSON *item;

	if (!cJSON_IsObject(object))
		return refuse(a, error, "expected an object with \"at_ns\", got: %.*s",
			      SHOWN_BYTES_MAX, g_strchomp(a->line));
	cJSON_ArrayForEach (item, object) {
		if (cJSON_GetObjectItemCaseSensitive(object, item->string) != item)
			return refuse(a, error, "expected \"%s\" once, got it again",
				      item->string);
		if (!read_member(a, item, &arrival, error))
			return false;
	}
	if (arrival.at_ns == UINT64_MAX)
		return refuse(a, error, "expected \"at_ns\", got none");
	if (!arrival.value && a->values == ARRIVALS_NEED_VALUES)
		return refuse(a, error, "expected \"value\", got none");
	if (!arrival.count)
		return refuse(a, error, "count: expected at least 1, got 0");
	if (arrival.at_ns < a->last_ns)
		return refuse(a, error,
			      "at_ns: expected at least %" G_GUINT64_FORMAT
			      " of the line before, got %" G_GUINT64_FORMAT,
			      a->last_ns, arrival.at_ns);
	a->last_ns = arrival.at_ns;
	*out = arrival;
	return true;
}

/* False at the end of the file. */
static bool next_line(arrivals *a)
{
	while (getline(&a->line, &a->size, a->file) >= 0) {
		a->line_nr++;
		if (*a->line != '#' && a->line[strspn(a->line, " \t\r\n")])
			return true;
	}
	return false;
}

bool arrivals_next(arrivals *a, struct arrival *out, GError **error)
{
	cJSON *object;
	bool ok;

	if (!next_line(a)) {
		*out = (struct arrival){0};
		if (ferror(a->file))
			return refuse(a, error, "expected a line, got: %s",
				      g_strerror(errno));
		return true;
	}
	object = cJSON_ParseWithOpts(a->line, NULL, true);
	ok = read_object(a, object, out, error);
	cJSON_Delete(object);
	return ok;
}
