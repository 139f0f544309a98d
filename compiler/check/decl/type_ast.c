/* type_ast.c - types as they are written to types of the program. */
#include "compiler/check/check_int.h"

static const struct {
	const char *name;
	struct type type;
} words[] = {
	{ "bool", { .kind = TYPE_BOOL } },
	{ "string", { .kind = TYPE_STRING } },
	{ "layout", { .kind = TYPE_LAYOUT } },
	{ "arg", { .kind = TYPE_ARG } },
	{ "int", { .kind = TYPE_NUMBER, .exactness = EXACT_INT } },
	{ "tokens", { .kind = TYPE_NUMBER, .exactness = EXACT_INT } },
	{ "samples", { .kind = TYPE_NUMBER, .exactness = EXACT_INT } },
	{ "rational", { .kind = TYPE_NUMBER, .exactness = EXACT_RATIONAL } },
	{ "real", { .kind = TYPE_NUMBER, .exactness = EXACT_REAL } },
	{ "ratio", { .kind = TYPE_NUMBER, .exactness = EXACT_RATIONAL, .percent = true } },
	{ "bytes", { .kind = TYPE_NUMBER, .dim = { .info = 1 } } },
	{ "flop", { .kind = TYPE_NUMBER, .dim = { .work = 1 } } },
	{ "time", { .kind = TYPE_NUMBER, .dim = { .time = 1 } } },
	{ "usd", { .kind = TYPE_NUMBER, .dim = { .money = 1 } } },
	{ "energy", { .kind = TYPE_NUMBER, .dim = { .energy = 1 } } },
	{ "power", { .kind = TYPE_NUMBER, .dim = { .energy = 1, .time = -1 } } },
};

static const char *const containers[] = { "list", "table", "map" };

/* The declaration a path of one or two names leads to; NULL when there is none. */
static struct decl *decl_of_path(struct check *c, const struct module *m, const struct ast *path,
				 struct ast_name *last)
{
	const struct ast_list *parts = &path->path.parts;
	struct decl *d;

	*last = parts->at[parts->n - 1]->name_ref.name;
	if (parts->n == 1)
		return find_decl(c, m, last->sym);
	d = parts->n == 2 ? module_find(m, parts->at[0]->name_ref.name.sym) : NULL;
	if (!d || d->kind == DECL_BROKEN)
		return d;
	return d->kind == DECL_MODULE ? module_find_own(d->module, last->sym) : NULL;
}

/* What other languages call our types. */
static const struct {
	const char *other, *ours;
} foreign[] = {
	{ "uint", "int" },       { "uint64", "int" },      { "int64", "int" },
	{ "int32", "int" },      { "size", "bytes" },      { "duration", "time" },
	{ "fraction", "rational" }, { "decimal", "rational" }, { "dict", "map" },

	{ "integer", "int" },    { "number", "rational" }, { "float", "real" },
	{ "double", "real" },    { "str", "string" },      { "text", "string" },
	{ "boolean", "bool" },   { "percent", "ratio" },   { "flops", "flop/s" },
	{ "bandwidth", "bytes/s" }, { "array", "list" },   { "seconds", "time" },
};

/* `optional[int]`: how other languages say that a value may be missing. */
static bool means_option(struct str name)
{
	static const char *const SPELLINGS[] = { "optional", "Optional", "option", "Option", "maybe",
						 "Maybe", "nullable" };

	for (size_t i = 0; i < PLAN_COUNT(SPELLINGS); i++)
		if (str_is(name, SPELLINGS[i]))
			return true;
	return false;
}

static void suggest_types(struct check *c, struct diag *d, const struct module *m, struct str wrong)
{
	const struct module *modules[] = { m, c->modules->prelude };
	struct suggestions s;

	suggestions_init(&s, c->arena, wrong);
	for (size_t i = 0; i < PLAN_COUNT(words); i++)
		suggestions_add(&s, str_of(words[i].name), false);
	for (size_t i = 0; i < PLAN_COUNT(containers); i++)
		suggestions_add(&s, str_of(containers[i]), false);
	for (size_t k = 0; k < PLAN_COUNT(modules); k++)
		for (uint32_t i = 0; modules[k] && i < modules[k]->names.n; i++)
			if (modules[k]->names.at[i]->kind == DECL_SCHEMA ||
			    modules[k]->names.at[i]->kind == DECL_ENUM)
				suggestions_add(&s, sym_str(c->names, modules[k]->names.at[i]->name), true);
	diag_suggest(d, &s);
}

