/* unknown.c - what to say of a name that means nothing where it is used. */
#include "compiler/check/check_int.h"

#include "compiler/base/num.h"

static void suggest_type(struct check *c, struct suggestions *s, const struct type *hint)
{
	hint = strip_option(hint);
	if (hint && hint->kind == TYPE_ENUM) {
		const struct ir_enum *e = &c->p->enums.at[hint->index];

		for (uint32_t i = 0; i < e->count; i++)
			suggestions_add(s, sym_str(c->names, e->values[i]), true);
	}
	if (hint && hint->kind == TYPE_RECORD) {
		const struct schema_info *info = &c->schemas.at[hint->index];

		for (uint32_t i = 0; i < info->presets.n; i++)
			suggestions_add(s, sym_str(c->names, c->p->globals.at[info->presets.at[i]].name),
					true);
	}
}

/* Among the values of an enum or of a schema, fields of another type only mislead. */
static bool could_serve(const struct type *have, const struct type *want)
{
	want = strip_option(want);
	have = without_none(have);
	return !want || (want->kind != TYPE_ENUM && want->kind != TYPE_RECORD) ||
	       (have->kind == want->kind && have->index == want->index);
}

static void suggest_module(struct check *c, struct suggestions *s, const struct module *m)
{
	for (; m; m = m->outer)
		for (uint32_t i = 0; i < m->names.n; i++)
			if (is_value(m->names.at[i]))
				suggestions_add(s, sym_str(c->names, m->names.at[i]->name), false);
}

/* `tru`, `nne`. */
static void suggest_words(struct suggestions *s, const struct type *hint)
{
	bool truth = !hint || strip_option(hint)->kind == TYPE_BOOL;

	if (truth) {
		suggestions_add(s, STR("true"), hint != NULL);
		suggestions_add(s, STR("false"), hint != NULL);
	}
	if (!hint || hint->kind == TYPE_OPTION)
		suggestions_add(s, STR("none"), hint != NULL);
}

static void suggest_scope(struct check *c, struct suggestions *s, const struct env *e,
			  const struct type *hint)
{
	if (c->sink->errors > SUGGESTING_ERRORS_MAX)
		return;
	suggest_type(c, s, hint);
	suggest_words(s, hint);
	for (const struct local *l = e->locals; l; l = l->outer)
		suggestions_add(s, sym_str(c->names, l->name), true);
	for (const struct env *o = e; o; o = o->outer)
		for (uint32_t i = 0; o->lets && i < o->lets->n; i++)
			suggestions_add(s, sym_str(c->names, o->lets->at[i]->name), true);
	if (e->schema != IR_NONE) {
		const struct ir_schema *schema = &c->p->schemas.at[e->schema];

		for (uint32_t i = 0; i < schema->field_count; i++)
			if (could_serve(schema->fields[i].type, hint))
				suggestions_add(s, sym_str(c->names, schema->fields[i].name), false);
	}
	suggest_module(c, s, e->module);
}

/* A field of the record around this one is a frequent guess. */
static bool help_outer_field(struct check *c, struct diag *d, const struct env *e, struct sym name)
{
	for (const struct env *o = e->outer; o; o = o->outer) {
		if (o->schema == IR_NONE || field_find(c, o->schema, name) == IR_NONE)
			continue;
		diag_note(d, "`%s` is a field of the `%s` around this record; a nested record sees only its "
			     "own fields, the file, and every `let` around it", spell(c, name),
			  spell(c, c->p->schemas.at[o->schema].name));
		diag_help(d, "give it a name in the `%s`: `let outer_%s = %s`",
			  spell(c, c->p->schemas.at[o->schema].name), spell(c, name), spell(c, name));
		return true;
	}
	return false;
}

/* The values of a small enum, or the presets of a schema, when nothing that was written is near. */
bool note_values(struct check *c, struct diag *d, const struct type *t)
{
	enum { FEW = 12 };
	uint32_t n = 0;
	struct out o;

	out_init(&o, c->arena);
	if (t && t->kind == TYPE_ENUM)
		for (; n < c->p->enums.at[t->index].count; n++)
			out_printf(&o, "%s%s", n > 0 ? ", " : "",
				   spell(c, c->p->enums.at[t->index].values[n]));
	else if (t && t->kind == TYPE_RECORD)
		for (; n < c->schemas.at[t->index].presets.n; n++)
			out_printf(&o, "%s%s", n > 0 ? ", " : "",
				   spell(c, c->p->globals.at[c->schemas.at[t->index].presets.at[n]].name));
	if (n > 0 && n <= FEW)
		diag_note(d, "%s `%s`: %.*s", t->kind == TYPE_ENUM ? "values of" : "presets of",
			  type_text(c, t), (int)o.n, o.p);
	return n > 0;
}

