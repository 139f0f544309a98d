/* builtin_number.c - min, max, sum, rounding and the real functions. */
#include <math.h>

#include "runtime/eval/eval_int.h"

/* The one argument, known to be there. */
static bool only(const struct call *c, struct value *v)
{
	*v = c->args[0];
	return fail_unless_present(c->ev, *v, call_node(c, 0));
}

static bool is_sequence(struct value v)
{
	return v.kind == VALUE_LIST || v.kind == VALUE_TABLE;
}

/* -1, 0, 1 of two values that min and max take: numbers, enum values, texts. */
static int order(struct value a, struct value b)
{
	if (value_is_number(a) && value_is_number(b))
		return value_compare_numbers(a, b);
	invariant(a.kind == b.kind && (a.kind == VALUE_ENUM || a.kind == VALUE_STRING),
		  "an extreme of values that have no order");
	if (a.kind == VALUE_STRING)
		return str_compare(a.text, b.text);
	return (a.ordinal > b.ordinal) - (a.ordinal < b.ordinal);
}

static struct value empty_list(const struct call *c)
{
	struct diag *d = call_fail(c, 0);
	diag_message(d, "an empty list has no %s element",
		     c->node->a == BUILTIN_MIN ? "smallest" : "largest");
	diag_help(d, "test its `len` first");
	diag_submit(d);
	return value_poison();
}

/* The extreme of the arguments, or of the one list; the first of equal ones. */
static struct value extreme(const struct call *c, int wanted)
{
	bool spread = c->n == 1 && is_sequence(c->args[0]);
	uint32_t n = spread ? sequence_count(c->args[0]) : c->n;
	struct value best = value_none();
	if (n == 0)
		return empty_list(c);
	for (uint32_t i = 0; i < n; i++) {
		struct value v = spread ? sequence_get(c->ev, c->args[0], i) : c->args[i];
		if (!fail_unless_present(c->ev, v, call_node(c, spread ? 0 : i)))
			return value_poison();
		if (best.kind == VALUE_NONE || order(v, best) == wanted)
			best = v;
	}
	return best;
}

struct value builtin_min(const struct call *c)
{
	return extreme(c, -1);
}

struct value builtin_max(const struct call *c)
{
	return extreme(c, 1);
}

/* Exact elements are added first to last; one measured element makes the sum measured. */
struct value builtin_sum(const struct call *c)
{
	struct value total = value_int(0);
	struct value all;
	if (!only(c, &all))
		return value_poison();
	uint32_t n = sequence_count(all);
	for (uint32_t i = 0; i < n; i++) {
		struct value v = sequence_get(c->ev, all, i);
		if (!fail_unless_present(c->ev, v, call_node(c, 0)))
			return value_poison();
		invariant(value_is_number(v), "a sum of things that are no numbers");
		if (total.kind == VALUE_NUMBER && v.kind == VALUE_NUMBER) {
			if (num_add(c->ev->arena, total.number, v.number, &total.number) == NUM_OK)
				continue;
		} else {
			total = value_real(value_to_double(total) + value_to_double(v));
			if (isfinite(total.real))
				continue;
		}
		struct diag *d = fail_at(c->ev, E2003, c->node->span);
		diag_message(d, "this sum is beyond the largest number planc computes with");
		diag_submit(d);
		return value_poison();
	}
	return total;
}

/* ---- whole numbers --------------------------------------------------------------------------- */

static struct num exact_of(const struct call *c, struct value v)
{
	invariant(value_is_number(v), "a number from something else");
	return v.kind == VALUE_NUMBER ? v.number : num_from_double(c->ev->arena, v.real);
}

struct value builtin_ceil(const struct call *c)
{
	struct value v;
	if (!only(c, &v))
		return value_poison();
	return value_number(num_ceil(c->ev->arena, exact_of(c, v)));
}

struct value builtin_floor(const struct call *c)
{
	struct value v;
	if (!only(c, &v))
		return value_poison();
	return value_number(num_floor(c->ev->arena, exact_of(c, v)));
}

/* Halves go to the even neighbour, as IEEE 754 rounds. */
struct value builtin_round(const struct call *c)
{
	struct value v;
	if (!only(c, &v))
		return value_poison();
	struct arena *a = c->ev->arena;
	struct num x = exact_of(c, v);
	struct num low = num_floor(a, x);
	struct num rest;
	struct num odd;
	struct num up;
	if (num_sub(a, x, low, &rest) != NUM_OK || num_mod(a, low, num_int(2), &odd) != NUM_OK ||
	    num_add(a, low, num_int(1), &up) != NUM_OK)
		return value_number(low);
	int side = num_compare(rest, num_ratio(a, 1, 2));
	bool raise = side > 0 || (side == 0 && num_sign(odd) != 0);
	return value_number(raise ? up : low);
}

struct value builtin_abs(const struct call *c)
{
	struct value v;
	if (!only(c, &v))
		return value_poison();
	if (v.kind == VALUE_REAL)
		return value_real(fabs(v.real));
	invariant(v.kind == VALUE_NUMBER, "the magnitude of something else");
	return num_sign(v.number) < 0 ? value_number(num_neg(c->ev->arena, v.number)) : v;
}

/* ---- real functions -------------------------------------------------------------------------- */

static struct value real_result(const struct call *c, double x)
{
	if (isfinite(x))
		return value_real(x);
	struct str text = value_text(c->ev, c->args[0], node_at(c->ev, call_node(c, 0))->type);
	struct diag *d = isnan(x) || x < 0 ? call_fail(c, 0) : fail_at(c->ev, E2003, c->node->span);
	if (isnan(x) || x < 0)
		diag_message(d, "`%s` has no value at %.*s", builtin_name((enum builtin)c->node->a),
			     (int)text.n, text.p);
	else
		diag_message(d, "`%s` of %.*s is beyond the largest number planc computes with",
			     builtin_name((enum builtin)c->node->a), (int)text.n, text.p);
	diag_submit(d);
	return value_poison();
}

struct value builtin_sqrt(const struct call *c)
{
	struct value v;
	return only(c, &v) ? real_result(c, sqrt(value_to_double(v))) : value_poison();
}

struct value builtin_log2(const struct call *c)
{
	struct value v;
	return only(c, &v) ? real_result(c, log2(value_to_double(v))) : value_poison();
}

struct value builtin_exp(const struct call *c)
{
	struct value v;
	return only(c, &v) ? real_result(c, exp(value_to_double(v))) : value_poison();
}
