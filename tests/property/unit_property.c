/*
 * unit_property.c - units convert exactly, there and back.
 *
 * Every unit and every quotient of two units, each with random rationals: what a factor turns into base
 * units turns back; from a unit to every other of its dimension and back nothing is lost; the text of a
 * quantity in a unit, with all its decimals, is the number that was written. The seed is printed when a
 * law is broken; give it as the first argument to repeat a run.
 */
#include "compiler/base/num.h"
#include "compiler/check/compile.h"
#include "compiler/types/type.h"
#include "runtime/eval/eval.h"
#include "tests/unit/dice.h"

enum { ROUNDS = 20, UNITS_MAX = 80, ALL_MAX = UNITS_MAX * UNITS_MAX };

struct unit {
	struct str name;
	struct dimension dim;
	struct num factor;
};

struct run {
	struct dice dice;
	struct arena arena;
	struct unit *units;
	uint32_t n, simple;
};

static void fail(const struct run *r, const char *law, struct str unit)
{
	printf("unit_property: %s (%.*s); seed %llu\n", law, (int)unit.n, unit.p,
	       (unsigned long long)r->dice.seed);
	exit(EXIT_FAILURE);
}

static struct num times(struct run *r, struct num x, struct num y)
{
	struct num z = num_int(0);

	if (num_mul(&r->arena, x, y, &z) != NUM_OK)
		fail(r, "a product is refused", STR(""));
	return z;
}

static struct num over(struct run *r, struct num x, struct num y)
{
	struct num z = num_int(0);

	if (num_div(&r->arena, x, y, &z) != NUM_OK)
		fail(r, "a quotient is refused", STR(""));
	return z;
}

static bool add_unit(struct run *r, struct str name)
{
	struct unit *u = &r->units[r->n];
	bool percent;

	u->name = name;
	if (!unit_find(&r->arena, name, &u->dim, &u->factor, &percent))
		return false;
	r->n++;
	return true;
}

/* "%" stands alone. */
static void list_units(struct run *r)
{
	uint32_t n;
	const struct unit_info *all = units_all(&n);

	r->units = ARENA_ARRAY(&r->arena, struct unit, ALL_MAX);
	for (uint32_t i = 0; i < n; i++)
		if (!add_unit(r, str_of(all[i].name)))
			fail(r, "a unit of the table is not found", str_of(all[i].name));
	r->simple = r->n;
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < n; k++) {
			struct out name;

			out_init(&name, &r->arena);
			out_printf(&name, "%s/%s", all[i].name, all[k].name);
			if (add_unit(r, str_copy(&r->arena, out_view(&name))) &&
			    num_compare(r->units[r->n - 1].factor,
					over(r, r->units[i].factor, r->units[k].factor)) != 0)
				fail(r, "a quotient of units has another factor", out_view(&name));
		}
	}
}

static struct num draw(struct run *r)
{
	int64_t n = (int64_t)dice_draw(&r->dice) >> dice_pick(&r->dice, 0, 60);
	int64_t d = dice_pick(&r->dice, 1, INT64_C(1) << dice_pick(&r->dice, 0, 40));

	return num_ratio(&r->arena, n, d);
}

/* From a unit to each other one of its dimension, and back. */
static void check_pairs(struct run *r)
{
	struct num x = draw(r);

	for (uint32_t i = 0; i < r->n; i++) {
		const struct unit *u = &r->units[i];
		struct num base = times(r, x, u->factor);

		if (num_sign(u->factor) <= 0 || num_compare(over(r, base, u->factor), x) != 0)
			fail(r, "base units do not turn back", u->name);
		for (uint32_t k = 0; k < r->simple; k++) {
			const struct unit *w = &r->units[k];

			if (dim_equal(u->dim, w->dim) &&
			    num_compare(over(r, times(r, over(r, base, w->factor), w->factor), u->factor), x))
				fail(r, "a number does not come back from another unit", u->name);
		}
	}
}

/* ---- through the language -------------------------------------------------------------------- */

