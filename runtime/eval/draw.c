/* draw.c - values of a condition, each with the column of the source it belongs under.
 *
 * Evaluation is pure, so nothing is recorded while a condition is tested: once it has failed, its
 * parts are simply evaluated again, from the outside in, and only those that decided are shown.
 * Names, paths and calls stand under their first character, results under their operator. Literals
 * are skipped.
 */
#include "runtime/eval/eval_int.h"

enum { SHOWN_MAX = 40, VALUES_MAX = 60 };

struct drawing {
	struct eval *ev;
	struct diag *diag;
	struct span within;
};

static bool inside(const struct drawing *g, struct span at)
{
	return at.file == g->within.file && at.lo >= g->within.lo && at.hi <= g->within.hi &&
	       at.lo < at.hi;
}

static const struct type *plain_type(const struct type *t)
{
	while (t && t->kind == TYPE_OPTION)
		t = t->of;
	return t;
}

static struct str shown_text(struct eval *ev, struct value v, const struct type *t)
{
	struct out o;
	out_init(&o, ev->arena);
	value_print(&o, ev->program, v, t);
	if (o.n <= SHOWN_MAX)
		return str_copy(ev->arena, out_view(&o));
	uint32_t n = SHOWN_MAX - 3;
	while (n > 0 && ((unsigned char)o.p[n] & 0xC0) == 0x80)
		n--;
	struct out cut;
	out_init(&cut, ev->arena);
	out_bytes(&cut, o.p, n);
	out_text(&cut, "...");
	return str_copy(ev->arena, out_view(&cut));
}

static void add_value(struct drawing *g, struct span at, struct value v, const struct type *t)
{
	if (v.kind == VALUE_POISON || !inside(g, at) || g->diag->values.n >= VALUES_MAX)
		return;
	struct diag_value shown = { .span = at, .text = shown_text(g->ev, v, t) };
	if (value_is_number(v)) {
		shown.has_number = true;
		shown.number = value_to_double(v);
		shown.unit = type_base_unit(g->ev->arena, plain_type(t));
	}
	diag_value(g->diag, shown);
}

static struct value evaluate(struct drawing *g, ir_id id, struct scope scope)
{
	return eval_node(g->ev, id, scope);
}

static void show_node(struct drawing *g, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(g->ev, id);
	add_value(g, n->span, evaluate(g, id, scope), n->type);
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '`';
}

static bool is_path(struct str s)
{
	for (uint32_t i = 0; i < s.n; i++) {
		if (!is_name_char(s.p[i]))
			return false;
	}
	return s.n > 0 && !(s.p[0] >= '0' && s.p[0] <= '9') && s.p[0] != '.';
}

/* The node is written as a name or a path: one value, whatever it stands for. */
static bool is_path_text(const struct drawing *g, ir_id id)
{
	return is_path(source_slice(g->ev->program->sources, node_at(g->ev, id)->span));
}

/* ---- operators ------------------------------------------------------------------------------- */

/* The operator stands between its operands, after blanks, comments and closing parentheses. */
static struct span operator_between(const struct drawing *g, struct span a, struct span b)
{
	if (!inside(g, a) || !inside(g, b) || a.hi >= b.lo)
		return SPAN_NONE;
	struct str text = source_get(g->ev->program->sources, a.file)->text;
	uint32_t at = a.hi;
	while (at < b.lo && strchr(" \t\n)", text.p[at])) {
		at++;
		while (at < b.lo && text.p[at] == '#') {
			while (at < b.lo && text.p[at] != '\n')
				at++;
		}
	}
	uint32_t end = at;
	while (end < b.lo && !strchr(" \t\n(#", text.p[end]))
		end++;
	return at < end ? (struct span){ a.file, at, end } : SPAN_NONE;
}

static void walk(struct drawing *g, ir_id id, struct scope scope);