static bool has_own_preset(const struct check *c, uint32_t schema, struct sym name)
{
	uint32_t base = c->p->schemas.at[schema].base;

	return preset_find(c, schema, name) != IR_NONE &&
	       (base == IR_NONE || preset_find(c, base, name) == IR_NONE);
}

bool help_elsewhere(struct check *c, struct diag *d, struct sym name)
{
	enum { SHOWN_MAX = 4 };
	uint32_t n = 0;
	struct out o;

	if (c->sink->errors > SUGGESTING_ERRORS_MAX)
		return false;
	out_init(&o, c->arena);
	for (uint32_t i = 0; i < c->p->enums.n; i++)
		if (enum_find(c, i, name) != IR_NONE && n++ < SHOWN_MAX)
			out_printf(&o, "%s`%s.%s`", n > 1 ? ", " : "", spell(c, c->p->enums.at[i].name),
				   spell(c, name));
	for (uint32_t i = 0; i < c->schemas.n; i++)
		if (has_own_preset(c, i, name) && n++ < SHOWN_MAX)
			out_printf(&o, "%s`%s.%s`", n > 1 ? ", " : "", spell(c, c->p->schemas.at[i].name),
				   spell(c, name));
	if (n > SHOWN_MAX)
		out_text(&o, " and others");
	if (n > 0)
		diag_help(d, "here it is written in full: %s%.*s", n > 1 ? "one of " : "", (int)o.n, o.p);
	return n > 0;
}

bool is_unit(struct check *c, struct str text)
{
	struct dimension dim;
	struct num factor;
	bool percent;

	return unit_find(c->arena, text, &dim, &factor, &percent);
}

/* `n * GB`, `GB / s`: a unit that stands by itself. */
static bool help_unit(struct check *c, struct diag *d, struct str name)
{
	if (!is_unit(c, name))
		return false;
	diag_help(d, "a unit stands behind a number: `1 %.*s`", (int)name.n, name.p);
	return true;
}

/* A name that only has to be imported. */
bool help_library(struct check *c, struct diag *d, struct str name)
{
	struct str home = names_library_home(c->modules, name);

	if (home.n > 0)
		diag_help(d, "the library has it: `import \"std:%.*s\" { %.*s }`", (int)home.n, home.p,
			  (int)name.n, name.p);
	return home.n > 0;
}

/* A type whose values have names of their own. */
static bool has_values(const struct type *t)
{
	return t && (t->kind == TYPE_ENUM || t->kind == TYPE_RECORD);
}

ir_id report_unknown(struct check *c, const struct env *e, struct ast_name name,
		     const struct type *hint)
{
	const struct type *t = strip_option(hint);
	struct suggestions s;
	struct diag *d;

	if (e->typeless)
		return ir_add_poison(c->p, name.span);
	d = diag_new(c->sink, E1202, name.span);
	if (t && t->kind == TYPE_ENUM)
		diag_message(d, "`%s` is neither a value of `%s` nor a name known here",
			     spell(c, name.sym), type_text(c, t));
	else if (t && t->kind == TYPE_RECORD && c->schemas.at[t->index].presets.n > 0)
		diag_message(d, "`%s` is neither a preset of `%s` nor a name known here",
			     spell(c, name.sym), type_text(c, t));
	else
		diag_message(d, "there is no `%s` here", spell(c, name.sym));
	suggestions_init(&s, c->arena, sym_str(c->names, name.sym));
	suggest_scope(c, &s, e, hint);
	if (!diag_foreign(d, FOREIGN_VALUE, s.wrong, name.span) && !help_outer_field(c, d, e, name.sym) &&
	    !help_library(c, d, s.wrong) && !(e->schema != IR_NONE && suggest_nested(c, d, e->schema, s.wrong, NULL)) &&
	    !(!has_values(t) && help_elsewhere(c, d, name.sym)) && !diag_suggest(d, &s) && !note_values(c, d, t) &&
	    !(has_values(t) && help_elsewhere(c, d, name.sym)) &&
	    !help_unit(c, d, s.wrong) && t && t->kind == TYPE_STRING)
		diag_help(d, "a text stands in quotes");
	diag_submit(d);
	return ir_add_poison(c->p, name.span);
}
