/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scanner over the text, with a stack of open braces instead of recursion: it
 * knows what may come next and where it is, which cJSON could not say.
 */
#include "workload/dialect.h"

#include "schedsim/error.h"

#include <stdbool.h>
#include <string.h>

/* Far below cJSON's own limit of 1000; the grammar needs 8. */
#define NESTING_MAX 64
/* cJSON reads numbers through a buffer of 64 bytes. */
#define NUMBER_CHARS_MAX 40
/* Decimal digits that a double gives back unchanged.  source: DBL_DIG */
#define FRACTION_DIGITS_MAX 15
/* 2^53: beyond it a double skips integers. */
#define EXACT_MAX G_GUINT64_CONSTANT(9007199254740992)
#define EXACT_MAX_DIGITS 16

struct scanner {
	char *start; /* the copy that becomes the result */
	char *at, *end;
	char open[NESTING_MAX]; /* '{' or '[' */
	int depth;
	char *comma; /* the last one, while only blanks follow it */
};

static void place_of(const struct scanner *s, const char *at, guint *line,
		     guint *column)
{
	const char *line_start = s->start;

	*line = 1;
	for (const char *c = s->start; c < at; c++) {
		if (*c == '\n') {
			++*line;
			line_start = c + 1;
		}
	}
	*column = g_utf8_strlen(line_start, at - line_start) + 1;
}

static bool G_GNUC_PRINTF(5, 6) fail(const struct scanner *s, const char *at, int code,
				     GError **error, const char *format, ...)
{
	g_autofree char *message = NULL;
	guint line, column;
	va_list args;

	va_start(args, format);
	message = g_strdup_vprintf(format, args);
	va_end(args);
	place_of(s, at, &line, &column);
	g_set_error(error, INPUT_ERROR, code, "line %u, column %u: %s", line, column,
		    message);
	return false;
}

/* What stands at @at, for "got ...".  (transfer full) */
static char *text_at(const struct scanner *s, const char *at)
{
	gunichar c;

	if (at >= s->end)
		return g_strdup("the end of the file");
	c = g_utf8_get_char(at);
	if (c == '\n')
		return g_strdup("the end of the line");
	if (!g_unichar_isprint(c))
		return g_strdup_printf("character U+%04X", c);
	return g_strdup_printf("'%.*s'", (int)(g_utf8_next_char(at) - at), at);
}

static bool expected(const struct scanner *s, const char *what, GError **error)
{
	g_autofree char *got = text_at(s, s->at);

	return fail(s, s->at, INPUT_ERROR_SYNTAX, error, "expected %s, got %s", what,
		    got);
}

static void blank(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\n')
			*from = ' ';
}

static bool skip_block_comment(struct scanner *s, GError **error)
{
	char *close = g_strstr_len(s->at + 2, s->end - s->at - 2, "*/");

	if (!close)
		return fail(s, s->at, INPUT_ERROR_SYNTAX, error,
			    "expected \"*/\" to end this comment, got the end of the "
			    "file");
	blank(s->at, close + 2);
	s->at = close + 2;
	return true;
}

static void skip_line_comment(struct scanner *s)
{
	char *newline = memchr(s->at, '\n', s->end - s->at);
	char *close = newline ? newline : s->end;

	blank(s->at, close);
	s->at = close;
}

static bool skip_blanks(struct scanner *s, GError **error)
{
	while (s->at < s->end) {
		if (strchr(" \t\r\n", *s->at))
			s->at++;
		else if (s->end - s->at >= 2 && s->at[0] == '/' && s->at[1] == '/')
			skip_line_comment(s);
		else if (s->end - s->at < 2 || s->at[0] != '/' || s->at[1] != '*')
			break;
		else if (!skip_block_comment(s, error))
			return false;
	}
	return true;
}

static int hex_digits(const char *at, const char *end)
{
	int value = 0;

	for (int i = 0; i < 4; i++) {
		if (at + i >= end || !g_ascii_isxdigit(at[i]))
			return -1;
		value = value * 16 + g_ascii_xdigit_value(at[i]);
	}
	return value;
}