/* Whether the second operand was looked at. */
static bool second_decided(struct drawing *g, const struct ir_node *n, struct scope scope)
{
	if (n->op == IR_COALESCE)
		return evaluate(g, n->a, scope).kind == VALUE_NONE;
	if (n->op != IR_AND && n->op != IR_OR && n->op != IR_IMPLIES)
		return true;
	struct value a = evaluate(g, n->a, scope);
	return a.kind == VALUE_BOOL && a.truth == (n->op != IR_OR);
}

static void walk_binary(struct drawing *g, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(g->ev, id);
	struct span at =
		operator_between(g, node_at(g->ev, n->a)->span, node_at(g->ev, n->b)->span);
	walk(g, n->a, scope);
	add_value(g, at, evaluate(g, id, scope), n->type);
	if (second_decided(g, n, scope))
		walk(g, n->b, scope);
}

static void walk_within(struct drawing *g, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(g->ev, id);
	struct span at =
		operator_between(g, node_at(g->ev, n->a)->span, node_at(g->ev, n->b)->span);
	walk(g, n->a, scope);
	add_value(g, at, evaluate(g, id, scope), n->type);
	walk(g, n->b, scope);
	walk(g, n->c, scope);
}

static void walk_prefix(struct drawing *g, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(g->ev, id);
	if (node_at(g->ev, n->a)->op == IR_CONST)
		return;
	show_node(g, id, scope);
	walk(g, n->a, scope);
}

/* ---- calls and paths ------------------------------------------------------------------------- */

/* The element that decided an `all` or `any`: the first whose body is `wanted`. */
static void walk_deciding_element(struct drawing *g, const struct ir_node *n, bool wanted,
				  struct scope scope)
{
	struct value all = evaluate(g, n->a, scope);
	if (all.kind != VALUE_LIST && all.kind != VALUE_TABLE)
		return;
	for (uint32_t i = 0; i < sequence_count(all); i++) {
		struct scope inner = scope;
		inner.frame = frame_push(g->ev, sequence_get(g->ev, all, i), scope.frame);
		if (n->c != IR_NO_NODE && !evaluate(g, n->c, inner).truth)
			continue;
		struct value v = evaluate(g, n->b, inner);
		if (v.kind != VALUE_BOOL || v.truth != wanted)
			continue;
		walk(g, n->b, inner);
		return;
	}
}

static void walk_arguments(struct drawing *g, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(g->ev, id);
	bool quantifier = n->op == IR_BUILTIN && (n->a == BUILTIN_ALL || n->a == BUILTIN_ANY);
	for (uint32_t i = 0; i < n->c; i++) {
		ir_id arg = list_item(g->ev, n->b, i);
		const struct ir_node *a = node_at(g->ev, arg);
		if (quantifier && a->op == IR_COMPREHEND)
			walk_deciding_element(g, a, n->a == BUILTIN_ANY, scope);
		walk(g, arg, scope);
	}
}

/* Of `levels[i].size` only `i` is left to show: the path itself has its value already. */
static void walk_indices(struct drawing *g, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(g->ev, id);
	if (n->op == IR_FIELD || n->op == IR_LAYOUT_MEMBER) {
		walk_indices(g, n->a, scope);
	} else if (n->op == IR_INDEX) {
		walk_indices(g, n->a, scope);
		walk(g, n->b, scope);
	} else if (n->op == IR_CALL || n->op == IR_BUILTIN) {
		walk_arguments(g, id, scope);
	}
}

static void walk_list(struct drawing *g, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(g->ev, id);
	for (uint32_t i = 0; i < n->b; i++)
		walk(g, list_item(g->ev, n->a, i), scope);
}

/* ---- choices --------------------------------------------------------------------------------- */

static void walk_if(struct drawing *g, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(g->ev, id);
	struct value c = evaluate(g, n->a, scope);
	walk(g, n->a, scope);
	if (c.kind == VALUE_BOOL)
		walk(g, c.truth ? n->b : n->c, scope);
}

static void walk_range(struct drawing *g, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(g->ev, id);
	walk(g, n->a, scope);
	walk(g, n->b, scope);
	if (n->c != IR_NO_NODE)
		walk(g, n->c, scope);
}

