/* binary.c - operators: what they take, what they give. */
#include "compiler/check/check_int.h"

static ir_id poison(struct check *c, const struct ast *x)
{
	return ir_add_poison(c->p, x->span);
}

/* A name that means nothing by itself; the type of the other side may say what it is. */
static bool needs_other_side(struct check *c, const struct env *e, const struct ast *x)
{
	struct meaning m;

	if (x->kind == AST_GROUP)
		return needs_other_side(c, e, x->group.inner);
	if (x->kind == AST_RECORD)
		return true;
	if (x->kind != AST_NAME)
		return false;
	m = name_meaning(c, e, x->ident.name.sym, NULL);
	return m.kind == MEANS_NOTHING ||
	       (m.kind == MEANS_DECL && (m.decl->kind == DECL_SCHEMA || m.decl->kind == DECL_ENUM ||
					 m.decl->kind == DECL_FN || m.decl->kind == DECL_MODULE));
}

static void lower_pair(struct check *c, const struct env *e, struct ast *x, ir_id *l, ir_id *r)
{
	struct ast *left = x->binary.left, *right = x->binary.right;

	if (needs_other_side(c, e, left) && !needs_other_side(c, e, right)) {
		*r = infer(c, e, right, NULL);
		*l = infer(c, e, left, ir_type(c->p, *r));
	} else {
		*l = infer(c, e, left, NULL);
		*r = infer(c, e, right, ir_type(c->p, *l));
	}
}

/* ---- messages -------------------------------------------------------------------------------- */

static const char *verb_of(enum ast_op op)
{
	if (op == OP_ADD)
		return "added";
	if (op == OP_SUB)
		return "subtracted";
	if (op == OP_MUL)
		return "multiplied";
	if (op == OP_DIV || op == OP_INT_DIV || op == OP_MOD)
		return "divided";
	return "compared";
}

/* For a sum of a time and bytes: the rate that turns one into the other. */
static void help_rate(struct check *c, struct diag *d, struct dimension left, struct dimension right)
{
	static const struct dimension rates[] = {
		{ 1, -1, 0, 0, 0 }, { 0, -1, 1, 0, 0 }, { 0, -1, 0, 1, 0 }, { 0, -1, 0, 0, 1 },
	};
	struct dimension over = dim_divide(left, right), under = dim_divide(right, left);
	struct out o;

	out_init(&o, c->arena);
	for (size_t i = 0; i < PLAN_COUNT(rates); i++) {
		if (!dim_equal(rates[i], over) && !dim_equal(rates[i], under))
			continue;
		dim_print(&o, rates[i]);
		diag_help(d, "%s the right side by a `%.*s` rate",
			  dim_equal(rates[i], over) ? "multiply" : "divide", (int)o.n, o.p);
		return;
	}
}

static ir_id report_dimensions(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct ir_node left = c->p->nodes.at[l], right = c->p->nodes.at[r];
	struct diag *d = diag_new(c->sink, E1103, x->span);

	diag_message(d, "these two cannot be %s", verb_of(op));
	diag_label(d, left.span, "%s", type_text(c, left.type));
	diag_label(d, right.span, "%s", type_text(c, right.type));
	diag_note(d, "left:  %s", type_text(c, left.type));
	diag_note(d, "right: %s", type_text(c, right.type));
	if (dim_is_one(left.type->dim) || dim_is_one(right.type->dim))
		diag_help(d, "write a unit at the plain number, or divide the other by one");
	else
		help_rate(c, d, left.type->dim, right.type->dim);
	diag_submit(d);
	return poison(c, x);
}

static ir_id report_operand(struct check *c, struct ast *x, enum ast_op op, ir_id operand)
{
	struct ir_node n = c->p->nodes.at[operand];
	struct diag *d;

	if (n.type->kind == TYPE_OPTION || n.type->kind == TYPE_NONE) {
		d = diag_new(c->sink, E1107, n.span);
		diag_message(d, "this may be `none`, and `%s` needs a value", ast_op_text(op));
		diag_help(d, "say what holds then with `?? ...`, or ask `!= none` first");
	} else {
		d = diag_new(c->sink, E1102, n.span);
		diag_message(d, "`%s` does not take %s", ast_op_text(op), type_phrase(c, n.type));
		if (n.type->kind == TYPE_STRING && op == OP_ADD)
			diag_help(d, "texts are joined in a template: `\"{a}{b}\"`");
		else if (n.type->kind == TYPE_STRING && op >= OP_LT && op <= OP_GE)
			diag_help(d, "versions are compared with `at_least(version, text)`");
		else if (n.type->kind == TYPE_LIST && op == OP_ADD)
			diag_help(d, "lists are joined with lists; the sum of one is `sum(list)`");
	}
	diag_submit(d);
	return poison(c, x);
}