static const struct type *report_unknown_type(struct check *c, const struct module *m,
					      const struct decl *found, struct ast_name name)
{
	struct diag *d = diag_new(c->sink, E1106, name.span);

	if (found)
		diag_message(d, "`%s` is %s, not a type", spell(c, name.sym),
			     decl_kind_text(found->kind));
	else
		diag_message(d, "there is no type `%s`", spell(c, name.sym));
	for (size_t i = 0; i < PLAN_COUNT(containers); i++)
		if (str_is(sym_str(c->names, name.sym), containers[i]))
			diag_help(d, "say of what: `%s[...]`", containers[i]);
	for (size_t i = 0; i < PLAN_COUNT(foreign) && !found; i++)
		if (str_is(sym_str(c->names, name.sym), foreign[i].other))
			diag_help(d, "it is called `%s` here", foreign[i].ours);
	if (!found && means_option(sym_str(c->names, name.sym)))
		diag_help(d, "a type that allows `none` ends in `?`: `int?`");
	if (!found && d->helps.n == 0)
		suggest_types(c, d, m, sym_str(c->names, name.sym));
	diag_submit(d);
	return c->t.poison;
}

static const struct type *type_of_path(struct check *c, const struct module *m, const struct ast *path)
{
	struct ast_name name;
	struct decl *d;

	if (path->kind != AST_PATH || path->path.parts.n == 0)
		return c->t.poison;
	d = decl_of_path(c, m, path, &name);
	for (size_t i = 0; i < PLAN_COUNT(words); i++)
		if (path->path.parts.n == 1 && str_is(sym_str(c->names, name.sym), words[i].name))
			return type_of(c->p->types, words[i].type);
	if (d && d->kind == DECL_BROKEN)
		return c->t.poison;
	if (d && d->kind == DECL_ENUM)
		return type_of(c->p->types, (struct type){ .kind = TYPE_ENUM, .index = d->index });
	if (d && d->kind == DECL_SCHEMA)
		return type_of(c->p->types, (struct type){ .kind = TYPE_RECORD, .index = d->index });
	return report_unknown_type(c, m, d, name);
}

/* `s` and `h` below a slash are units of time; what counts is the dimension. */
static bool under_dimension(struct check *c, const struct module *m, const struct ast *path,
			    struct dimension *dim)
{
	struct num factor;
	bool percent;
	const struct type *t;

	if (path->kind == AST_PATH && path->path.parts.n == 1) {
		struct str name = sym_str(c->names, path->path.parts.at[0]->name_ref.name.sym);

		if (unit_find(c->arena, name, dim, &factor, &percent))
			return true;
	}
	t = type_of_path(c, m, path);
	if (t->kind == TYPE_NUMBER) {
		*dim = t->dim;
		return true;
	}
	if (!is_poison(t))
		diag_report(c->sink, E1106, path->span, "below the `/` stands a unit of time, as in `bytes/s`");
	return false;
}

static const struct type *type_of_quotient(struct check *c, const struct module *m, const struct ast *x)
{
	struct dimension over = { 0, 0, 0, 0, 0 }, under;
	const struct type *t = c->t.integer;

	if (x->type_quotient.over->kind == AST_PATH)
		t = type_of_path(c, m, x->type_quotient.over);
	else if (x->type_quotient.over->kind == AST_TYPE_NAME)
		t = type_of_path(c, m, x->type_quotient.over->type_name.path);
	if (!under_dimension(c, m, x->type_quotient.under, &under) || is_poison(t))
		return c->t.poison;
	if (t->kind == TYPE_NUMBER) {
		over = t->dim;
		return type_number(c->p->types, dim_divide(over, under), EXACT_RATIONAL);
	}
	diag_report(c->sink, E1106, x->span, "only quantities have a rate, this is %s", type_phrase(c, t));
	return c->t.poison;
}