typedef void walker(struct drawing *g, ir_id id, struct scope scope);

static void walk_operand(struct drawing *g, ir_id id, struct scope scope)
{
	walk(g, node_at(g->ev, id)->a, scope);
}

static void walk_shown_path(struct drawing *g, ir_id id, struct scope scope)
{
	show_node(g, id, scope);
	walk_indices(g, id, scope);
}

/* What is not listed (constants, texts, records) is not drawn. Of a comprehension only the list it
 * goes through has one value. */
static walker *const walkers[IR_OP_COUNT] = {
	[IR_SELF] = show_node,          [IR_SLOT] = show_node,
	[IR_GLOBAL] = show_node,        [IR_LOCAL] = show_node,
	[IR_FIELD] = walk_shown_path,   [IR_LAYOUT_MEMBER] = walk_shown_path,
	[IR_INDEX] = walk_shown_path,   [IR_CALL] = walk_shown_path,
	[IR_BUILTIN] = walk_shown_path, [IR_LIST] = walk_list,
	[IR_TUPLE] = walk_list,         [IR_COMPREHEND] = walk_operand,
	[IR_RANGE] = walk_range,        [IR_IF] = walk_if,
	[IR_MATCH] = walk_operand,      [IR_TO_INT] = walk_operand,
	[IR_TO_MAP] = walk_operand,
	[IR_TO_ENUM] = walk_operand,    [IR_WITHIN] = walk_within,
	[IR_NOT] = walk_prefix,         [IR_NEG] = walk_prefix,
	[IR_AND] = walk_binary,         [IR_OR] = walk_binary,
	[IR_IMPLIES] = walk_binary,     [IR_EQ] = walk_binary,
	[IR_NE] = walk_binary,          [IR_LT] = walk_binary,
	[IR_LE] = walk_binary,          [IR_GT] = walk_binary,
	[IR_GE] = walk_binary,          [IR_IN] = walk_binary,
	[IR_COALESCE] = walk_binary,    [IR_ADD] = walk_binary,
	[IR_SUB] = walk_binary,         [IR_MUL] = walk_binary,
	[IR_DIV] = walk_binary,         [IR_INT_DIV] = walk_binary,
	[IR_MOD] = walk_binary,         [IR_POW] = walk_binary,
};

/* A `let` whose value is a constant; not a literal, nor a value of an enum. */
static bool is_named_constant(const struct drawing *g, const struct ir_node *n)
{
	if (n->op != IR_CONST)
		return false;
	enum constant_kind kind = g->ev->program->constants.at[n->a].kind;
	return (kind == CONSTANT_NUMBER || kind == CONSTANT_STRING) &&
	       is_path(source_slice(g->ev->program->sources, n->span));
}

static void walk(struct drawing *g, ir_id id, struct scope scope)
{
	const struct ir_node *n = node_at(g->ev, id);
	walker *go = walkers[n->op];
	if (!inside(g, n->span) || (!go && !is_named_constant(g, n)))
		return;
	if (!go || is_path_text(g, id))
		show_node(g, id, scope);
	else
		go(g, id, scope);
}

void draw_node(struct eval *ev, struct diag *d, ir_id node, struct scope scope)
{
	if (d->sink->brief)
		return;
	draw_condition(ev, d, node, node_at(ev, node)->span, scope);
}

void draw_condition(struct eval *ev, struct diag *d, ir_id node, struct span at, struct scope scope)
{
	struct drawing g = { ev, d, at };
	/* Nobody will read it; and a part that fails while it is drawn must not be drawn in turn. */
	if (ev->sink->muted || !span_is_known(ev, at))
		return;
	/* Its parts were evaluated before: what they had to say was said. */
	bool muted = ev->sink->muted;
	ev->sink->muted = true;
	walk(&g, node, scope);
	ev->sink->muted = muted;
	if (d->values.n > 0 || span_is_library(ev, at))
		diag_draw(d, at);
}