/* At the 'u' of an escape; moves behind it. */
static bool scan_unicode(struct scanner *s, GError **error)
{
	int high = hex_digits(s->at + 1, s->end);
	int low;

	if (high <= 0)
		return fail(s, s->at - 1, INPUT_ERROR_SYNTAX, error,
			    "expected \\u and four hexadecimal digits other than 0000");
	s->at += 5;
	if (high < 0xd800 || high > 0xdfff)
		return true;
	low = s->end - s->at >= 6 && s->at[0] == '\\' && s->at[1] == 'u'
		      ? hex_digits(s->at + 2, s->end)
		      : -1;
	if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return fail(s, s->at - 6, INPUT_ERROR_SYNTAX, error,
			    "expected a pair of surrogates, got half of one");
	s->at += 6;
	return true;
}

static bool scan_escape(struct scanner *s, GError **error)
{
	s->at++;
	if (s->at < s->end && *s->at == 'u')
		return scan_unicode(s, error);
	if (s->at >= s->end || !strchr("\"\\/bfnrt", *s->at))
		return expected(s, "an escape of JSON after '\\'", error);
	s->at++;
	return true;
}

static bool scan_string(struct scanner *s, GError **error)
{
	const char *open = s->at++;

	while (s->at < s->end && *s->at != '"') {
		if ((unsigned char)*s->at < 0x20)
			return expected(s, "'\"' to end this string", error);
		if (*s->at != '\\')
			s->at++;
		else if (!scan_escape(s, error))
			return false;
	}
	if (s->at >= s->end)
		return fail(s, open, INPUT_ERROR_SYNTAX, error,
			    "expected '\"' to end this string, got the end of the "
			    "file");
	s->at++;
	return true;
}

static gsize scan_digits(struct scanner *s)
{
	const char *from = s->at;

	while (s->at < s->end && g_ascii_isdigit(*s->at))
		s->at++;
	return s->at - from;
}

static bool integer_is_exact(const char *digits, gsize count)
{
	guint64 value = 0;

	if (count > EXACT_MAX_DIGITS)
		return false;
	for (gsize i = 0; i < count; i++)
		value = value * 10 + g_ascii_digit_value(digits[i]);
	return value <= EXACT_MAX;
}

/* Whether a double gives the digits back that stand in @text. */
static bool fraction_is_exact(const char *text, gsize count)
{
	g_autofree char *copy = g_strndup(text, count);
	double value = ABS(g_ascii_strtod(copy, NULL));
	gsize digits = 0;

	for (const char *c = copy; *c && *c != 'e' && *c != 'E'; c++)
		if (g_ascii_isdigit(*c) && (digits || *c != '0'))
			digits++;
	if (!digits)
		return true;
	return digits <= FRACTION_DIGITS_MAX && value <= (double)EXACT_MAX &&
	       value >= 1e-18;
}

static bool check_number(const struct scanner *s, const char *from, bool whole,
			 GError **error)
{
	gsize count = s->at - from;
	const char *digits = from + (*from == '-');

	if (count > NUMBER_CHARS_MAX)
		return fail(s, from, INPUT_ERROR_VALUE, error,
			    "expected a number of at most %d characters, got "
			    "%" G_GSIZE_FORMAT,
			    NUMBER_CHARS_MAX, count);
	if (whole && !integer_is_exact(digits, s->at - digits))
		return fail(s, from, INPUT_ERROR_VALUE, error,
			    "expected a number of at most 2^53, got %.*s", (int)count,
			    from);
	if (!whole && !fraction_is_exact(digits, s->at - digits))
		return fail(s, from, INPUT_ERROR_VALUE, error,
			    "expected a number of at most %d digits between 10^-18 and "
			    "2^53, got %.*s",
			    FRACTION_DIGITS_MAX, (int)count, from);
	return true;
}

static bool scan_number(struct scanner *s, GError **error)
{
	const char *from = s->at;
	const char *digits;
	bool whole = true;

	if (*s->at == '-')
		s->at++;
	digits = s->at;
	if (!scan_digits(s))
		return expected(s, "a digit", error);
	if (*digits == '0' && s->at - digits > 1)
		return fail(s, from, INPUT_ERROR_SYNTAX, error,
			    "expected a number without leading zeros, got %.*s",
			    (int)(s->at - from), from);
	if (s->at < s->end && *s->at == '.') {
		whole = false;
		s->at++;
		if (!scan_digits(s))
			return expected(s, "a digit after the point", error);
	}
	if (s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
		whole = false;
		s->at++;
		if (s->at < s->end && (*s->at == '-' || *s->at == '+'))
			s->at++;
		if (!scan_digits(s))
			return expected(s, "a digit of the exponent", error);
	}
	return check_number(s, from, whole, error);
}

