/* test.c - how `[ ... ]` ends. Known are comparisons of texts and numbers that are known themselves;
 * questions about files, patterns and several conditions at once are open. */
#include "runtime/import/shell/shell_int.h"

static enum truth of(bool b)
{
	return b ? YES : NO;
}

static enum truth one_sided(const struct shell_text *op, const struct shell_text *x)
{
	if (!shell_known(x))
		return OPEN;
	if (str_is(shell_view(op), "-z"))
		return of(x->n == 0);
	return str_is(shell_view(op), "-n") ? of(x->n > 0) : OPEN;
}

static enum truth numbers(struct shell *sh, struct str op, struct str x, struct str y)
{
	int64_t a, b;

	if (!shell_arithmetic(sh, x, &a) || !shell_arithmetic(sh, y, &b))
		return OPEN;
	if (str_is(op, "-eq"))
		return of(a == b);
	if (str_is(op, "-ne"))
		return of(a != b);
	if (str_is(op, "-lt"))
		return of(a < b);
	if (str_is(op, "-le"))
		return of(a <= b);
	if (str_is(op, "-gt"))
		return of(a > b);
	return str_is(op, "-ge") ? of(a >= b) : OPEN;
}

static enum truth two_sided(struct shell *sh, const struct shell_text *x, const struct shell_text *op,
			    const struct shell_text *y)
{
	struct str o = shell_view(op);

	if (!shell_known(x) || !shell_known(y) || memchr(y->p, '*', y->n) || memchr(y->p, '?', y->n))
		return OPEN;
	if (str_is(o, "=") || str_is(o, "=="))
		return of(str_equal(shell_view(x), shell_view(y)));
	if (str_is(o, "!="))
		return of(!str_equal(shell_view(x), shell_view(y)));
	return numbers(sh, o, shell_view(x), shell_view(y));
}

enum truth shell_test(struct shell *sh, const struct shell_words *words)
{
	const struct shell_text *w = words->list.at;
	uint32_t n = words->list.n;
	enum truth t;
	bool turned = false;

	if (n > 0 && (str_is(shell_view(&w[n - 1]), "]") || str_is(shell_view(&w[n - 1]), "]]")))
		n--;
	w++;
	n -= n > 0;
	if (n > 1 && str_is(shell_view(w), "!")) {
		turned = true;
		w++;
		n--;
	}
	switch (n) {
	case 1: t = shell_known(w) ? of(w->n > 0) : OPEN; break;
	case 2: t = one_sided(&w[0], &w[1]); break;
	case 3: t = two_sided(sh, &w[0], &w[1], &w[2]); break;
	default: t = OPEN; break;
	}
	if (t == OPEN || !turned)
		return t;
	return t == YES ? NO : YES;
}
