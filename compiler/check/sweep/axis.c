/* axis.c - the axes of a sweep: which fields they set, what they go through. */
#include "compiler/check/sweep/sweep_int.h"

static struct str path_text(struct check *c, struct ast_list parts)
{
	struct out o;

	out_init(&o, c->arena);
	for (uint32_t i = 0; i < parts.n; i++)
		out_printf(&o, "%s%s", i > 0 ? "." : "",
			   parts.at[i]->kind == AST_NAME_REF ? spell(c, parts.at[i]->name_ref.name.sym) : "?");
	return str_copy(c->arena, out_view(&o));
}

static void report_field(struct check *c, uint32_t schema, struct ast_name name)
{
	struct diag *d = diag_new(c->sink, E1201, name.span);

	diag_message(d, "`%s` has no field `%s`", spell(c, c->p->schemas.at[schema].name),
		     spell(c, name.sym));
	suggest_fields(c, d, schema, sym_str(c->names, name.sym), NULL);
	diag_submit(d);
}

static void report_derived(struct check *c, const struct ir_field *f, struct ast_name name, enum path_use use)
{
	struct diag *d = diag_new(c->sink, E1206, name.span);

	diag_message(d, "`%s` %s and cannot be %s", spell(c, name.sym),
		     f->native ? "is a result of the cost model" : "follows from other fields",
		     use == PATH_SOLVED ? "solved for" : "varied");
	if (use == PATH_SOLVED)
		diag_help(d, "solve for a field that it follows from, and say with `--such-that` what this one has to be");
	else
		diag_help(d, "vary the fields that it follows from, and put a `constraint` on this one");
	diag_submit(d);
}

/* One step down. false after a message. */
static bool step(struct check *c, const struct type *t, struct ast_name name, enum path_use use, uint32_t *slot)
{
	const struct ir_field *f;

	if (t->kind != TYPE_RECORD) {
		if (!is_poison(t))
			diag_report(c->sink, E1105, name.span, "%s has no fields to %s", type_phrase(c, t),
				    use == PATH_SOLVED ? "solve for" : "vary");
		return false;
	}
	*slot = field_find(c, t->index, name.sym);
	if (*slot == IR_NONE) {
		report_field(c, t->index, name);
		return false;
	}
	f = &c->p->schemas.at[t->index].fields[*slot];
	if (!f->final && !f->native)
		return !is_poison(f->type);
	report_derived(c, f, name, use);
	return false;
}

