/* coerce.c - which types serve for which, and what a value is converted to. */
#include "compiler/check/check_int.h"

#include "compiler/base/num.h"

const char *type_text(struct check *c, const struct type *t)
{
	struct out o;

	out_init(&o, c->arena);
	type_print(&o, c->p, t);
	return str_copy(c->arena, out_view(&o)).p;
}

const char *type_phrase(struct check *c, const struct type *t)
{
	const char *name = type_text(c, t);
	struct out o;

	out_init(&o, c->arena);
	if (t->kind == TYPE_NUMBER && !dim_is_one(t->dim)) {
		out_printf(&o, "`%s`", name);
	} else if (t->kind == TYPE_NONE) {
		out_text(&o, "`none`");
	} else {
		out_printf(&o, "%s `%s`", strchr("aeiou", name[0]) ? "an" : "a", name);
	}
	return str_copy(c->arena, out_view(&o)).p;
}

static bool numbers_fit(const struct type *have, const struct type *want)
{
	if (!dim_equal(have->dim, want->dim))
		return false;
	return !dim_is_one(have->dim) || have->exactness <= want->exactness;
}

bool type_fits(const struct check *c, const struct type *have, const struct type *want)
{
	if (have == want || is_poison(have) || is_poison(want) || want->kind == TYPE_ANY ||
	    have->kind == TYPE_ANY)
		return true;
	if (want->kind == TYPE_OPTION)
		return have->kind == TYPE_NONE || type_fits(c, strip_option(have), want->of);
	if (have->kind != want->kind)
		return false;
	if (have->kind == TYPE_NUMBER)
		return numbers_fit(have, want);
	if (have->kind == TYPE_RECORD)
		return ir_schema_extends(c->p, have->index, want->index);
	if (have->kind == TYPE_LIST || have->kind == TYPE_TABLE || have->kind == TYPE_MAP)
		return type_fits(c, have->of, want->of);
	if (have->kind != TYPE_TUPLE || have->count != want->count)
		return false;
	for (uint32_t i = 0; i < have->count; i++)
		if (!type_fits(c, have->items[i], want->items[i]))
			return false;
	return true;
}

static const struct type *join_numbers(struct check *c, const struct type *a, const struct type *b)
{
	if (!dim_equal(a->dim, b->dim))
		return NULL;
	if ((a->percent || b->percent) && a->exactness < EXACT_REAL && b->exactness < EXACT_REAL)
		return c->t.ratio;
	return type_number(c->p->types, a->dim, a->exactness > b->exactness ? a->exactness : b->exactness);
}

static const struct type *join_tuples(struct check *c, const struct type *a, const struct type *b)
{
	const struct type **items = ARENA_ARRAY(c->arena, const struct type *, a->count);

	if (a->count != b->count)
		return NULL;
	for (uint32_t i = 0; i < a->count; i++) {
		items[i] = type_join(c, a->items[i], b->items[i]);
		if (!items[i])
			return NULL;
	}
	return type_of(c->p->types,
		       (struct type){ .kind = TYPE_TUPLE, .items = items, .count = a->count });
}

/* Nearest schema that both extend. */
static const struct type *join_records(const struct check *c, const struct type *a, const struct type *b)
{
	for (uint32_t s = a->index; s != IR_NONE; s = c->p->schemas.at[s].base)
		if (ir_schema_extends(c->p, b->index, s))
			return type_of(c->p->types, (struct type){ .kind = TYPE_RECORD, .index = s });
	return NULL;
}

const struct type *type_join(struct check *c, const struct type *a, const struct type *b)
{
	const struct type *of;

	if (a == b || is_poison(b))
		return a;
	if (is_poison(a))
		return b;
	if (a->kind == TYPE_NONE)
		return type_option(c->p->types, b);
	if (b->kind == TYPE_NONE)
		return type_option(c->p->types, a);
	if (a->kind == TYPE_OPTION || b->kind == TYPE_OPTION) {
		of = type_join(c, strip_option(a), strip_option(b));
		return of ? type_option(c->p->types, of) : NULL;
	}
	if (a->kind != b->kind)
		return NULL;
	if (a->kind == TYPE_NUMBER)
		return join_numbers(c, a, b);
	if (a->kind == TYPE_RECORD)
		return join_records(c, a, b);
	if (a->kind == TYPE_TUPLE)
		return join_tuples(c, a, b);
	if (a->kind == TYPE_LIST) {
		of = type_join(c, a->of, b->of);
		return of ? type_list(c->p->types, of) : NULL;
	}
	return NULL;
}

/* ---- messages -------------------------------------------------------------------------------- */

