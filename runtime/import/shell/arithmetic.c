/* arithmetic.c - integer expressions between `((` and `))`, in 64 bits: + - * / %, comparisons, && || !, the
 * choice a ? b : c, brackets. Anything else, an overflow or a division by zero is not known. */
#include "runtime/import/shell/shell_int.h"

struct sum {
	struct shell *sh;
	struct str text;
	uint32_t i;
	uint32_t depth;
};

static bool choose(struct sum *s, int64_t *value);

static char next(struct sum *s)
{
	while (s->i < s->text.n && strchr(" \t\n\r", s->text.p[s->i]))
		s->i++;
	return s->i < s->text.n ? s->text.p[s->i] : '\0';
}

static bool number(struct sum *s, int64_t *value)
{
	*value = 0;
	for (; s->i < s->text.n && s->text.p[s->i] >= '0' && s->text.p[s->i] <= '9'; s->i++)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, s->text.p[s->i] - '0', value))
			return false;
	return s->i == s->text.n || !shell_name_char(s->text.p[s->i], false);
}

/* A name without `$`: its value is a number, or not known. */
static bool variable(struct sum *s, int64_t *value)
{
	uint32_t lo = s->i;
	const struct variable *v;
	struct sum inner;

	while (s->i < s->text.n && shell_name_char(s->text.p[s->i], false))
		s->i++;
	v = shell_variable(s->sh, str_slice(s->text, lo, s->i));
	if (!v || v->items.list.n != 1 || !shell_known(&v->items.list.at[0]))
		return false;
	inner = (struct sum){ .sh = s->sh, .text = shell_view(&v->items.list.at[0]) };
	if (next(&inner) < '0' || next(&inner) > '9')
		return false;
	return number(&inner, value) && next(&inner) == '\0';
}

static bool factor(struct sum *s, int64_t *value)
{
	char c = next(s);
	bool fine;

	if (s->depth >= SHELL_DEPTH_MAX)
		return false;
	if (c == '-' || c == '+' || c == '!') {
		s->i++;
		s->depth++;
		fine = factor(s, value);
		s->depth--;
		if (c == '!')
			*value = fine && *value == 0;
		return fine && (c != '-' || !__builtin_sub_overflow(0, *value, value));
	}
	if (c == '(') {
		s->i++;
		s->depth++;
		fine = choose(s, value) && next(s) == ')';
		s->depth--;
		s->i++;
		return fine;
	}
	if (c >= '0' && c <= '9')
		return number(s, value);
	return shell_name_char(c, true) && variable(s, value);
}

static bool multiply(struct sum *s, int64_t *value)
{
	int64_t by;

	if (!factor(s, value))
		return false;
	for (char c = next(s); c == '*' || c == '/' || c == '%'; c = next(s)) {
		s->i++;
		if (!factor(s, &by))
			return false;
		if (c == '*' && __builtin_mul_overflow(*value, by, value))
			return false;
		if (c != '*' && (by == 0 || (by == -1 && *value == INT64_MIN)))
			return false;
		if (c != '*')
			*value = c == '/' ? *value / by : *value % by;
	}
	return true;
}

static bool add(struct sum *s, int64_t *value)
{
	int64_t by;

	if (!multiply(s, value))
		return false;
	for (char c = next(s); c == '+' || c == '-'; c = next(s)) {
		s->i++;
		if (!multiply(s, &by))
			return false;
		if (c == '+' ? __builtin_add_overflow(*value, by, value)
			     : __builtin_sub_overflow(*value, by, value))
			return false;
	}
	return true;
}

/* Takes an operator when it is the next. */
static bool take(struct sum *s, const char *op)
{
	uint32_t n = (uint32_t)strlen(op);

	(void)next(s);
	if (s->i + n > s->text.n || memcmp(s->text.p + s->i, op, n) != 0)
		return false;
	s->i += n;
	return true;
}

/* A comparison, or a sum; signs that assign are none of them. */
static bool compare(struct sum *s, int64_t *value)
{
	static const char *const ops[] = { "==", "!=", "<=", ">=", "<", ">" };
	int64_t a, b;

	if (!add(s, &a))
		return false;
	*value = a;
	for (size_t i = 0; i < PLAN_COUNT(ops); i++) {
		bool truths[PLAN_COUNT(ops)];

		if (!take(s, ops[i]))
			continue;
		if (!add(s, &b))
			return false;
		truths[0] = a == b;
		truths[1] = a != b;
		truths[2] = a <= b;
		truths[3] = a >= b;
		truths[4] = a < b;
		truths[5] = a > b;
		*value = truths[i];
		return true;
	}
	return true;
}

static bool both(struct sum *s, int64_t *value)
{
	int64_t b;

	if (!compare(s, value))
		return false;
	while (take(s, "&&")) {
		if (!compare(s, &b))
			return false;
		*value = *value != 0 && b != 0;
	}
	return true;
}

static bool either(struct sum *s, int64_t *value)
{
	int64_t b;

	if (!both(s, value))
		return false;
	while (take(s, "||")) {
		if (!both(s, &b))
			return false;
		*value = *value != 0 || b != 0;
	}
	return true;
}

static bool choose(struct sum *s, int64_t *value)
{
	int64_t yes, no;
	bool fine;

	if (!either(s, value))
		return false;
	if (!take(s, "?"))
		return true;
	if (s->depth >= SHELL_DEPTH_MAX)
		return false;
	s->depth++;
	fine = choose(s, &yes) && take(s, ":") && choose(s, &no);
	s->depth--;
	if (fine)
		*value = *value != 0 ? yes : no;
	return fine;
}

bool shell_arithmetic(struct shell *sh, struct str text, int64_t *value)
{
	struct sum s = { .sh = sh, .text = text };

	return choose(&s, value) && next(&s) == '\0';
}