bool resolve_path(struct check *c, uint32_t schema, struct ast *path, enum path_use use, struct ir_path *result)
{
	struct ast_list parts = path->kind == AST_PATH ? path->path.parts : (struct ast_list){ 0 };
	uint32_t *slots = ARENA_ARRAY(c->arena, uint32_t, parts.n + 1);
	const struct type *t = type_of(c->p->types, (struct type){ .kind = TYPE_RECORD, .index = schema });

	*result = (struct ir_path){ .slots = slots, .span = path->span, .text = path_text(c, parts) };
	if (parts.n == 0)
		return false;
	for (uint32_t i = 0; i < parts.n; i++) {
		if (parts.at[i]->kind != AST_NAME_REF ||
		    !step(c, without_none(t), parts.at[i]->name_ref.name, use, &slots[i]))
			return false;
		t = c->p->schemas.at[without_none(t)->index].fields[slots[i]].type;
	}
	result->slot_count = parts.n;
	result->type = t;
	return true;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static uint32_t add_layer(struct check *c, uint32_t schema, struct ir_binding binding, struct span span)
{
	struct ir_layer layer = { .schema = schema, .binding_count = 1, .span = span };

	layer.bindings = ARENA_NEW(c->arena, struct ir_binding);
	layer.bindings[0] = binding;
	*VEC_ADD(c->arena, &c->p->layers) = layer;
	return c->p->layers.n - 1;
}

/* { a { b { c = local 0 } } } */
static uint32_t layer_of_path(struct check *c, uint32_t schema, const struct ir_path *path, uint32_t from)
{
	struct ir_binding b = { .slot = path->slots[from], .kind = BIND_SET, .span = path->span };
	const struct type *t = c->p->schemas.at[schema].fields[b.slot].type;

	if (from + 1 < path->slot_count) {
		b.kind = BIND_AMEND;
		b.what = layer_of_path(c, without_none(t)->index, path, from + 1);
	} else {
		b.what = ir_add(c->p, IR_LOCAL, path->type, path->span, 0, 0, 0);
	}
	return add_layer(c, schema, b, path->span);
}

/* ---- one axis -------------------------------------------------------------------------------- */

static bool begins_with(const struct ir_path *path, const struct ir_path *start)
{
	if (start->slot_count > path->slot_count)
		return false;
	return memcmp(path->slots, start->slots, start->slot_count * sizeof *path->slots) == 0;
}

/* A field has one axis, and a record is chosen before its fields are. */
static bool clashes(struct sweeping *w, const struct ir_path *path, const struct ir_path *earlier)
{
	struct diag *d;

	if (!begins_with(earlier, path))
		return false;
	d = diag_new(w->c->sink, E2403, path->span);
	if (earlier->slot_count == path->slot_count) {
		diag_message(d, "`%.*s` is varied twice", (int)path->text.n, path->text.p);
		diag_help(d, "put all its values into one list");
	} else {
		diag_message(d, "`%.*s` would replace `%.*s`, which is varied above", (int)path->text.n,
			     path->text.p, (int)earlier->text.n, earlier->text.p);
		diag_help(d, "vary the whole record first, then its fields");
	}
	diag_label(d, earlier->span, "varied here");
	diag_submit(d);
	return true;
}

static bool is_free(struct sweeping *w, const struct ir_axis *axis, const struct ir_path *path)
{
	for (uint32_t i = 0; i < w->axes.n; i++)
		for (uint32_t k = 0; k < w->axes.at[i].path_count; k++)
			if (clashes(w, path, &w->axes.at[i].paths[k]))
				return false;
	for (uint32_t k = 0; k < axis->path_count; k++)
		if (clashes(w, path, &axis->paths[k]))
			return false;
	return true;
}

static bool take_paths(struct sweeping *w, struct ast *x, struct ir_axis *axis)
{
	struct check *c = w->c;
	struct ast_list targets = x->vary.targets;
	bool fine = true;

	axis->paths = ARENA_ARRAY(c->arena, struct ir_path, targets.n + 1);
	for (uint32_t i = 0; i < targets.n; i++) {
		struct ir_path path;

		if (!resolve_path(c, w->env->schema, targets.at[i], PATH_VARIED, &path) || !is_free(w, axis, &path)) {
			fine = false;
			continue;
		}
		path.layer = layer_of_path(c, w->env->schema, &path, 0);
		axis->paths[axis->path_count++] = path;
	}
	return fine;
}

/* The type of one value of the axis. */
static const struct type *value_type(struct check *c, const struct ir_axis *axis, bool tuple)
{
	const struct type **items;

	if (!tuple)
		return axis->paths[0].type;
	items = ARENA_ARRAY(c->arena, const struct type *, axis->path_count + 1);
	for (uint32_t i = 0; i < axis->path_count; i++)
		items[i] = axis->paths[i].type;
	return type_of(c->p->types, (struct type){ .kind = TYPE_TUPLE, .items = items,
						   .count = axis->path_count });
}

static const char *axis_goal(struct check *c, const struct ir_axis *axis)
{
	struct out o;

	out_init(&o, c->arena);
	out_text(&o, "the axis of ");
	for (uint32_t i = 0; i < axis->path_count; i++)
		out_printf(&o, "%s`%.*s`", i > 0 ? ", " : "", (int)axis->paths[i].text.n,
			   axis->paths[i].text.p);
	return str_copy(c->arena, out_view(&o)).p;
}

void lower_axis(struct sweeping *w, struct ast *x)
{
	struct check *c = w->c;
	struct ir_axis axis = { .when = IR_NO_NODE, .span = x->span };
	struct goal goal = { .declared = SPAN_NONE };
	const struct type *list;

	if (!take_paths(w, x, &axis) || axis.path_count == 0)
		return;
	if (w->axes.n == IR_AXES_MAX) {
		diag_report(c->sink, E2413, x->span, "a sweep has at most %d axes", IR_AXES_MAX);
		return;
	}
	goal.what = axis_goal(c, &axis);
	list = type_list(c->p->types, value_type(c, &axis, x->vary.tuple && axis.path_count > 1));
	axis.values = lower(c, w->env, x->vary.in, list, &goal);
	if (x->vary.when)
		axis.when = lower_condition(c, w->env, x->vary.when, "the condition of `when`");
	*VEC_ADD(c->arena, &w->axes) = axis;
}
