/* arithmetic.c - integer expressions between `((` and `))`. Operators + - * / % and brackets, in 64 bits;
 * anything else, an overflow or a division by zero is not known. */
#include "runtime/import/shell/shell_int.h"

struct sum {
	struct shell *sh;
	struct str text;
	uint32_t i;
	uint32_t depth;
	bool known;
};

static bool add(struct sum *s, int64_t *value);

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
	if (c == '-' || c == '+') {
		s->i++;
		s->depth++;
		fine = factor(s, value);
		s->depth--;
		return fine && (c == '+' || !__builtin_sub_overflow(0, *value, value));
	}
	if (c == '(') {
		s->i++;
		s->depth++;
		fine = add(s, value) && next(s) == ')';
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

bool shell_arithmetic(struct shell *sh, struct str text, int64_t *value)
{
	struct sum s = { .sh = sh, .text = text };

	return add(&s, value) && next(&s) == '\0';
}