/* `400 GB/sec`, `400 GB/ s`: no name, but the rest of a unit. */
static bool report_cut_unit(struct check *c, const struct env *e, const struct ast *x)
{
	const struct ast *left = x->binary.left, *right = x->binary.right;
	struct str over, under, repair;
	struct span at = right->span;
	const char *hint;
	struct out unit;
	struct diag *d;

	if (x->binary.op != OP_DIV || left->kind != AST_QUANTITY || right->kind != AST_NAME ||
	    name_meaning(c, e, right->ident.name.sym, NULL).kind != MEANS_NOTHING)
		return false;
	over = left->quantity.unit;
	under = sym_str(c->names, right->ident.name.sym);
	out_init(&unit, c->arena);
	out_printf(&unit, "%.*s/%.*s", (int)over.n, over.p, (int)under.n, under.p);
	hint = unit_hint(c->arena, out_view(&unit), &repair);
	if (!hint && !is_unit(c, out_view(&unit)))
		return false;
	at.lo = left->span.hi - over.n;
	d = diag_new(c->sink, E0301, at);
	if (hint) {
		diag_message(d, "`%.*s` is not a unit", (int)unit.n, unit.p);
		diag_help(d, "%s", hint);
	} else {
		diag_message(d, "a unit has no spaces around its `/`");
		repair = out_view(&unit);
		diag_help(d, "write `%.*s`", (int)repair.n, repair.p);
	}
	if (repair.n > 0)
		diag_fix(d, at, repair, "correct the unit");
	diag_submit(d);
	return true;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static enum ir_op ir_op_of(enum ast_op op)
{
	static const enum ir_op table[] = {
		[OP_IMPLIES] = IR_IMPLIES, [OP_OR] = IR_OR,   [OP_AND] = IR_AND,
		[OP_NOT] = IR_NOT,         [OP_EQ] = IR_EQ,   [OP_NE] = IR_NE,
		[OP_LT] = IR_LT,           [OP_GT] = IR_GT,   [OP_LE] = IR_LE,
		[OP_GE] = IR_GE,           [OP_IN] = IR_IN,   [OP_COALESCE] = IR_COALESCE,
		[OP_ADD] = IR_ADD,         [OP_SUB] = IR_SUB, [OP_MUL] = IR_MUL,
		[OP_DIV] = IR_DIV,         [OP_INT_DIV] = IR_INT_DIV, [OP_MOD] = IR_MOD,
		[OP_NEG] = IR_NEG,         [OP_POW] = IR_POW,
	};

	return table[op];
}

static ir_id make(struct check *c, enum ast_op op, const struct type *type, struct span span, ir_id l,
		  ir_id r)
{
	ir_id folded = ir_fold(c->p, ir_op_of(op), type, span, l, r);

	return folded != IR_NO_NODE ? folded : ir_add(c->p, ir_op_of(op), type, span, l, r, 0);
}

static enum exactness wider(const struct type *a, const struct type *b)
{
	return a->exactness > b->exactness ? a->exactness : b->exactness;
}

/* A ratio stays one under + and -, and when it is divided by a plain number or scaled nowhere else. */
static const struct type *sum_type(struct check *c, const struct type *a, const struct type *b)
{
	return type_join(c, a, b);
}

static const struct type *product_type(struct check *c, const struct type *a, const struct type *b)
{
	struct dimension d = dim_multiply(a->dim, b->dim);
	enum exactness e = wider(a, b);

	/* bytes * 1/bytes may hold a measured value and need not be whole. */
	if (dim_is_one(d) && !dim_is_one(a->dim) && e == EXACT_INT)
		e = EXACT_RATIONAL;
	return type_number(c->p->types, d, e);
}

static const struct type *quotient_type(struct check *c, const struct type *a, const struct type *b)
{
	enum exactness e = wider(a, b);

	return type_number(c->p->types, dim_divide(a->dim, b->dim), e == EXACT_REAL ? e : EXACT_RATIONAL);
}

static ir_id lower_power(struct check *c, struct ast *x, ir_id l, ir_id r)
{
	const struct type *base = ir_type(c->p, l), *exponent = ir_type(c->p, r);
	const struct ir_constant *k = ir_constant_of(c->p, r);
	struct dimension d = { 0, 0, 0, 0, 0 };
	int64_t n;

	if (!is_plain(exponent))
		return report_operand(c, x, OP_POW, r);
	if (k && num_fits_int64(k->number, &n) && n >= -20 && n <= 20) {
		for (int64_t i = 0; i < (n < 0 ? -n : n); i++)
			d = n < 0 ? dim_divide(d, base->dim) : dim_multiply(d, base->dim);
		if (base->exactness == EXACT_INT && is_plain(base) && n >= 0)
			return make(c, OP_POW, c->t.integer, x->span, l, r);
		return make(c, OP_POW,
			    type_number(c->p->types, d, base->exactness == EXACT_REAL ? EXACT_REAL : EXACT_RATIONAL),
			    x->span, l, r);
	}
	if (!is_plain(base)) {
		diag_report(c->sink, E1102, x->span,
			    "a quantity takes a small whole number as its exponent, written out");
		return poison(c, x);
	}
	if (exponent->exactness == EXACT_INT && k && num_sign(k->number) >= 0)
		return make(c, OP_POW, base->percent ? c->t.rational : base, x->span, l, r);
	return make(c, OP_POW,
		    exponent->exactness == EXACT_INT && base->exactness != EXACT_REAL ? c->t.rational : c->t.real,
		    x->span, l, r);
}

static ir_id lower_whole(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct type *a = ir_type(c->p, l), *b = ir_type(c->p, r);

	if (!dim_equal(a->dim, b->dim))
		return report_dimensions(c, x, op, l, r);
	if (op == OP_INT_DIV)
		return make(c, op, c->t.integer, x->span, l, r);
	return make(c, op, sum_type(c, a, b), x->span, l, r);
}

ir_id lower_arithmetic(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct type *a = ir_type(c->p, l), *b = ir_type(c->p, r);

	if (is_poison(a) || is_poison(b))
		return poison(c, x);
	if (a->kind != TYPE_NUMBER)
		return report_operand(c, x, op, l);
	if (b->kind != TYPE_NUMBER)
		return report_operand(c, x, op, r);
	if (op == OP_MUL)
		return make(c, op, product_type(c, a, b), x->span, l, r);
	if (op == OP_DIV)
		return make(c, op, quotient_type(c, a, b), x->span, l, r);
	if (op == OP_POW)
		return lower_power(c, x, l, r);
	if (op == OP_INT_DIV || op == OP_MOD)
		return lower_whole(c, x, op, l, r);
	if (!dim_equal(a->dim, b->dim))
		return report_dimensions(c, x, op, l, r);
	return make(c, op, sum_type(c, a, b), x->span, l, r);
}

ir_id lower_unary(struct check *c, const struct env *e, struct ast *x)
{
	ir_id operand;
	const struct type *t;

	if (x->unary.op == OP_NOT) {
		operand = lower_condition(c, e, x->unary.operand, "the operand of `not`");
		return ir_add(c->p, IR_NOT, c->t.boolean, x->span, operand, 0, 0);
	}
	operand = infer(c, e, x->unary.operand, NULL);
	t = ir_type(c->p, operand);
	if (is_poison(t))
		return poison(c, x);
	if (t->kind != TYPE_NUMBER)
		return report_operand(c, x, OP_NEG, operand);
	return make(c, OP_NEG, t, x->span, operand, operand);
}

/* ---- comparison ------------------------------------------------------------------------------ */

/* An ordinal next to its enum becomes a value of it. */
static void meet_ordinals(struct check *c, ir_id *l, ir_id *r)
{
	const struct type *a = strip_option(ir_type(c->p, *l)), *b = strip_option(ir_type(c->p, *r));
	struct goal goal = { .what = "the other side", .declared = SPAN_NONE };

	if (a->kind == TYPE_ENUM && is_plain(b) && c->p->enums.at[a->index].ordinals)
		*r = coerce(c, *r, a, &goal);
	else if (b->kind == TYPE_ENUM && is_plain(a) && c->p->enums.at[b->index].ordinals)
		*l = coerce(c, *l, b, &goal);
}

static ir_id report_comparison(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct ir_node left = c->p->nodes.at[l], right = c->p->nodes.at[r];
	struct diag *d = diag_new(c->sink, E1102, x->span);

	diag_message(d, "`%s` cannot compare %s with %s", ast_op_text(op), type_phrase(c, left.type),
		     type_phrase(c, right.type));
	diag_label(d, left.span, "%s", type_text(c, left.type));
	diag_label(d, right.span, "%s", type_text(c, right.type));
	diag_submit(d);
	return poison(c, x);
}

static bool comparable(const struct type *t)
{
	return t->kind != TYPE_TABLE && t->kind != TYPE_MAP && t->kind != TYPE_ARG && t->kind != TYPE_ANY;
}

static ir_id compare_equal(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct type *a = strip_option(ir_type(c->p, l)), *b = strip_option(ir_type(c->p, r));
	struct diag *d;

	if (a->kind == TYPE_NUMBER && b->kind == TYPE_NUMBER) {
		if (!dim_equal(a->dim, b->dim))
			return report_dimensions(c, x, op, l, r);
		if (is_plain(a) && wider(a, b) == EXACT_REAL) {
			d = diag_new(c->sink, E1109, x->span);
			diag_message(d, "`%s` on a real number depends on its last digit",
				     ast_op_text(op));
			diag_help(d, "write `a within 0.1%% of b`");
			diag_submit(d);
			return poison(c, x);
		}
	} else if (a->kind != TYPE_NONE && b->kind != TYPE_NONE &&
		   (!type_join(c, a, b) || !comparable(a))) {
		return report_comparison(c, x, op, l, r);
	}
	return ir_add(c->p, ir_op_of(op), c->t.boolean, x->span, l, r, 0);
}

static ir_id compare_order(struct check *c, struct ast *x, enum ast_op op, ir_id l, ir_id r)
{
	const struct type *a = ir_type(c->p, l), *b = ir_type(c->p, r);

	if (a->kind != TYPE_NUMBER && a->kind != TYPE_ENUM)
		return report_operand(c, x, op, l);
	if (b->kind != TYPE_NUMBER && b->kind != TYPE_ENUM)
		return report_operand(c, x, op, r);
	if (a->kind == TYPE_NUMBER && b->kind == TYPE_NUMBER && !dim_equal(a->dim, b->dim))
		return report_dimensions(c, x, op, l, r);
	if (a->kind != b->kind || (a->kind == TYPE_ENUM && a != b))
		return report_comparison(c, x, op, l, r);
	return ir_add(c->p, ir_op_of(op), c->t.boolean, x->span, l, r, 0);
}

static ir_id lower_comparison(struct check *c, const struct env *e, struct ast *x)
{
	enum ast_op op = x->binary.op;
	ir_id l, r;

	lower_pair(c, e, x, &l, &r);
	if (is_poison(ir_type(c->p, l)) || is_poison(ir_type(c->p, r)))
		return poison(c, x);
	meet_ordinals(c, &l, &r);
	if (is_poison(ir_type(c->p, l)) || is_poison(ir_type(c->p, r)))
		return poison(c, x);
	return op == OP_EQ || op == OP_NE ? compare_equal(c, x, op, l, r) : compare_order(c, x, op, l, r);
}

static bool is_list_form(const struct ast *x)
{
	return x->kind == AST_GROUP ? is_list_form(x->group.inner) : x->kind == AST_LIST_OF;
}

/* A written-out list takes the type of what is looked for; any other list gives it, and a map that of its keys. */
static ir_id lower_in(struct check *c, const struct env *e, struct ast *x)
{
	struct ast *left = x->binary.left, *right = x->binary.right;
	struct goal goal = { .what = "an element of the list", .declared = SPAN_NONE };
	ir_id l = IR_NO_NODE, r;
	const struct type *list, *of;

	if (is_list_form(right) && !needs_other_side(c, e, left)) {
		const struct type *t;

		l = infer(c, e, left, NULL);
		t = strip_option(ir_type(c->p, l));
		r = infer(c, e, right, type_list(c->p->types, t));
	} else {
		r = infer(c, e, right, NULL);
	}
	list = ir_type(c->p, r);
	if (is_poison(list))
		return poison(c, x);
	if (list->kind != TYPE_LIST && list->kind != TYPE_MAP)
		return report_operand(c, x, OP_IN, r);
	of = list->kind == TYPE_MAP ? list->of->items[0] : list->of;
	if (l == IR_NO_NODE)
		l = infer(c, e, left, of);
	if (is_poison(ir_type(c->p, l)))
		return poison(c, x);
	if (of->kind == TYPE_ENUM && ir_type(c->p, l)->kind == TYPE_NUMBER)
		l = coerce(c, l, of, &goal);
	if (is_poison(ir_type(c->p, l)))
		return poison(c, x);
	if (!type_join(c, strip_option(ir_type(c->p, l)), strip_option(of)))
		return report_comparison(c, x, OP_IN, l, r);
	return ir_add(c->p, IR_IN, c->t.boolean, x->span, l, r, 0);
}

ir_id lower_within(struct check *c, const struct env *e, struct ast *x)
{
	ir_id value = infer(c, e, x->within.value, NULL);
	ir_id tolerance = infer(c, e, x->within.tolerance, NULL);
	ir_id of = infer(c, e, x->within.of, ir_type(c->p, value));
	ir_id all[] = { value, tolerance, of };
	const struct type *t = ir_type(c->p, tolerance);

	for (size_t i = 0; i < PLAN_COUNT(all); i++) {
		if (is_poison(ir_type(c->p, all[i])))
			return poison(c, x);
		if (ir_type(c->p, all[i])->kind != TYPE_NUMBER) {
			diag_report(c->sink, E1102, c->p->nodes.at[all[i]].span,
				    "`within` compares numbers, but this is %s",
				    type_phrase(c, ir_type(c->p, all[i])));
			return poison(c, x);
		}
	}
	if (!dim_equal(ir_type(c->p, value)->dim, ir_type(c->p, of)->dim))
		return report_dimensions(c, x, OP_EQ, value, of);
	if (!is_plain(t) && !dim_equal(t->dim, ir_type(c->p, of)->dim))
		return report_dimensions(c, x, OP_EQ, tolerance, of);
	return ir_add(c->p, IR_WITHIN, c->t.boolean, x->span, value, tolerance, of);
}

/* The operands of `+`, `-` and so on. Lists are joined with `+`; their elements may need the type wanted. */
static ir_id lower_sum(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	const struct type *wanted = hint && strip_option(hint)->kind == TYPE_LIST ? strip_option(hint) : NULL;
	ir_id l = infer(c, e, x->binary.left, wanted), r;
	const struct type *a = ir_type(c->p, l), *both;

	r = infer(c, e, x->binary.right, a->kind == TYPE_LIST ? a : NULL);
	if (x->binary.op != OP_ADD || a->kind != TYPE_LIST || ir_type(c->p, r)->kind != TYPE_LIST)
		return lower_arithmetic(c, x, x->binary.op, l, r);
	both = type_join(c, a, ir_type(c->p, r));
	if (both)
		return ir_add(c->p, IR_ADD, both, x->span, l, r, 0);
	diag_report(c->sink, E1101, c->p->nodes.at[r].span, "the left of `+` is %s, but this is %s",
		    type_phrase(c, a), type_phrase(c, ir_type(c->p, r)));
	return poison(c, x);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static ir_id lower_logic(struct check *c, const struct env *e, struct ast *x)
{
	enum ast_op op = x->binary.op;
	struct env right = *e;
	struct out o;
	const char *what;
	ir_id l, r;

	out_init(&o, c->arena);
	out_printf(&o, "either side of `%s`", ast_op_text(op));
	what = str_copy(c->arena, out_view(&o)).p;
	l = lower_condition(c, e, x->binary.left, what);
	right.facts = facts_of(c, e, x->binary.left, op != OP_OR, e->facts);
	if (is_poison(ir_type(c->p, l)))
		return poison(c, x);
	r = lower_condition(c, &right, x->binary.right, what);
	if (is_poison(ir_type(c->p, r)))
		return poison(c, x);
	return ir_add(c->p, ir_op_of(op), c->t.boolean, x->span, l, r, 0);
}

static ir_id lower_coalesce(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	ir_id l = infer(c, e, x->binary.left, hint), r;
	const struct type *a = strip_option(ir_type(c->p, l)), *type;

	r = infer(c, e, x->binary.right, hint && a->kind == TYPE_NONE ? hint : a);
	if (is_poison(a) || is_poison(ir_type(c->p, r)))
		return poison(c, x);
	type = a->kind == TYPE_NONE ? ir_type(c->p, r) : type_join(c, a, ir_type(c->p, r));
	if (type)
		return ir_add(c->p, IR_COALESCE, type, x->span, l, r, 0);
	diag_report(c->sink, E1101, c->p->nodes.at[r].span,
		    "the left of `??` is %s, but this is %s", type_phrase(c, a),
		    type_phrase(c, ir_type(c->p, r)));
	return poison(c, x);
}

ir_id lower_binary(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	switch (x->binary.op) {
	case OP_AND:
	case OP_OR:
	case OP_IMPLIES:
		return lower_logic(c, e, x);
	case OP_EQ:
	case OP_NE:
	case OP_LT:
	case OP_GT:
	case OP_LE:
	case OP_GE:
		return lower_comparison(c, e, x);
	case OP_IN:
		return lower_in(c, e, x);
	case OP_COALESCE:
		return lower_coalesce(c, e, x, hint);
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_DIV:
	case OP_INT_DIV:
	case OP_MOD:
	case OP_POW:
		if (report_cut_unit(c, e, x))
			return poison(c, x);
		return lower_sum(c, e, x, hint);
	case OP_NOT:
	case OP_NEG:
		break;
	}
	return poison(c, x);
}
