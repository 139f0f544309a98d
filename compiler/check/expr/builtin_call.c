/* builtin_call.c - typing rules of the built-in functions (ir/builtins.def lists them). */
#include "compiler/check/check_int.h"

/* Values of an enum or presets of a schema that `values` can list. */
enum { VALUES_MAX = 255 };

/* The arguments of one call, lowered one after the other. */
struct call {
	struct check *c;
	const struct env *e;
	struct ast *x;
	enum builtin b;
	uint32_t n;
	ir_id *nodes;
	struct sym *names;
	bool failed;
};

bool builtin_find(struct str name, enum builtin *b)
{
	for (uint32_t i = 0; i < BUILTIN_COUNT; i++) {
		if (str_is(name, builtin_name((enum builtin)i))) {
			*b = (enum builtin)i;
			return true;
		}
	}
	return false;
}

static struct ast_argument argument_at(const struct ast *x, uint32_t i)
{
	struct ast *a = x->call.arguments.at[i];

	return a->kind == AST_ARGUMENT ? a->argument : (struct ast_argument){ .value = a };
}

static ir_id finish(struct call *k, const struct type *type)
{
	if (k->failed)
		return ir_add_poison(k->c->p, k->x->span);
	for (uint32_t i = 0; i < k->n; i++)
		if (is_poison(ir_type(k->c->p, k->nodes[i])))
			return ir_add_poison(k->c->p, k->x->span);
	return ir_add(k->c->p, IR_BUILTIN, type, k->x->span, (uint32_t)k->b,
		      ir_add_list(k->c->p, k->nodes, k->names, k->n), k->n);
}

static void add(struct call *k, ir_id node, struct sym name)
{
	k->nodes[k->n] = node;
	k->names[k->n++] = name;
}

/* One positional argument of a known type. */
static void take(struct call *k, uint32_t i, const struct type *type, const char *what)
{
	struct goal goal = { .what = what, .declared = SPAN_NONE, .code = E1104 };

	add(k, lower(k->c, k->e, argument_at(k->x, i).value, type, &goal), (struct sym){ 0 });
}

/* One positional argument of any type. */
static const struct type *take_any(struct call *k, uint32_t i)
{
	ir_id node = infer(k->c, k->e, argument_at(k->x, i).value, NULL);

	add(k, node, (struct sym){ 0 });
	return ir_type(k->c->p, node);
}

static ir_id refuse(struct call *k, uint32_t i, const char *wanted)
{
	const struct type *t = ir_type(k->c->p, k->nodes[i]);
	struct diag *d;

	if (is_poison(t))
		return finish(k, k->c->t.poison);
	d = diag_new(k->c->sink, t->kind == TYPE_OPTION ? E1107 : E1104,
		     k->c->p->nodes.at[k->nodes[i]].span);
	if (t->kind == TYPE_OPTION) {
		diag_message(d, "`%s` takes %s, but this may be `none`", builtin_name(k->b), wanted);
		diag_help(d, "say what holds then with `?? ...`, or ask `!= none` first");
	} else {
		diag_message(d, "`%s` takes %s, but this is %s", builtin_name(k->b), wanted,
			     type_phrase(k->c, t));
		if (t->kind == TYPE_NUMBER && !dim_is_one(t->dim))
			diag_help(d, "for a plain number divide by a unit");
	}
	diag_submit(d);
	k->failed = true;
	return finish(k, k->c->t.poison);
}

/* ---- single functions ------------------------------------------------------------------------ */

/* min, max: one list, or several values of one kind. */
static ir_id extreme(struct call *k)
{
	struct check *c = k->c;
	const struct type *type = NULL;
	uint32_t count = k->x->call.arguments.n;

	for (uint32_t i = 0; i < count; i++) {
		ir_id node = infer(c, k->e, argument_at(k->x, i).value, type);
		const struct type *t = ir_type(c->p, node), *joined;

		add(k, node, (struct sym){ 0 });
		if (count == 1 && t->kind == TYPE_LIST)
			t = t->of;
		if (is_poison(t))
			continue;
		if (t->kind != TYPE_NUMBER && t->kind != TYPE_ENUM)
			return refuse(k, i, "numbers, values of an enum, or one list of them");
		joined = type ? type_join(c, type, t) : t;
		if (!joined) {
			diag_report(c->sink, type->kind == TYPE_NUMBER && t->kind == TYPE_NUMBER ? E1103 : E1104,
				    c->p->nodes.at[node].span,
				    "this is %s, the arguments before it are `%s`", type_phrase(c, t),
				    type_text(c, type));
			k->failed = true;
			break;
		}
		type = joined;
	}
	return finish(k, type ? type : c->t.poison);
}

