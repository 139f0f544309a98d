/* let.c - names for values inside a record, and the values of its fields.
 *
 * A `let` is no slot: its uses refer to the same node. A nested record is evaluated as another record
 * than the one around it, so a `let` that reads fields reaches a nested record only as a local: the
 * value of the field is then wrapped in a list of one, gone through once, and a block that amends a field
 * is given the locals with its layer.
 */
#include "compiler/check/check_int.h"

void collect_lets(struct check *c, const struct env *e, struct ast_list items, struct lets *lets)
{
	lets->at = ARENA_ARRAY(c->arena, struct let *, items.n + 1);
	if (items.n > 0)
		map_init(&lets->by_name, c->arena);
	for (uint32_t i = 0; i < items.n; i++) {
		struct let *let;
		struct span first = SPAN_NONE;
		struct ast_name name;
		uint32_t slot, known;
		struct diag *d;

		if (items.at[i]->kind != AST_LET || items.at[i]->let.name.sym.id == 0)
			continue;
		name = items.at[i]->let.name;
		slot = e->schema != IR_NONE ? field_find(c, e->schema, name.sym) : IR_NONE;
		if (slot != IR_NONE)
			first = c->p->schemas.at[e->schema].fields[slot].span;
		known = map_find(&lets->by_name, name.sym.id);
		if (known != MAP_NONE)
			first = lets->at[known]->node->let.name.span;
		if (first.file != SPAN_NONE.file) {
			d = diag_new(c->sink, E1203, name.span);
			diag_message(d, "`%s` is declared twice", spell(c, name.sym));
			if (source_get(c->p->sources, first.file)->library)
				diag_note(d, "it is a field of `%s`",
					  spell(c, c->p->schemas.at[e->schema].name));
			else
				diag_label(d, first, "first here");
			diag_submit(d);
			continue;
		}
		let = ARENA_NEW(c->arena, struct let);
		*let = (struct let){ .name = name.sym, .node = items.at[i], .env = e };
		map_set(&lets->by_name, name.sym.id, lets->n);
		lets->at[lets->n++] = let;
	}
}

/* What is lowered below may find that it needs lets of this record as locals. */
struct capture_run {
	struct ast *x;
	const struct type *want;
	const struct goal *goal;
};

/* Makes lets of this record the locals of what is lowered with `inner` next; their values go to `values`, each
 * seeing those before it. */
static void enter_locals(struct check *c, const struct env *e, struct env *inner,
			 const struct captures *captures, ir_id *values)
{
	for (uint32_t i = 0; i < captures->lets.n; i++) {
		struct let *let = captures->lets.at[i];
		struct local *local = ARENA_NEW(c->arena, struct local);
		struct env at = *e;

		at.level = inner->level;
		values[i] = lower_let(c, &at, let, let->node->let.name.span);
		*local = (struct local){ .name = let->name, .type = ir_type(c->p, values[i]),
					 .level = inner->level, .captured = let, .outer = inner->locals };
		inner->locals = local;
		inner->level++;
	}
}

ir_id give_locals(struct check *c, const uint32_t *values, uint32_t n, ir_id body)
{
	const struct type *type = ir_type(c->p, body);
	struct span span = c->p->nodes.at[body].span;

	for (uint32_t i = n; i > 0 && !is_poison(type); i--) {
		ir_id value = values[i - 1], list, each, zero;

		list = ir_add(c->p, IR_LIST, type_list(c->p->types, ir_type(c->p, value)), span,
			      ir_add_list(c->p, &value, NULL, 1), 1, 0);
		each = ir_add(c->p, IR_COMPREHEND, type_list(c->p->types, type), span, list, body,
			      IR_NO_NODE);
		zero = ir_add_number(c->p, c->t.integer, span, num_int(0));
		body = ir_add(c->p, IR_INDEX, type, span, each, zero, 0);
	}
	return body;
}

static bool captured_before(const struct captures *captures, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (captures->lets.at[k] == captures->lets.at[i])
			return true;
	return false;
}

/* The lets that were asked for, each once; none when what was lowered is wrong anyway. */
static struct captures captures_of(struct check *c, const struct captures *asked, uint32_t errors)
{
	struct captures distinct = { 0 };

	for (uint32_t i = 0; i < asked->lets.n && c->sink->errors == errors; i++)
		if (!captured_before(asked, i))
			*VEC_ADD(c->arena, &distinct.lets) = asked->lets.at[i];
	return distinct;
}

/* First without locals; once more with those that a nested record asked for, until it asks for no others: what
 * stands behind the first name that is not there may not have been looked at. */