static const struct {
	struct dimension dim;
	const char *example;
} examples[] = {
	{ { 1, 0, 0, 0, 0 }, "80 GiB" },      { { 0, 1, 0, 0, 0 }, "5 us" },
	{ { 0, 0, 1, 0, 0 }, "2 TFLOP" },     { { 1, -1, 0, 0, 0 }, "200 GB/s" },
	{ { 0, -1, 1, 0, 0 }, "312 TFLOPS" }, { { 0, 0, 0, 1, 0 }, "2000 USD" },
	{ { 0, -1, 0, 1, 0 }, "2.20 USD/h" }, { { 0, -1, 0, 0, 1 }, "300 W" },
	{ { 0, 0, 0, 0, 1 }, "3 kWh" },
};

static void help_units(struct check *c, struct diag *d, const struct ir_node *n, const struct type *want)
{
	struct str text = source_slice(c->p->sources, n->span);

	if (is_plain(n->type) && !dim_is_one(want->dim)) {
		for (size_t i = 0; i < PLAN_COUNT(examples); i++)
			if (dim_equal(examples[i].dim, want->dim))
				diag_help(d, "write its unit, as in `%s`", examples[i].example);
		return;
	}
	if (!dim_is_one(want->dim) &&
	    dim_equal(dim_divide(n->type->dim, (struct dimension){ 0, 1, 0, 0, 0 }), want->dim)) {
		for (size_t i = 0; i < PLAN_COUNT(examples); i++)
			if (dim_equal(examples[i].dim, want->dim))
				diag_help(d, "a rate is an amount per second, as in `%s`", examples[i].example);
		return;
	}
	if (!is_plain(want))
		return;
	/* "70 B" for seventy billion is a habit of the trade. */
	if (n->op == IR_CONST && str_ends(text, "B") && text.n > 1 &&
	    strchr("0123456789 ", text.p[text.n - 2])) {
		uint32_t end = text.n - 1;

		while (end > 0 && text.p[end - 1] == ' ')
			end--;
		diag_help(d, "`B` is byte; for billions write `%.*se9`", (int)end, text.p);
		return;
	}
	if (!dim_is_one(n->type->dim))
		diag_help(d, "for a plain number divide by a unit");
}

/* `8`, `true`, `base`: what could stand there without its quotes. */
static bool fits_unquoted(struct check *c, struct str text, const struct type *want)
{
	struct sym name = sym_find(c->names, text);
	struct num number;

	if (want->kind == TYPE_BOOL)
		return str_is(text, "true") || str_is(text, "false");
	if (want->kind == TYPE_NUMBER)
		return is_plain(want) && num_parse(c->arena, text, &number);
	if (want->kind == TYPE_ENUM)
		return name.id != 0 && enum_find(c, want->index, name) != IR_NONE;
	return want->kind == TYPE_RECORD && name.id != 0 && text.n > 0;
}

/* "llama3-8b" is llama3_8b in the library. */
static struct str as_name(struct check *c, struct str text)
{
	struct out o;

	out_init(&o, c->arena);
	for (uint32_t i = 0; i < text.n; i++) {
		char ch = text.p[i];

		out_char(&o, ch >= 'A' && ch <= 'Z' ? (char)(ch | 0x20) : strchr("-. /", ch) ? '_' : ch);
	}
	return str_copy(c->arena, out_view(&o));
}

/* A text where something else is meant. */
static void help_quotes(struct check *c, struct diag *d, ir_id node, const struct type *want)
{
	const struct ir_constant *k = ir_constant_of(c->p, node);

	if (!k || k->kind != CONSTANT_STRING)
		return;
	if (fits_unquoted(c, k->text, want)) {
		diag_fix(d, c->p->nodes.at[node].span, k->text, "take the quotes off");
		diag_help(d, "write `%.*s` without quotes", (int)k->text.n, k->text.p);
	} else if (want->kind != TYPE_RECORD || !help_library(c, d, as_name(c, k->text))) {
		note_values(c, d, want);
	}
}

static void add_number_helps(struct check *c, struct diag *d, ir_id node, const struct type *want)
{
	const struct ir_node *n = &c->p->nodes.at[node];
	const struct ir_constant *k = ir_constant_of(c->p, node);
	int64_t value;

	if (want->kind == TYPE_NUMBER && is_plain(n->type) && is_plain(want) &&
	    n->type->exactness == EXACT_REAL) {
		diag_help(d, "round it with `floor`, `round` or `ceil`");
	} else if (want->kind == TYPE_NUMBER) {
		help_units(c, d, n, want);
	} else if (want->kind == TYPE_BOOL && k && num_fits_int64(k->number, &value) &&
		   (value == 0 || value == 1)) {
		diag_help(d, "write `%s`", value == 1 ? "true" : "false");
		diag_fix(d, n->span, value == 1 ? STR("true") : STR("false"), "write it as a truth value");
	}
}

