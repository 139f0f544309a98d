/* letters.c - expands the letter texts of layouts and of mixed models. */
#include "runtime/value/layout.h"

struct reader {
	struct arena *arena;
	struct str text;
	uint32_t at;
	bool bars;
	VEC(struct letter) out;
	struct letters_fault *fault;
};

static bool fail(struct reader *r, uint32_t lo, uint32_t hi, const char *what)
{
	*r->fault = (struct letters_fault){ lo, hi > lo ? hi - lo : 1, what };
	return false;
}

static void skip_free(struct reader *r)
{
	while (r->at < r->text.n && strchr(" \t\n,", r->text.p[r->at]))
		r->at++;
}

static bool is_letter(const struct reader *r, char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c == '|' && r->bars);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The count of a repeat, 1 without one. The limit also keeps the number itself from overflowing. */
static bool read_repeat(struct reader *r, uint32_t *count)
{
	*count = 1;
	skip_free(r);
	if (r->at == r->text.n || r->text.p[r->at] != '*')
		return true;
	uint32_t star = r->at++;
	skip_free(r);
	uint32_t first = r->at;
	uint64_t n = 0;
	for (; r->at < r->text.n && is_digit(r->text.p[r->at]); r->at++) {
		if (n <= LETTERS_MAX)
			n = n * 10 + (uint64_t)(r->text.p[r->at] - '0');
	}
	if (r->at == first)
		return fail(r, star, star + 1, "a number belongs behind `*`");
	if (n == 0)
		return fail(r, first, r->at, "a repeat of 0 would leave its letters out");
	if (n > LETTERS_MAX)
		return fail(r, first, r->at, "this repeat is beyond a million");
	*count = (uint32_t)n;
	return true;
}

/* Repeats the letters from `from` on, so that they stand there count times. */
static bool repeat_tail(struct reader *r, uint32_t from, uint32_t count, uint32_t where)
{
	uint32_t n = r->out.n - from;
	if ((uint64_t)from + (uint64_t)n * count > LETTERS_MAX)
		return fail(r, where, r->at, "the text grows beyond a million letters");
	for (uint32_t k = 1; k < count; k++) {
		for (uint32_t i = 0; i < n; i++) {
			struct letter copy = r->out.at[from + i];
			*VEC_ADD(r->arena, &r->out) = copy;
		}
	}
	return true;
}

static bool read_letter(struct reader *r)
{
	uint32_t where = r->at;
	uint32_t from = r->out.n;
	uint32_t count;
	if (from >= LETTERS_MAX)
		return fail(r, where, where + 1, "the text grows beyond a million letters");
	*VEC_ADD(r->arena, &r->out) = (struct letter){ r->text.p[where], where };
	r->at++;
	return read_repeat(r, &count) && repeat_tail(r, from, count, where);
}

static bool read_group(struct reader *r)
{
	uint32_t open = r->at++;
	uint32_t from = r->out.n;
	for (;;) {
		skip_free(r);
		if (r->at == r->text.n)
			return fail(r, open, open + 1, "this group is never closed");
		char c = r->text.p[r->at];
		if (c == ')')
			break;
		if (c == '(')
			return fail(r, r->at, r->at + 1, "groups do not nest");
		if (!is_letter(r, c))
			return fail(r, r->at, r->at + 1, "a letter belongs here");
		if (!read_letter(r))
			return false;
	}
	r->at++;
	uint32_t count;
	if (r->out.n == from)
		return fail(r, open, r->at, "this group is empty");
	return read_repeat(r, &count) && repeat_tail(r, from, count, open);
}

bool letters_expand(struct arena *a, struct str text, bool bars, struct letters *result,
		    struct letters_fault *fault)
{
	struct reader r = { .arena = a, .text = text, .bars = bars, .fault = fault };
	for (;;) {
		skip_free(&r);
		if (r.at == text.n)
			break;
		char c = text.p[r.at];
		bool ok;
		if (c == '(')
			ok = read_group(&r);
		else if (is_letter(&r, c))
			ok = read_letter(&r);
		else if (c == ')')
			ok = fail(&r, r.at, r.at + 1, "no group is open here");
		else if (c == '*')
			ok = fail(&r, r.at, r.at + 1, "there is nothing to repeat before `*`");
		else
			ok = fail(&r, r.at, r.at + 1, "a letter belongs here");
		if (!ok)
			return false;
	}
	*result = (struct letters){ r.out.at, r.out.n };
	return true;
}