static ir_id lower_capturing(struct check *c, struct env *e, const struct capture_run *run)
{
	struct captures asked = { 0 }, distinct = { 0 }, more;
	uint32_t errors = c->sink->errors;
	struct env inner;
	ir_id node, *values = NULL;

	e->captures = &asked;
	node = lower(c, e, run->x, run->want, run->goal);
	while ((more = captures_of(c, &asked, errors)).lets.n > distinct.lets.n) {
		distinct = more;
		values = ARENA_ARRAY(c->arena, ir_id, distinct.lets.n);
		inner = *e;
		enter_locals(c, e, &inner, &distinct, values);
		node = lower(c, &inner, run->x, run->want, run->goal);
	}
	return distinct.lets.n > 0 ? give_locals(c, values, distinct.lets.n, node) : node;
}

void lower_block(struct check *c, const struct env *record, uint32_t schema, const struct entry *entries,
		 uint32_t n, struct ir_binding *binding)
{
	struct captures asked = { 0 }, distinct = { 0 }, more;
	uint32_t errors = c->sink->errors;
	struct env e = *record, inner;
	ir_id *values;

	e.captures = &asked;
	binding->kind = BIND_AMEND;
	binding->what = lower_entries(c, &e, schema, entries, n, (struct sym){ 0 }, binding->span, IR_NONE);
	while ((more = captures_of(c, &asked, errors)).lets.n > distinct.lets.n) {
		distinct = more;
		values = ARENA_ARRAY(c->arena, ir_id, distinct.lets.n);
		inner = e;
		enter_locals(c, &e, &inner, &distinct, values);
		binding->locals = ir_add_list(c->p, values, NULL, distinct.lets.n);
		binding->local_count = distinct.lets.n;
		binding->what = lower_entries(c, &inner, schema, entries, n, (struct sym){ 0 }, binding->span,
					      IR_NONE);
	}
}

ir_id lower_binding(struct check *c, const struct env *record, uint32_t slot, struct ast *value,
		    const struct type *want, const struct goal *goal)
{
	struct env e = *record;
	struct capture_run run = { value, want, goal };

	e.own = slot;
	return lower_capturing(c, &e, &run);
}

ir_id lower_braces(struct check *c, const struct env *e, struct ast *x, const struct type *hint)
{
	struct env own = *e;
	struct capture_run run = { x, hint, NULL };

	return lower_capturing(c, &own, &run);
}

/* A let that was lowered under as many locals as are here, or that can see none, is shared. */
ir_id lower_let(struct check *c, const struct env *e, struct let *let, struct span span)
{
	struct env own = *let->env;
	struct capture_run run = { let->node->let.value, NULL, NULL };
	struct goal goal = { .declared = let->node->let.name.span };

	if (let->state == DECL_BUSY) {
		report_cycle(c, let, let->name, span);
		return ir_add_poison(c->p, span);
	}
	if (let->state == DECL_DONE &&
	    (own.level == 0 || let->level == e->level || is_poison(ir_type(c->p, let->value))))
		return let->value;
	own.level = e->level;
	let->state = DECL_BUSY;
	*VEC_ADD(c->arena, &c->busy) = (struct busy){ let, let->name };
	if (let->node->let.type) {
		struct out o;

		out_init(&o, c->arena);
		out_printf(&o, "`%s`", spell(c, let->name));
		goal.what = str_copy(c->arena, out_view(&o)).p;
		run.want = type_of_ast(c, own.module, let->node->let.type);
		run.goal = &goal;
	}
	let->value = lower_capturing(c, &own, &run);
	let->level = e->level;
	let->state = DECL_DONE;
	c->busy.n--;
	return let->value;
}

/* ---- asserts --------------------------------------------------------------------------------- */

/* A rule of the library whose code is a warning advises. */
static bool is_advice(struct str name)
{
	enum diag_code code = diag_code_of_slug(name);

	return code != DIAG_NONE && diag_info(code)->severity == DIAG_WARNING;
}

struct ir_assert lower_assert(struct check *c, const struct env *e, struct ast *x)
{
	struct ast_assertion *a = &x->assertion;
	struct env cond = *e, because = *e;
	struct ir_assert r = { .name = a->name.sym, .when = IR_NO_NODE, .because = IR_NO_NODE,
			       .span = x->span, .cond_span = a->cond->span };

	r.library = source_get(c->p->sources, x->span.file)->library;
	r.advice = r.library && a->name.sym.id && is_advice(sym_str(c->names, a->name.sym));
	r.doc = x->doc;
	if (a->when) {
		r.when = lower_condition(c, e, a->when, "the condition of `when`");
		cond.facts = facts_of(c, e, a->when, true, e->facts);
	}
	r.cond = lower_condition(c, &cond, a->cond, "the condition of `assert`");
	if (a->because) {
		/* The text is printed when the condition is false. */
		because.facts = facts_of(c, &cond, a->cond, false, cond.facts);
		r.because = infer(c, &because, a->because, c->t.string);
	}
	return r;
}