static ir_id sum(struct call *k)
{
	const struct type *t = take_any(k, 0);

	if (t->kind != TYPE_LIST || (t->of->kind != TYPE_NUMBER && !is_poison(t->of)))
		return refuse(k, 0, "a list of numbers");
	return finish(k, is_poison(t->of) ? k->c->t.integer : t->of);
}

static ir_id length(struct call *k)
{
	const struct type *t = take_any(k, 0);

	if (t->kind != TYPE_LIST && t->kind != TYPE_TABLE && t->kind != TYPE_MAP && t->kind != TYPE_STRING)
		return refuse(k, 0, "a list, a table, a map or a text");
	return finish(k, k->c->t.integer);
}

/* ceil, floor, round, sqrt, log2, exp: of plain numbers. */
static ir_id plain(struct call *k, const struct type *result)
{
	if (!is_plain(take_any(k, 0)))
		return refuse(k, 0, "a plain number");
	return finish(k, result);
}

static ir_id magnitude(struct call *k)
{
	const struct type *t = take_any(k, 0);

	if (t->kind != TYPE_NUMBER)
		return refuse(k, 0, "a number");
	return finish(k, t);
}

static ir_id distinct(struct call *k)
{
	const struct type *t = take_any(k, 0);

	if (t->kind != TYPE_LIST)
		return refuse(k, 0, "a list");
	return finish(k, t);
}

/* values(recompute): the argument names a type, not a value. Becomes the list of its values. */
static ir_id values(struct call *k)
{
	struct check *c = k->c;
	struct ast *x = argument_at(k->x, 0).value;
	struct decl *d = NULL;
	ir_id items[VALUES_MAX];
	const struct type *of;
	uint32_t n = 0;

	if (x->kind == AST_NAME) {
		d = find_decl(c, k->e->module, x->ident.name.sym);
		if (d && d->kind != DECL_ENUM && d->kind != DECL_SCHEMA && c->modules->prelude)
			d = module_find(c->modules->prelude, x->ident.name.sym);
	}
	if (!d || (d->kind != DECL_ENUM && d->kind != DECL_SCHEMA)) {
		diag_report(c->sink, E1104, x->span, "`values` takes the name of an enum or of a schema");
		return ir_add_poison(c->p, k->x->span);
	}
	of = type_of(c->p->types, (struct type){ .kind = d->kind == DECL_ENUM ? TYPE_ENUM : TYPE_RECORD,
						 .index = d->index });
	if (d->kind == DECL_ENUM)
		for (; n < c->p->enums.at[d->index].count && n < VALUES_MAX; n++)
			items[n] = ir_add_enum(c->p, of, x->span, n);
	else
		for (; n < c->schemas.at[d->index].presets.n && n < VALUES_MAX; n++)
			items[n] = lower_global(c, c->schemas.at[d->index].presets.at[n], x->span);
	return ir_add(c->p, IR_LIST, type_list(c->p->types, of), k->x->span,
		      ir_add_list(c->p, items, NULL, n), n, 0);
}

/* blocks("(S f)*26 A", S = ..., A = ..., f = ...): letters stand for records of schema `block`. */
static ir_id blocks(struct call *k)
{
	struct check *c = k->c;
	uint32_t block = ir_find_schema(c->p, "block");
	const struct type *of;

	take(k, 0, c->t.string, "the pattern of `blocks`");
	if (block == IR_NONE)
		return finish(k, c->t.poison);
	of = type_of(c->p->types, (struct type){ .kind = TYPE_RECORD, .index = block });
	for (uint32_t i = 1; i < k->x->call.arguments.n; i++) {
		struct ast_argument a = argument_at(k->x, i);
		struct goal goal = { .what = "a letter of `blocks`", .declared = SPAN_NONE, .code = E1104 };

		if (a.name.sym.id == 0 || sym_str(c->names, a.name.sym).n != 1) {
			diag_report(c->sink, E1104, a.value->span,
				    "behind its pattern `blocks` takes letters: `S = { ... }`");
			k->failed = true;
			continue;
		}
		add(k, lower(c, k->e, a.value, of, &goal), a.name.sym);
	}
	return finish(k, type_list(c->p->types, of));
}