/* Keys are what can be equal exactly and is written in a word. */
static const struct type *type_of_map(struct check *c, const struct ast *key, const struct type *const *of)
{
	enum type_kind kind = of[0]->kind;
	const struct type **items, *pair;

	if (kind != TYPE_BOOL && kind != TYPE_STRING && kind != TYPE_ENUM &&
	    !(is_plain(of[0]) && of[0]->exactness == EXACT_INT)) {
		diag_report(c->sink, E1106, key->span,
			    "the keys of a map are values of an enum, ints, texts or truth values, not %s",
			    type_phrase(c, of[0]));
		return c->t.poison;
	}
	items = ARENA_ARRAY(c->arena, const struct type *, 2);
	items[0] = of[0];
	items[1] = of[1];
	pair = type_of(c->p->types, (struct type){ .kind = TYPE_TUPLE, .items = items, .count = 2 });
	return type_of(c->p->types, (struct type){ .kind = TYPE_MAP, .of = pair });
}

static const struct type *report_option(struct check *c, struct span at, const char *of)
{
	struct diag *d = diag_new(c->sink, E1106, at);

	diag_message(d, "a type that allows `none` ends in `?`");
	diag_help(d, "write `%s?`", of);
	diag_submit(d);
	return c->t.poison;
}

static const struct type *type_of_apply(struct check *c, const struct module *m, struct ast *x)
{
	struct ast_list args = x->type_apply.arguments;
	const struct ast *path = x->type_apply.path;
	const struct type *of[2] = { c->t.poison, c->t.poison };
	struct str name = STR("");
	uint32_t wanted;

	if (path->kind == AST_PATH && path->path.parts.n == 1)
		name = sym_str(c->names, path->path.parts.at[0]->name_ref.name.sym);
	if (means_option(name)) {
		of[0] = args.n == 1 ? type_of_ast(c, m, args.at[0]) : c->t.poison;
		if (args.n == 1 && is_poison(of[0]))
			return c->t.poison;
		return report_option(c, x->span, args.n == 1 ? type_text(c, of[0]) : "int");
	}
	wanted = str_is(name, "map") ? 2 : str_is(name, "list") || str_is(name, "table") ? 1 : 0;
	if (wanted == 0 || args.n != wanted) {
		struct diag *d = diag_new(c->sink, E1106, x->span);

		diag_message(d, wanted == 0 ? "only `list[T]`, `table[SCHEMA]` and `map[K, V]` take a type in brackets"
				: wanted == 1 ? "one type stands between these brackets"
					      : "a map has two types: `map[K, V]`");
		for (size_t i = 0; i < PLAN_COUNT(foreign) && wanted == 0; i++)
			if (str_is(name, foreign[i].other))
				diag_help(d, "`%s` is called `%s` here", foreign[i].other, foreign[i].ours);
		diag_submit(d);
		return c->t.poison;
	}
	for (uint32_t i = 0; i < wanted; i++)
		of[i] = type_of_ast(c, m, args.at[i]);
	if (is_poison(of[0]) || (wanted == 2 && is_poison(of[1])))
		return c->t.poison;
	if (str_is(name, "list"))
		return type_list(c->p->types, of[0]);
	if (wanted == 2)
		return type_of_map(c, args.at[0], of);
	if (of[0]->kind == TYPE_RECORD)
		return type_of(c->p->types, (struct type){ .kind = TYPE_TABLE, .of = of[0] });
	diag_report(c->sink, E1106, args.at[0]->span, "the rows of a table have a schema, this is %s",
		    type_phrase(c, of[0]));
	return c->t.poison;
}

const struct type *type_of_ast(struct check *c, const struct module *m, struct ast *x)
{
	if (x->kind == AST_TYPE_NAME)
		return type_of_path(c, m, x->type_name.path);
	if (x->kind == AST_PATH)
		return type_of_path(c, m, x);
	if (x->kind == AST_TYPE_QUOTIENT)
		return type_of_quotient(c, m, x);
	if (x->kind == AST_TYPE_APPLY)
		return type_of_apply(c, m, x);
	if (x->kind == AST_TYPE_OPTION) {
		const struct type *of = type_of_ast(c, m, x->type_option.of);

		return is_poison(of) ? of : type_option(c->p->types, of);
	}
	return c->t.poison;
}
