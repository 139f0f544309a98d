/* point.c - the point of `planc why-not`: `strategy.tp = 2, pp = 4` as conditions on axes of a sweep. */
#include "compiler/check/sweep/sweep_int.h"

#include "compiler/syntax/parse.h"

/* The axis and path that a text names: in full, or by an end of it that only one path has. */
static bool find_path(const struct ir_sweep *s, struct str text, struct ir_point *point)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < s->axis_count; i++) {
		for (uint32_t k = 0; k < s->axes[i].path_count; k++) {
			struct str path = s->axes[i].paths[k].text;
			bool whole = str_equal(path, text);
			bool end = path.n > text.n && path.p[path.n - text.n - 1] == '.' &&
				   memcmp(path.p + path.n - text.n, text.p, text.n) == 0;

			if (!whole && !end)
				continue;
			point->axis = i;
			point->path = k;
			if (whole)
				return true;
			found++;
		}
	}
	return found == 1;
}

static struct str text_of(struct check *c, const struct ast *path)
{
	return source_slice(c->p->sources, path->span);
}

static bool has_paths(struct check *c, const struct ir_sweep *s, struct ast_list fields)
{
	struct ir_point ignored;

	for (uint32_t i = 0; i < fields.n; i++)
		if (fields.at[i]->kind == AST_SET && !find_path(s, text_of(c, fields.at[i]->set.path), &ignored))
			return false;
	return true;
}

/* The sweep asked about: the one named, else the first of the file whose axes are those of the point. */
static struct decl *choose(struct check *c, struct ast_list fields)
{
	struct module *root = c->modules->root;
	struct decl *first = NULL;

	for (uint32_t i = 0; i < root->decls.n; i++) {
		struct decl *d = root->decls.at[i];
		bool named = str_equal(sym_str(c->names, d->name), c->in->point_sweep);

		if (d->kind != DECL_SWEEP || (c->in->point_sweep.n > 0 && !named))
			continue;
		if (named || has_paths(c, &c->p->sweeps.at[d->index], fields))
			return d;
		first = first ? first : d;
	}
	return first;
}

static void report_axis(struct check *c, const struct ir_sweep *s, struct ast *path)
{
	struct diag *d = diag_new(c->sink, E2408, path->span);
	struct str text = text_of(c, path);
	struct suggestions list;

	diag_message(d, "sweep `%s` does not vary `%.*s`", spell(c, s->name), (int)text.n, text.p);
	suggestions_init(&list, c->arena, text);
	for (uint32_t i = 0; i < s->axis_count; i++)
		for (uint32_t k = 0; k < s->axes[i].path_count; k++)
			suggestions_add(&list, s->axes[i].paths[k].text, true);
	if (!diag_suggest(d, &list)) {
		struct out o;

		out_init(&o, c->arena);
		for (uint32_t i = 0; i < s->axis_count; i++)
			out_printf(&o, "%s%.*s", i > 0 ? ", " : "", (int)s->axes[i].paths[0].text.n,
				   s->axes[i].paths[0].text.p);
		diag_note(d, "it varies %.*s", (int)o.n, o.p);
	}
	diag_submit(d);
}

static void lower_point(struct check *c, const struct decl *d, struct ast *x)
{
	struct env file = file_env(d->home);
	const struct ir_sweep *s = &c->p->sweeps.at[d->index];
	struct env *e = record_env(c, &file, s->type->index);
	struct ir_point point = { .sweep = d->index, .span = x->span };
	const struct ir_path *path;
	struct goal goal = { .declared = SPAN_NONE };
	struct out o;

	if (!find_path(s, text_of(c, x->set.path), &point)) {
		report_axis(c, s, x->set.path);
		return;
	}
	path = &s->axes[point.axis].paths[point.path];
	out_init(&o, c->arena);
	out_printf(&o, "`%.*s`", (int)path->text.n, path->text.p);
	goal.what = str_copy(c->arena, out_view(&o)).p;
	point.value = lower(c, e, x->set.value, path->type, &goal);
	*VEC_ADD(c->arena, &c->p->points) = point;
}

void take_point(struct check *c)
{
	struct parse_input in = { c->arena, c->names, c->in->sources, c->sink, 0 };
	struct ast_list fields;
	struct parse_result r;
	struct decl *d;
	struct out o;

	if (!c->in->point.p)
		return;
	out_init(&o, c->arena);
	out_printf(&o, "{ %.*s }", (int)c->in->point.n, c->in->point.p);
	in.file = sources_add(c->in->sources, STR("POINT"), str_copy(c->arena, out_view(&o)), false);
	r = parse_expression(&in);
	if (!r.ok || r.tree->kind != AST_RECORD)
		return;
	fields = r.tree->record.fields;
	d = choose(c, fields);
	if (!d || is_poison(c->p->sweeps.at[d->index].type))
		return;
	for (uint32_t i = 0; i < fields.n; i++)
		if (fields.at[i]->kind == AST_SET)
			lower_point(c, d, fields.at[i]);
}