/* `let vN = X UNIT`, and its text in the same unit with as many decimals as X has. */
static void write_quantity(struct run *r, struct out *o, uint32_t i, struct str *expected)
{
	const struct unit *u = &r->units[i];
	int decimals = (int)dice_pick(&r->dice, 0, 6);
	struct num x = num_int(dice_pick(&r->dice, 0, INT64_C(1) << dice_pick(&r->dice, 0, 40)));
	struct num power = num_int(1);
	struct out text;

	num_pow(&r->arena, num_int(10), decimals, &power);
	x = over(r, x, power);
	out_init(&text, &r->arena);
	num_print_fixed(&text, x, decimals);
	out_printf(o, "let v%u = ", i);
	num_print_decimal(o, x);
	out_printf(o, " %.*s\nlet t%u = \"{v%u:%.*s.%d}\"\n", (int)u->name.n, u->name.p, i, i, (int)u->name.n,
		   u->name.p, decimals);
	*expected = str_copy(&r->arena, out_view(&text));
}

static struct ir_program *compiled(struct run *r, struct sources *sources, struct diag_sink *sink,
				   struct str text)
{
	struct compile_input in = {
		.arena = &r->arena, .names = interner_make(&r->arena), .sources = sources, .sink = sink,
		.path = STR("t.plan"), .text = text, .library = stdlib_files,
	};
	struct ir_program *p;
	struct out o;

	sources_init(sources, &r->arena);
	diag_sink_init(sink, &r->arena, sources);
	p = plan_compile(&in);
	if (!p || sink->errors > 0) {
		out_init(&o, &r->arena);
		diag_render(sink, (struct diag_style){ DIAG_HUMAN, false, 0 }, &o);
		fail(r, "the plan does not compile", out_view(&o));
	}
	return p;
}

static struct value global(struct run *r, struct eval *ev, char letter, uint32_t i)
{
	char name[16];
	uint32_t at;

	snprintf(name, sizeof name, "%c%u", letter, i);
	at = ir_find_global(ev->program, str_of(name));
	if (at == IR_NONE)
		fail(r, "a name is lost", str_of(name));
	return eval_global(ev, at);
}

static void check_texts(struct run *r)
{
	struct str *expected = ARENA_ARRAY(&r->arena, struct str, r->simple);
	struct diag_sink sink;
	struct sources sources;
	struct eval ev;
	struct out o;

	out_init(&o, &r->arena);
	out_text(&o, "edition 1\n");
	for (uint32_t i = 0; i < r->simple; i++)
		write_quantity(r, &o, i, &expected[i]);
	eval_init(&ev, &r->arena, compiled(r, &sources, &sink, out_view(&o)), &sink);
	for (uint32_t i = 0; i < r->simple; i++) {
		struct value v = global(r, &ev, 'v', i), t = global(r, &ev, 't', i);
		struct out whole;
		struct num x;

		out_init(&whole, &r->arena);
		out_printf(&whole, "%.*s", (int)expected[i].n, expected[i].p);
		if (!num_parse(&r->arena, expected[i], &x) || v.kind != VALUE_NUMBER ||
		    num_compare(v.number, times(r, x, r->units[i].factor)) != 0)
			fail(r, "a quantity has another value", r->units[i].name);
		out_printf(&whole, "%s%.*s", str_is(r->units[i].name, "%") ? "" : " ",
			   (int)r->units[i].name.n, r->units[i].name.p);
		if (t.kind != VALUE_STRING || !str_equal(t.text, out_view(&whole))) {
			printf("%.*s, not %.*s\n", (int)t.text.n, t.text.p, (int)whole.n, whole.p);
			fail(r, "the text of a quantity is another number", r->units[i].name);
		}
	}
}

int main(int argc, char **argv)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, rounds = argc > 1 ? 1 : ROUNDS;

	for (uint64_t seed = first; seed < first + rounds; seed++) {
		struct run r = { .dice = dice_make(seed) };

		arena_init(&r.arena, NULL);
		list_units(&r);
		check_pairs(&r);
		check_texts(&r);
		arena_release(&r.arena);
	}
	return EXIT_SUCCESS;
}
