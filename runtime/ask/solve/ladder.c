/* ladder.c - the values that are tried: a list, a range, or a range that nobody gave. */
#include "runtime/ask/solve/solve_int.h"

#include <math.h>

static bool refuse(struct eval *ev, const struct ir_inverse *q, const char *what, const char *help)
{
	ir_id node = q->values != IR_NO_NODE ? q->values : q->low;
	struct span at = node != IR_NO_NODE ? ev->program->nodes.at[node].span : q->path.span;
	struct diag *d = diag_new(ev->sink, E2703, at);

	diag_message(d, "%s", what);
	diag_help(d, "%s", help);
	diag_submit(d);
	return false;
}

static bool is_number(struct value v)
{
	return v.kind == VALUE_NUMBER || v.kind == VALUE_REAL;
}

static bool is_integer(const struct ir_inverse *q)
{
	const struct type *t = q->path.type->kind == TYPE_OPTION ? q->path.type->of : q->path.type;

	return dim_is_one(t->dim) && t->exactness == EXACT_INT && !t->percent;
}

/* ---- a list ----------------------------------------------------------------------------------- */

static void sort_values(struct value *at, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct value v = at[i];
		uint32_t k = i;

		for (; k > 0 && value_compare_numbers(at[k - 1], v) > 0; k--)
			at[k] = at[k - 1];
		at[k] = v;
	}
}

static bool make_list(struct ladder *l, struct eval *ev, const struct ir_inverse *q)
{
	struct value v = eval_node(ev, q->values, (struct scope){ 0 });
	struct value *sorted;

	if (v.kind != VALUE_LIST)
		return v.kind != VALUE_POISON && refuse(ev, q, "this is no list of values", "write `[1, 2, 4]`");
	if (v.list->n == 0)
		return refuse(ev, q, "there is no value to try", "give at least one");
	if (v.list->n > SOLVE_DEFAULT_VALUES)
		return refuse(ev, q, "these are more than 4,096 values", "give a range, `A..B` or `A..B by C`");
	sorted = ARENA_ARRAY(ev->lasting, struct value, v.list->n);
	l->kind = LADDER_LIST;
	for (uint32_t i = 0; i < v.list->n; i++) {
		if (!is_number(v.list->at[i]))
			return false;
		sorted[i] = v.list->at[i];
	}
	sort_values(sorted, v.list->n);
	for (uint32_t i = 0; i < v.list->n; i++)
		if (l->n == 0 || value_compare_numbers(sorted[l->n - 1], sorted[i]) != 0)
			sorted[l->n++] = sorted[i];
	l->list = sorted;
	return true;
}

/* ---- a range in steps ------------------------------------------------------------------------- */

static bool make_steps(struct ladder *l, struct eval *ev, const struct ir_inverse *q, struct num low,
		       struct num high, struct num step)
{
	struct num width, count;
	int64_t n;

	if (num_sign(step) <= 0)
		return refuse(ev, q, "the step of the range is not above 0", "write `A..B by C` with C > 0");
	if (num_compare(low, high) > 0)
		return refuse(ev, q, "the range has no value", "write the smaller end first");
	if (num_sub(ev->lasting, high, low, &width) != NUM_OK ||
	    num_floor_div(ev->lasting, width, step, &count) != NUM_OK || !num_fits_int64(count, &n) ||
	    n >= SOLVE_VALUES_MAX)
		return refuse(ev, q, "the range has more than 1,000,000 values", "give a wider step, `A..B by C`");
	l->kind = LADDER_STEPS;
	l->low = low;
	l->step = step;
	l->n = (uint32_t)n + 1;
	return true;
}

/* ---- a quantity --------------------------------------------------------------------------------- */

static bool make_powers(struct ladder *l, struct eval *ev, const struct ir_inverse *q, double low, double high,
			double precision)
{
	double steps;

	if (!(low > 0) || !isfinite(high))
		return refuse(ev, q, "a range of quantities begins above 0",
			      "give ends above 0, or a step: `A..B by C`");
	if (low > high)
		return refuse(ev, q, "the range has no value", "write the smaller end first");
	steps = ceil(log(high / low) / log1p(precision));
	if (!(steps < SOLVE_VALUES_MAX))
		return refuse(ev, q, "the range has more than 1,000,000 values at this precision",
			      "give a coarser `--precision`");
	l->kind = LADDER_POWERS;
	l->first = low;
	l->last = high;
	l->n = (uint32_t)steps + 1;
	l->ratio = l->n > 1 ? exp(log(high / low) / (double)(l->n - 1)) : 1;
	return true;
}

