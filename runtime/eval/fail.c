/* fail.c - the evaluator's own messages: where they point and what they say. */
#include "runtime/eval/eval_int.h"

#include <inttypes.h>

/* The innermost place in the user's text that led to the present evaluation. */
static struct span user_place(const struct eval *ev, struct span at)
{
	if (!span_is_library(ev, at))
		return at;
	for (const struct active *a = ev->active; a; a = a->up) {
		if (span_is_known(ev, a->at) && !span_is_library(ev, a->at))
			return a->at;
		struct span place = a->record ? record_place(ev, a->record)
					      : ev->program->globals.at[a->what].span;
		if (span_is_known(ev, place) && !span_is_library(ev, place))
			return place;
	}
	return at;
}

static struct str active_path(struct eval *ev, const struct active *a)
{
	if (a->record)
		return slot_path(ev, a->record, a->what);
	return sym_str(ev->program->names, ev->program->globals.at[a->what].name);
}

struct diag *fail_at(struct eval *ev, enum diag_code code, struct span at)
{
	struct span place = user_place(ev, at);
	struct diag *d = diag_new(ev->sink, code, place);
	if (!span_is_library(ev, at))
		return d;
	diag_draw(d, at);
	struct str where = span_place(ev, at);
	if (ev->active) {
		struct str path = active_path(ev, ev->active);
		diag_note(d, "computed for `%.*s`, %.*s", (int)path.n, path.p, (int)where.n,
			  where.p);
	} else {
		diag_note(d, "computed at %.*s", (int)where.n, where.p);
	}
	return d;
}

struct diag *fail_node(struct eval *ev, enum diag_code code, ir_id node, struct scope scope,
		       bool always)
{
	struct span at = node_at(ev, node)->span;
	struct diag *d = fail_at(ev, code, at);
	if (always || span_is_library(ev, at))
		draw_node(ev, d, node, scope);
	return d;
}