static ir_id span_level(struct call *k)
{
	struct check *c = k->c;
	uint32_t cluster = ir_find_schema(c->p, "cluster");
	const struct type *of = cluster == IR_NONE
					? c->t.any
					: type_of(c->p->types,
						  (struct type){ .kind = TYPE_RECORD, .index = cluster });

	take(k, 0, of, "the first argument of `span_level`");
	take(k, 1, c->t.integer, "a number of GPUs");
	return finish(k, c->t.string);
}

/* A named argument: `sequence = n`, `when = cond`. Checks that the name is the one allowed. */
static bool take_named(struct call *k, uint32_t i, const char *name, const struct type *type)
{
	struct ast_argument a = argument_at(k->x, i);
	struct out o;
	struct goal goal = { .declared = SPAN_NONE, .code = E1104 };

	if (!str_is(sym_str(k->c->names, a.name.sym), name)) {
		diag_report(k->c->sink, E1104, a.name.sym.id ? a.name.span : a.value->span,
			    "`%s` takes `%s = ...` here", builtin_name(k->b), name);
		k->failed = true;
		return false;
	}
	out_init(&o, k->c->arena);
	out_printf(&o, "`%s`", name);
	goal.what = str_copy(k->c->arena, out_view(&o)).p;
	add(k, lower(k->c, k->e, a.value, type, &goal), a.name.sym);
	return true;
}

static ir_id flops(struct call *k)
{
	struct check *c = k->c;
	uint32_t model = ir_find_schema(c->p, "model"), profile = ir_find_schema(c->p, "profile");
	struct dimension work = { 0, 0, 1, 0, 0 };

	if (model == IR_NONE || profile == IR_NONE)
		return ir_add_poison(c->p, k->x->span);
	take(k, 0, type_of(c->p->types, (struct type){ .kind = TYPE_RECORD, .index = model }),
	     "the first argument of `flops_per_token`");
	take_named(k, 1, "sequence", c->t.integer);
	if (k->x->call.arguments.n == 3)
		take_named(k, 2, "profile",
			   type_of(c->p->types, (struct type){ .kind = TYPE_RECORD, .index = profile }));
	return finish(k, type_number(c->p->types, work, EXACT_RATIONAL));
}

/* flag("--name", value, when = cond), key("name", value, when = cond). */
static ir_id artefact_line(struct call *k)
{
	struct check *c = k->c;
	uint32_t count = k->x->call.arguments.n, values_seen = 0;

	take(k, 0, c->t.string, k->b == BUILTIN_FLAG ? "the name of a flag" : "the name of a key");
	for (uint32_t i = 1; i < count; i++) {
		if (argument_at(k->x, i).name.sym.id != 0) {
			take_named(k, i, "when", c->t.boolean);
			continue;
		}
		if (values_seen++ > 0) {
			diag_report(c->sink, E1104, argument_at(k->x, i).value->span,
				    "`%s` takes one value; a condition is written `when = ...`",
				    builtin_name(k->b));
			k->failed = true;
			break;
		}
		take_any(k, i);
	}
	if (k->b == BUILTIN_KEY && values_seen == 0 && !k->failed) {
		diag_report(c->sink, E1104, k->x->span, "`key` needs a value");
		k->failed = true;
	}
	return finish(k, c->t.arg);
}

/* ---- which rule ------------------------------------------------------------------------------ */

static ir_id with_texts(struct call *k, uint32_t n, const struct type *result)
{
	static const char *const what[] = { "the first argument", "the second argument",
					    "the third argument" };

	for (uint32_t i = 0; i < n; i++)
		take(k, i, k->c->t.string, what[i]);
	return finish(k, result);
}

static ir_id with_ints(struct call *k, uint32_t n, const struct type *result)
{
	for (uint32_t i = 0; i < n; i++)
		take(k, i, k->c->t.integer, "this argument");
	return finish(k, result);
}

