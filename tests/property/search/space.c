/* space.c - sweeps of up to five axes, six linear rules and two linear goals. */
#include "tests/property/search/space.h"

#include <inttypes.h>
#include <string.h>

static const char *const fields[FIELDS] = { "a", "b", "c", "d", "part.e" };

int64_t linear_sum(const struct linear *l, const int64_t *x)
{
	int64_t sum = 0;

	for (int i = 0; i < FIELDS; i++)
		sum += l->factor[i] * x[i];
	return sum;
}

bool linear_holds(const struct linear *l, const int64_t *x)
{
	return l->at_least ? linear_sum(l, x) >= l->bound : linear_sum(l, x) <= l->bound;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_linear(struct dice *d, struct linear *l, int64_t low, int64_t high)
{
	for (int i = 0; i < FIELDS; i++)
		l->factor[i] = dice_pick(d, 0, 1) ? dice_pick(d, -2, 3) : 0;
	l->bound = dice_pick(d, low, high);
	l->at_least = dice_pick(d, 0, 3) == 0;
}

/* The base record keeps every rule: its bounds give way. */
static void soften(struct linear *l, const int64_t *x)
{
	int64_t sum = linear_sum(l, x);

	if (!linear_holds(l, x))
		l->bound = sum;
}

static void draw_axes(struct dice *d, struct space *s)
{
	int free_fields[FIELDS] = { 0, 1, 2, 3, 4 };

	s->axes = (int)dice_pick(d, 1, AXES);
	for (int k = 0; k < s->axes; k++) {
		int at = (int)dice_pick(d, k, FIELDS - 1), field = free_fields[at];

		free_fields[at] = free_fields[k];
		free_fields[k] = field;
		s->field[k] = field;
		s->count[k] = (int)dice_pick(d, 1, VALUES);
		for (int i = 0; i < s->count[k]; i++)
			s->value[k][i] = dice_pick(d, 0, 3) + 4 * i;
		s->when[k] = k > 0 && dice_pick(d, 0, 1) ? (int)dice_pick(d, 0, k - 1) : -1;
		s->above[k] = dice_pick(d, 0, 8);
	}
}

/* A d that is off follows from a, so nothing may ask for it before a has its value. */
static void keep_order(struct space *s)
{
	int a = -1;

	for (int k = 0; k < s->axes; k++)
		if (s->field[k] == FIELD_A)
			a = k;
	for (int k = 0; k < a; k++)
		if (s->when[k] >= 0 && s->field[s->when[k]] == FIELD_D && s->when[s->when[k]] >= 0)
			s->when[k] = -1;
}

void space_draw(struct dice *d, struct space *s)
{
	int64_t x[FIELDS];

	for (int i = 0; i < FIELDS; i++)
		s->base[i] = dice_pick(d, 0, 9);
	draw_axes(d, s);
	keep_order(s);
	for (int i = 0; i < RULES; i++) {
		draw_linear(d, &s->rule[i], -5, 40);
		s->order[i] = i;
	}
	for (int i = 0; i < FIELDS - 1; i++)
		s->rule[2].factor[i] = 0;
	memcpy(x, s->base, sizeof x);
	x[FIELD_D] = x[FIELD_A] + 1;
	for (int i = 0; i < 3; i++)
		soften(&s->rule[i], x);
	for (int g = 0; g < GOALS; g++)
		draw_linear(d, &s->goal[g], 0, 0);
	s->slack = dice_pick(d, 0, 1) ? dice_pick(d, 0, 6) : 0;
	s->pareto = dice_pick(d, 0, 3) == 0;
}

void space_shuffle(struct dice *d, struct space *s)
{
	for (int i = 3; i < RULES; i++) {
		int k = (int)dice_pick(d, i, RULES - 1), other = s->order[i];

		s->order[i] = s->order[k];
		s->order[k] = other;
	}
}

void space_relax(struct dice *d, struct space *s)
{
	struct linear *l = &s->rule[dice_pick(d, 0, RULES - 1)];

	l->bound += l->at_least ? -dice_pick(d, 1, 9) : dice_pick(d, 1, 9);
}

/* ---- as a plan ------------------------------------------------------------------------------- */

static void write_linear(struct out *o, const struct linear *l, const char *e)
{
	for (int i = 0; i < FIELDS; i++)
		out_printf(o, "%s(%" PRIi64 ") * %s", i > 0 ? " + " : "", l->factor[i],
			   i == FIELDS - 1 ? e : fields[i]);
}

static void write_rule(struct out *o, const char *word, int number, const struct linear *l, bool inside)
{
	out_printf(o, "  %s r%d: ", word, number);
	if (inside)
		out_printf(o, "(%" PRIi64 ") * e", l->factor[FIELDS - 1]);
	else
		write_linear(o, l, fields[FIELDS - 1]);
	out_printf(o, " %s %" PRIi64 "\n", l->at_least ? ">=" : "<=", l->bound);
}

static void write_axis(struct out *o, const struct space *s, int k)
{
	out_printf(o, "  vary %s in [", fields[s->field[k]]);
	for (int i = 0; i < s->count[k]; i++)
		out_printf(o, "%s%" PRIi64, i > 0 ? ", " : "", s->value[k][i]);
	out_char(o, ']');
	if (s->when[k] >= 0)
		out_printf(o, " when %s > %" PRIi64, fields[s->field[s->when[k]]], s->above[k]);
	out_char(o, '\n');
}

void space_write(struct out *o, const struct space *s, int number)
{
	out_printf(o, "schema inner%d {\n  e: int\n", number);
	write_rule(o, "assert", 2, &s->rule[2], true);
	out_printf(o, "}\nschema outer%d {\n  a: int\n  b: int\n  c: int\n  d: int = a + 1\n  part: inner%d\n", number,
		   number);
	write_rule(o, "assert", 0, &s->rule[0], false);
	write_rule(o, "assert", 1, &s->rule[1], false);
	out_printf(o, "}\nouter%d base%d { a = %" PRIi64 ", b = %" PRIi64 ", c = %" PRIi64 ", part { e = %" PRIi64
		   " } }\nsweep s%d of base%d {\n", number, number, s->base[0], s->base[1], s->base[2], s->base[4], number,
		   number);
	for (int k = 0; k < s->axes; k++)
		write_axis(o, s, k);
	for (int i = 3; i < RULES; i++)
		write_rule(o, "constraint", s->order[i], &s->rule[s->order[i]], false);
	out_printf(o, "  objective %s{\n", s->pareto ? "pareto " : "");
	for (int g = 0; g < GOALS; g++) {
		out_text(o, s->goal[g].at_least ? "    maximise " : "    minimise ");
		write_linear(o, &s->goal[g], fields[FIELDS - 1]);
		if (g == 0 && s->slack > 0 && !s->pareto)
			out_printf(o, " slack %" PRIi64, s->slack);
		out_char(o, '\n');
	}
	out_text(o, "  }\n}\n");
}