bool fail_unless_present(struct eval *ev, struct value v, ir_id node)
{
	if (v.kind == VALUE_POISON)
		return false;
	if (v.kind != VALUE_NONE)
		return true;
	struct diag *d = fail_at(ev, E1107, node_at(ev, node)->span);
	struct str text = node_text(ev, node);
	diag_message(d, "`%.*s` is none here", (int)text.n, text.p);
	diag_help(d, "test it with `when` or `if`, or give another value with `??`");
	diag_submit(d);
	return false;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

static const struct active *find_active(const struct eval *ev, const struct record *r,
					uint32_t what)
{
	const struct active *a = ev->active;
	while (a && !(a->record == r && a->what == what))
		a = a->up;
	return a;
}

/* One note per step of the cycle, from the definition that came first. */
static void note_steps(struct eval *ev, struct diag *d, const struct active *first,
		       struct span closing)
{
	VEC(const struct active *) chain = { 0 };
	for (const struct active *a = ev->active; a; a = a->up) {
		*VEC_ADD(ev->arena, &chain) = a;
		if (a == first)
			break;
	}
	for (uint32_t i = chain.n; i-- > 0;) {
		struct str from = active_path(ev, chain.at[i]);
		struct str to = active_path(ev, i > 0 ? chain.at[i - 1] : first);
		struct str where = span_place(ev, i > 0 ? chain.at[i - 1]->at : closing);
		diag_note(d, "`%.*s` needs `%.*s`%s%.*s", (int)from.n, from.p, (int)to.n, to.p,
			  where.n ? ", " : "", (int)where.n, where.p);
	}
}

/* A field that meant the name outside its record. */
static void help_outer_name(struct eval *ev, struct diag *d, const struct record *r, uint32_t slot)
{
	struct str field =
		sym_str(ev->program->names, ev->program->schemas.at[r->schema].fields[slot].name);
	if (ir_find_global(ev->program, field) != IR_NONE)
		diag_help(d, "`file.%.*s` names the outer one", (int)field.n, field.p);
}

void fail_cycle(struct eval *ev, struct record *r, uint32_t what, struct span at)
{
	const struct active *first = find_active(ev, r, what);
	invariant(first, "a definition is busy that nobody asked for");
	struct span place = span_is_known(ev, at) ? at : first->at;
	struct str path = active_path(ev, first);
	struct diag *d = fail_at(ev, E1204, place);
	if (first == ev->active) {
		diag_message(d, "%s refers to itself", r ? "this field" : "this name");
		diag_note(d, "`%.*s` is defined by its own value", (int)path.n, path.p);
		if (r)
			help_outer_name(ev, d, r, what);
	} else {
		diag_message(d, "`%.*s` needs its own value", (int)path.n, path.p);
		note_steps(ev, d, first, at);
	}
	diag_submit(d);
}

/* ---- missing fields -------------------------------------------------------------------------- */

/* The other fields that nobody set: they are found one by one, but told at once. */
static void note_other_missing(struct eval *ev, struct diag *d, const struct record *r,
			       uint32_t slot)
{
	struct out o;
	out_init(&o, ev->arena);
	for (uint32_t i = 0; i < ev->program->schemas.at[r->schema].field_count; i++) {
		if (i == slot || !slot_is_required(ev, r, i))
			continue;
		struct str name = sym_str(ev->program->names,
					  ev->program->schemas.at[r->schema].fields[i].name);
		out_printf(&o, "%s`%.*s`", o.n > 0 ? ", " : "", (int)name.n, name.p);
	}
	if (o.n > 0)
		diag_note(d, "neither does it set %.*s", (int)o.n, o.p);
}

/* What the field is for, in the words of its schema. */
static void note_declaration(struct eval *ev, struct diag *d, const struct ir_field *f,
			     struct str name)
{
	struct str where = span_place(ev, f->span);
	struct str doc = f->doc;
	for (uint32_t i = 0; i < doc.n; i++) {
		if (doc.p[i] == '\n')
			doc.n = i;
	}
	if (where.n > 0 && doc.n > 0)
		diag_note(d, "`%.*s`, %.*s: %.*s", (int)name.n, name.p, (int)where.n, where.p,
			  (int)doc.n, doc.p);
	else if (where.n > 0)
		diag_note(d, "`%.*s` is declared in %.*s", (int)name.n, name.p, (int)where.n,
			  where.p);
}

void fail_missing(struct eval *ev, struct record *r, uint32_t slot)
{
	const struct ir_schema *s = &ev->program->schemas.at[r->schema];
	struct str field = sym_str(ev->program->names, s->fields[slot].name);
	struct str schema = sym_str(ev->program->names, s->name);
	struct str name = record_name(ev, r);
	struct span place = record_place(ev, r);
	struct diag *d = span_is_known(ev, place) ? diag_new(ev->sink, E1205, place)
						  : fail_at(ev, E1205, s->fields[slot].span);
	if (name.n > 0)
		diag_message(d, "`%.*s` does not set `%.*s`, which a `%.*s` must", (int)name.n,
			     name.p, (int)field.n, field.p, (int)schema.n, schema.p);
	else
		diag_message(d, "this `%.*s` does not set `%.*s`", (int)schema.n, schema.p,
			     (int)field.n, field.p);
	note_declaration(ev, d, &s->fields[slot], field);
	note_other_missing(ev, d, r, slot);
	diag_submit(d);
}

/* ---- limits ---------------------------------------------------------------------------------- */

void fail_depth(struct eval *ev, ir_id node)
{
	struct diag *d = fail_at(ev, E0103, node_at(ev, node)->span);
	diag_message(d, "this is computed more than %d levels deep", EVAL_DEPTH_MAX);
	diag_help(d, "shorten the chain of definitions that need each other");
	diag_submit(d);
}

void fail_steps(struct eval *ev, ir_id node)
{
	struct diag *d = fail_at(ev, E2003, node_at(ev, node)->span);
	diag_message(d, "this takes more than %" PRIu64 " steps to compute", ev->steps_max);
	diag_help(d, "make the lists it goes through shorter, or raise the limit by `--limit steps=NUMBER`");
	diag_submit(d);
}