static ir_id lower_rule(struct call *k)
{
	struct check *c = k->c;
	const struct type *ints = type_list(c->p->types, c->t.integer);

	switch (k->b) {
	case BUILTIN_MIN:
	case BUILTIN_MAX:
		return extreme(k);
	case BUILTIN_SUM:
		return sum(k);
	case BUILTIN_LEN:
		return length(k);
	case BUILTIN_ALL:
	case BUILTIN_ANY:
		take(k, 0, type_list(c->p->types, c->t.boolean),
		     k->b == BUILTIN_ALL ? "the list of `all`" : "the list of `any`");
		return finish(k, c->t.boolean);
	case BUILTIN_CEIL:
	case BUILTIN_FLOOR:
	case BUILTIN_ROUND:
		return plain(k, c->t.integer);
	case BUILTIN_SQRT:
	case BUILTIN_LOG2:
	case BUILTIN_EXP:
		return plain(k, c->t.real);
	case BUILTIN_ABS:
		return magnitude(k);
	case BUILTIN_UNIQUE:
		return distinct(k);
	case BUILTIN_DIVISORS:
		return with_ints(k, 1, ints);
	case BUILTIN_POWERS:
		return with_ints(k, 3, ints);
	case BUILTIN_VALUES:
		return values(k);
	case BUILTIN_AT_LEAST:
		return with_texts(k, 2, c->t.boolean);
	case BUILTIN_TEXT:
		take_any(k, 0);
		return finish(k, c->t.string);
	case BUILTIN_NAME_OF:
		if (take_any(k, 0)->kind != TYPE_RECORD)
			return refuse(k, 0, "a record");
		return finish(k, c->t.string);
	case BUILTIN_JOIN:
		take(k, 0, type_list(c->p->types, c->t.string), "the first argument");
		take(k, 1, c->t.string, "the separator");
		return finish(k, c->t.string);
	case BUILTIN_REPLACE:
		return with_texts(k, 3, c->t.string);
	case BUILTIN_BLOCKS:
		return blocks(k);
	case BUILTIN_SPAN_LEVEL:
		return span_level(k);
	case BUILTIN_FLOPS_PER_TOKEN:
		return flops(k);
	case BUILTIN_FLAG:
	case BUILTIN_KEY:
		return artefact_line(k);
	case BUILTIN_LOOKUP:
		return lower_lookup(c, k->e, k->x);
	case BUILTIN_EVEN:
	case BUILTIN_BALANCED:
	case BUILTIN_ENDS:
	case BUILTIN_COUNTS:
	case BUILTIN_STAGES:
		return lower_layout(c, k->e, k->x, k->b);
	case BUILTIN_COUNT:
		break;
	}
	return ir_add_poison(c->p, k->x->span);
}

/* Whether a function has arguments that are given by name. */
static bool takes_names(enum builtin b)
{
	return b == BUILTIN_EVEN || b == BUILTIN_BALANCED || b == BUILTIN_ENDS || b == BUILTIN_BLOCKS ||
	       b == BUILTIN_FLOPS_PER_TOKEN || b == BUILTIN_FLAG || b == BUILTIN_KEY || b == BUILTIN_LOOKUP;
}

ir_id lower_builtin(struct check *c, const struct env *e, struct ast *x, enum builtin b,
		    const struct type *hint)
{
	const struct builtin_info *info = builtin_info(b);
	struct call *k = ARENA_NEW(c->arena, struct call);
	uint32_t n = x->call.arguments.n;

	(void)hint;
	if (n < info->least || n > info->most) {
		struct diag *d = diag_new(c->sink, E1104, x->span);

		if (info->least == info->most)
			diag_message(d, "`%s` takes %u argument%s, this call has %u", info->name,
				     info->least, info->least == 1 ? "" : "s", n);
		else
			diag_message(d, "`%s` takes %s%u argument%s, this call has %u", info->name,
				     n < info->least ? "at least " : "at most ",
				     n < info->least ? info->least : info->most,
				     (n < info->least ? info->least : info->most) == 1 ? "" : "s", n);
		diag_note(d, "%s: %s", info->name, info->doc);
		diag_submit(d);
		return ir_add_poison(c->p, x->span);
	}
	for (uint32_t i = 0; i < n && !takes_names(b); i++) {
		struct ast_argument a = argument_at(x, i);

		if (a.name.sym.id == 0)
			continue;
		diag_report(c->sink, E1104, a.name.span, "`%s` has no argument named `%s`", info->name,
			    spell(c, a.name.sym));
		return ir_add_poison(c->p, x->span);
	}
	*k = (struct call){ .c = c, .e = e, .x = x, .b = b };
	k->nodes = ARENA_ARRAY(c->arena, ir_id, n + 1);
	k->names = ARENA_ARRAY(c->arena, struct sym, n + 1);
	return lower_rule(k);
}