/* json-c takes them in any case, and rt-app's manual writes "False". */
static bool scan_word(struct scanner *s, GError **error)
{
	static const char *const words[] = {"true", "false", "null"};

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
		gsize length = strlen(words[i]);

		if ((gsize)(s->end - s->at) < length ||
		    g_ascii_strncasecmp(s->at, words[i], length))
			continue;
		memcpy(s->at, words[i], length);
		s->at += length;
		return true;
	}
	return expected(s, "a value", error);
}

static bool scan_open(struct scanner *s, GError **error)
{
	if (s->depth == NESTING_MAX)
		return fail(s, s->at, INPUT_ERROR_SYNTAX, error,
			    "expected at most %d levels of braces, got one more",
			    NESTING_MAX);
	s->open[s->depth++] = *s->at++;
	return true;
}

/* A scalar, or the opening of an object or array. */
static bool scan_value(struct scanner *s, bool *opened, GError **error)
{
	char c = s->at < s->end ? *s->at : '\0';

	*opened = c == '{' || c == '[';
	if (*opened)
		return scan_open(s, error);
	if (c == '"')
		return scan_string(s, error);
	if (c == '-' || g_ascii_isdigit(c))
		return scan_number(s, error);
	return scan_word(s, error);
}

static bool scan_key(struct scanner *s, GError **error)
{
	const char *key = s->at;
	g_autofree char *what = NULL;

	if (s->at >= s->end || *s->at != '"')
		return expected(s, "a key in double quotes or '}'", error);
	if (!scan_string(s, error))
		return false;
	what = g_strdup_printf("':' and a value after the key %.*s", (int)(s->at - key),
			       key);
	if (!skip_blanks(s, error))
		return false;
	if (s->at >= s->end || *s->at != ':')
		return expected(s, what, error);
	s->at++;
	return skip_blanks(s, error);
}

static bool at_close(const struct scanner *s)
{
	char close = s->open[s->depth - 1] == '{' ? '}' : ']';

	return s->at < s->end && *s->at == close;
}

/* Behind a value: closes what ends here and stops where a member may come. */
static bool scan_after_value(struct scanner *s, GError **error)
{
	while (s->depth) {
		if (!skip_blanks(s, error))
			return false;
		if (s->at < s->end && *s->at == ',') {
			s->comma = s->at++;
			return skip_blanks(s, error);
		}
		if (!at_close(s))
			return expected(s,
					s->open[s->depth - 1] == '{' ? "',' or '}'"
								     : "',' or ']'",
					error);
		s->at++;
		s->depth--;
	}
	return true;
}

/* Where a member may come: at the closing brace, a comma before it is no comma. */
static bool scan_member(struct scanner *s, GError **error)
{
	bool opened;

	if (at_close(s)) {
		if (s->comma)
			*s->comma = ' ';
		s->comma = NULL;
		s->at++;
		s->depth--;
		return scan_after_value(s, error);
	}
	s->comma = NULL;
	if (s->open[s->depth - 1] == '{' && !scan_key(s, error))
		return false;
	if (!scan_value(s, &opened, error))
		return false;
	return opened ? skip_blanks(s, error) : scan_after_value(s, error);
}

static bool scan_document(struct scanner *s, GError **error)
{
	if (!skip_blanks(s, error))
		return false;
	if (s->at >= s->end || *s->at != '{')
		return expected(s, "'{'", error);
	if (!scan_open(s, error) || !skip_blanks(s, error))
		return false;
	while (s->depth)
		if (!scan_member(s, error))
			return false;
	if (!skip_blanks(s, error))
		return false;
	return s->at == s->end || expected(s, "the end of the file", error);
}

char *dialect_to_json(const char *text, gsize length, GError **error)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";
	gsize skip = length >= 3 && !memcmp(text, byte_order_mark, 3) ? 3 : 0;
	g_autofree char *copy = g_strndup(text + skip, length - skip);
	struct scanner s = {.start = copy, .at = copy};
	const char *bad;

	s.end = copy + length - skip;
	if (!g_utf8_validate_len(text + skip, length - skip, &bad)) {
		s.at = copy + (bad - text - skip);
		fail(&s, s.at, INPUT_ERROR_SYNTAX, error,
		     "expected UTF-8, got byte 0x%02x", (unsigned char)*bad);
		return NULL;
	}
	if (!scan_document(&s, error))
		return NULL;
	return g_steal_pointer(&copy);
}