/* ---- a range that nobody gave ------------------------------------------------------------------ */

/* From 1 to 4,096 or 64 times the present value, at most 4,096 values. A coarse range keeps the powers of two that
 * the present value is a multiple of, since sizes come in such steps. */
static bool make_integers_around(struct ladder *l, struct eval *ev, const struct ir_inverse *q, int64_t now)
{
	int64_t high = now > INT64_MAX / 128 ? INT64_MAX / 2 : now * 64, step = 1, factor;

	high = high < SOLVE_DEFAULT_VALUES ? SOLVE_DEFAULT_VALUES : high;
	if (high > SOLVE_DEFAULT_VALUES) {
		for (step = 1; now % (step * 2) == 0 && high / step > SOLVE_DEFAULT_VALUES; step *= 2)
			;
		factor = (high / step + SOLVE_DEFAULT_VALUES - 1) / SOLVE_DEFAULT_VALUES;
		step *= factor;
	}
	return make_steps(l, ev, q, num_int(now > 0 && now % step != 0 ? now % step : step), num_int(high),
			  num_int(step));
}

static bool make_around(struct ladder *l, struct eval *ev, const struct ir_inverse *q, struct value now,
			double precision)
{
	int64_t n = 1;
	double x = is_number(now) ? value_to_double(now) : 0;

	if (is_integer(q)) {
		if (now.kind == VALUE_NUMBER && (!num_fits_int64(now.number, &n) || n < 1))
			n = 1;
		return make_integers_around(l, ev, q, n);
	}
	if (!(x > 0))
		return refuse(ev, q, "the plan gives no value to search around", "say where to search: `--in A..B`");
	return make_powers(l, ev, q, x / 64, x * 64, precision);
}

bool ladder_make(struct ladder *l, struct eval *ev, const struct ir_inverse *q, struct value now,
		 double precision)
{
	struct value low, high, step = value_int(1);

	*l = (struct ladder){ .n = 0 };
	if (q->values != IR_NO_NODE)
		return make_list(l, ev, q);
	if (q->low == IR_NO_NODE)
		return make_around(l, ev, q, now, precision);
	low = eval_node(ev, q->low, (struct scope){ 0 });
	high = eval_node(ev, q->high, (struct scope){ 0 });
	if (q->step != IR_NO_NODE)
		step = eval_node(ev, q->step, (struct scope){ 0 });
	if (!is_number(low) || !is_number(high) || !is_number(step))
		return false;
	if (!is_integer(q) && q->step == IR_NO_NODE)
		return make_powers(l, ev, q, value_to_double(low), value_to_double(high), precision);
	if (low.kind != VALUE_NUMBER || high.kind != VALUE_NUMBER || step.kind != VALUE_NUMBER)
		return refuse(ev, q, "the ends of a range in steps are exact numbers", "write them as numbers");
	return make_steps(l, ev, q, low.number, high.number, step.number);
}

/* ---- values ----------------------------------------------------------------------------------- */

/* To six significant digits, so that what is printed is what was tried. */
static struct num rounded(struct arena *a, double x)
{
	struct out text;
	struct num n;

	out_init(&text, a);
	out_printf(&text, "%.5e", x);
	return num_parse(a, out_view(&text), &n) ? n : num_from_double(a, x);
}

struct value ladder_value(const struct ladder *l, struct arena *a, uint32_t k)
{
	struct num offset, v = l->low;

	if (l->kind == LADDER_LIST)
		return l->list[k];
	if (l->kind == LADDER_POWERS)
		return value_number(rounded(a, k + 1 == l->n ? l->last : l->first * pow(l->ratio, k)));
	if (num_mul(a, l->step, num_int(k), &offset) != NUM_OK || num_add(a, l->low, offset, &v) != NUM_OK)
		return value_poison();
	return value_number(v);
}