static void add_helps(struct check *c, struct diag *d, ir_id node, const struct type *want)
{
	const struct type *have = c->p->nodes.at[node].type, *plain = strip_option(want);

	if (have->kind == TYPE_NUMBER)
		add_number_helps(c, d, node, plain);
	if (have->kind == TYPE_STRING)
		help_quotes(c, d, node, plain);
	else if (plain->kind == TYPE_LAYOUT)
		diag_help(d, "a layout is made by even(), balanced(), ends(), counts([...]) or stages(\"...\")");
	else if (plain->kind == TYPE_STRING && have->kind != TYPE_RECORD)
		diag_help(d, "write it as text with `\"{...}\"`");
	else if (plain->kind == TYPE_MAP)
		diag_help(d, "a map is written as its pairs: `[(key, value), ...]`");
	else if (plain->kind == TYPE_LIST && (have->kind == TYPE_TUPLE || type_fits(c, have, plain->of)))
		diag_help(d, "a list is written in brackets: `[...]`");
	else if (have->kind != TYPE_RECORD && !note_values(c, d, plain) && plain->kind == TYPE_RECORD)
		diag_help(d, "a record is written `{ name = value }`");
}

static ir_id report_mismatch(struct check *c, ir_id node, const struct type *want, const struct goal *goal)
{
	struct ir_node n = c->p->nodes.at[node];
	enum diag_code code = goal->code != DIAG_NONE ? goal->code : E1101;
	struct diag *d;

	if (n.type->kind == TYPE_OPTION && type_fits(c, n.type->of, want)) {
		d = diag_new(c->sink, E1107, n.span);
		diag_message(d, "%s is %s, but this may be `none`", goal->what, type_phrase(c, want));
		diag_help(d, "say what holds then with `?? ...`, or ask `!= none` first");
	} else {
		d = diag_new(c->sink, code, n.span);
		diag_message(d, "%s is %s, but this is %s", goal->what, type_phrase(c, want),
			     type_phrase(c, n.type));
		add_helps(c, d, node, want);
	}
	if (goal->declared.file != SPAN_NONE.file &&
	    !source_get(c->p->sources, goal->declared.file)->library)
		diag_label(d, goal->declared, "%s", goal->label ? goal->label : "declared here");
	diag_submit(d);
	return ir_add_poison(c->p, n.span);
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* An ordinal where its enum belongs: 1 for the second value. Folded when it is a constant in range. */
static ir_id ordinal_to_enum(struct check *c, ir_id node, const struct type *want)
{
	struct ir_node n = c->p->nodes.at[node];
	const struct ir_constant *k = ir_constant_of(c->p, node);
	int64_t ordinal;

	if (k && num_fits_int64(k->number, &ordinal) && ordinal >= 0 &&
	    ordinal < (int64_t)c->p->enums.at[want->index].count)
		return ir_add_enum(c->p, want, n.span, (uint32_t)ordinal);
	return ir_add(c->p, IR_TO_ENUM, want, n.span, node, 0, 0);
}

static ir_id to_int(struct check *c, ir_id node)
{
	struct ir_node n = c->p->nodes.at[node];
	ir_id folded = ir_fold(c->p, IR_TO_INT, c->t.integer, n.span, node, node);

	return folded != IR_NO_NODE ? folded
				    : ir_add(c->p, IR_TO_INT, c->t.integer, n.span, node, 0, 0);
}

ir_id coerce(struct check *c, ir_id node, const struct type *want, const struct goal *goal)
{
	const struct type *have = ir_type(c->p, node);
	const struct type *plain = strip_option(want);

	if (type_fits(c, have, want))
		return node;
	if (is_plain(have) && is_plain(plain) && plain->exactness == EXACT_INT &&
	    have->exactness == EXACT_RATIONAL)
		return to_int(c, node);
	if (is_plain(have) && have->exactness == EXACT_INT && plain->kind == TYPE_ENUM &&
	    c->p->enums.at[plain->index].ordinals)
		return ordinal_to_enum(c, node, plain);
	if (plain->kind == TYPE_MAP && have->kind == TYPE_LIST && type_fits(c, have->of, plain->of))
		return ir_add(c->p, IR_TO_MAP, plain, c->p->nodes.at[node].span, node, 0, 0);
	return report_mismatch(c, node, want, goal);
}
