/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recursive descent over the three rules of the grammar.
 */
#include "workload/expression.h"

#include "schedsim/error.h"
#include "schedsim/units.h"

#include <string.h>

#define PARENTHESES_MAX 32
/* Messages quote the whole text. */
#define TEXT_BYTES_MAX 1000

struct parser {
	const char *text; /* the whole expression */
	const char *at;
	int depth;
	quantity_lookup lookup;
	void *data;
	GError **error;
};

static const struct {
	const char *name;
	int64_t ns;
} units[] = {
	/* largest first; "s" last when parsing is settled by the longest match */
	{"s", NSEC_PER_SEC},
	{"ms", NSEC_PER_MSEC},
	{"us", NSEC_PER_USEC},
	{"ns", 1},
};

static bool parse_sum(struct parser *p, struct quantity *out);

static bool G_GNUC_PRINTF(2, 3) fail(struct parser *p, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list args;

	va_start(args, format);
	message = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(p->error, INPUT_ERROR, INPUT_ERROR_VALUE, "%s in \"%s\"", message,
		    p->text);
	return false;
}

static bool expected(struct parser *p, const char *what)
{
	if (!*p->at)
		return fail(p, "expected %s, got the end", what);
	return fail(p, "expected %s, got '%.*s'", what,
		    (int)(g_utf8_next_char(p->at) - p->at), p->at);
}

static void skip_blanks(struct parser *p)
{
	while (*p->at == ' ')
		p->at++;
}

static bool is_name_char(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* "10", "1.5" and the unit right behind it. */
static bool parse_number(struct parser *p, struct quantity *out)
{
	gsize count = strspn(p->at, "0123456789.");
	g_autofree char *digits = g_strndup(p->at, count);
	gsize unit = 0;

	if (strchr(digits, '.') != strrchr(digits, '.') ||
	    !g_ascii_isdigit(digits[count - 1]))
		return fail(p, "expected a number, got \"%s\"", digits);
	*out = (struct quantity){.time_power = 0};
	if (!rational_parse(digits, &out->value))
		return fail(p, "%s has too many digits", digits);
	p->at += count;
	while (is_name_char(p->at[unit]))
		unit++;
	if (!unit)
		return true;
	for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
		if (strlen(units[i].name) != unit ||
		    strncmp(units[i].name, p->at, unit))
			continue;
		p->at += unit;
		out->time_power = 1;
		return rational_mul(out->value, rational_of(units[i].ns),
				    &out->value) ||
		       fail(p, "%s%s is too long", digits, units[i].name);
	}
	return fail(p, "expected ns, us, ms or s after %s, got \"%.*s\"", digits,
		    (int)unit, p->at);
}

static bool parse_name(struct parser *p, struct quantity *out)
{
	const char *from = p->at;
	g_autofree char *name = NULL;
	const struct quantity *found;

	while (is_name_char(*p->at))
		p->at++;
	name = g_strndup(from, p->at - from);
	if (!p->lookup)
		return fail(p, "expected a number or a time, got \"%s\"", name);
	found = p->lookup(p->data, name, p->error);
	if (!found)
		return false;
	*out = *found;
	return true;
}

static bool parse_parentheses(struct parser *p, struct quantity *out)
{
	if (p->depth == PARENTHESES_MAX)
		return fail(p, "expected at most %d open parentheses", PARENTHESES_MAX);
	p->depth++;
	p->at++;
	if (!parse_sum(p, out))
		return false;
	if (*p->at != ')')
		return expected(p, "')'");
	p->at++;
	p->depth--;
	return true;
}

static bool parse_factor(struct parser *p, struct quantity *out)
{
	bool negative;

	skip_blanks(p);
	negative = *p->at == '-';
	if (negative) {
		p->at++;
		skip_blanks(p);
	}
	if (g_ascii_isdigit(*p->at)) {
		if (!parse_number(p, out))
			return false;
	} else if (g_ascii_isalpha(*p->at) || *p->at == '_') {
		if (!parse_name(p, out))
			return false;
	} else if (*p->at != '(') {
		return expected(p, "a number, a time or a parameter");
	} else if (!parse_parentheses(p, out)) {
		return false;
	}
	if (negative)
		out->value.num = -out->value.num;
	skip_blanks(p);
	return true;
}

static bool apply(struct parser *p, char op, struct quantity *a,
		  const struct quantity *b)
{
	bool sum = op == '+' || op == '-';
	bool fits;

	if (sum && a->time_power != b->time_power)
		return fail(
			p,
			"expected the same kind on both sides of '%c', got %s and %s",
			op, quantity_kind(a), quantity_kind(b));
	if (op == '/' && !b->value.num)
		return fail(p, "division by 0");
	if (op == '+')
		fits = rational_add(a->value, b->value, &a->value);
	else if (op == '-')
		fits = rational_sub(a->value, b->value, &a->value);
	else if (op == '*')
		fits = rational_mul(a->value, b->value, &a->value);
	else
		fits = rational_div(a->value, b->value, &a->value);
	if (!sum)
		a->time_power += op == '*' ? b->time_power : -b->time_power;
	return fits || fail(p, "a value beyond 64 bits");
}

static bool parse_product(struct parser *p, struct quantity *out)
{
	if (!parse_factor(p, out))
		return false;
	while (*p->at == '*' || *p->at == '/') {
		char op = *p->at++;
		struct quantity right;

		if (!parse_factor(p, &right) || !apply(p, op, out, &right))
			return false;
	}
	return true;
}

static bool parse_sum(struct parser *p, struct quantity *out)
{
	if (!parse_product(p, out))
		return false;
	while (*p->at == '+' || *p->at == '-') {
		char op = *p->at++;
		struct quantity right;

		if (!parse_product(p, &right) || !apply(p, op, out, &right))
			return false;
	}
	return true;
}

bool expression_eval(const char *text, quantity_lookup lookup, void *data,
		     struct quantity *out, GError **error)
{
	struct parser p = {.text = text,
			   .at = text,
			   .lookup = lookup,
			   .data = data,
			   .error = error};
	struct quantity result;

	if (strlen(text) > TEXT_BYTES_MAX) {
		g_set_error(error, INPUT_ERROR, INPUT_ERROR_VALUE,
			    "expected an expression of at most %d characters, got "
			    "%zu",
			    TEXT_BYTES_MAX, strlen(text));
		return false;
	}
	if (!parse_sum(&p, &result))
		return false;
	if (*p.at)
		return expected(&p, "an operator or the end");
	if (result.time_power < -1 || result.time_power > 1)
		return fail(&p, "expected a number, a time or a rate, got %s",
			    quantity_kind(&result));
	*out = result;
	return true;
}

char *quantity_format(const struct quantity *q)
{
	struct rational value = q->value;

	for (gsize i = 0; q->time_power == 1 && i < G_N_ELEMENTS(units); i++) {
		if (value.den == 1 && value.num % units[i].ns == 0)
			return g_strdup_printf("%" G_GINT64_FORMAT "%s",
					       value.num / units[i].ns, units[i].name);
	}
	if (q->time_power == 0)
		return rational_format(value);
	g_autofree char *number = rational_format(value);

	return g_strconcat(number, q->time_power == 1 ? "ns" : "/ns", NULL);
}

const char *quantity_kind(const struct quantity *q)
{
	switch (q->time_power) {
	case 0:
		return "a plain number";
	case 1:
		return "a time";
	case -1:
		return "a rate";
	default:
		return "a power of time";
	}
}
