/* lookup_call.c - lookup(table, column = value, ..., interpolate = linear): which columns a row is found
 * by, and whether values between two measured rows may be computed. */
#include "compiler/check/check_int.h"

/* One call, its arguments lowered one after the other. */
struct lookup {
	struct check *c;
	const struct env *e;
	struct ast *x;
	uint32_t schema;             /* of a row */
	ir_id *nodes;
	struct sym *names;
	uint32_t n, columns;
	bool failed;
};

static void add(struct lookup *k, ir_id node, struct sym name)
{
	k->failed = k->failed || is_poison(ir_type(k->c->p, node));
	k->nodes[k->n] = node;
	k->names[k->n++] = name;
}

static bool refuse(struct lookup *k, struct span at, const char *why)
{
	diag_report(k->c->sink, E1104, at, "%s", why);
	k->failed = true;
	return false;
}

/* The table; its rows say which columns there are. */
static bool take_table(struct lookup *k)
{
	struct ast *x = k->x->call.arguments.at[0];
	const struct type *t;
	ir_id node;

	if (x->kind == AST_ARGUMENT && x->argument.name.sym.id != 0)
		return refuse(k, x->argument.name.span, "the first argument of `lookup` is the table");
	node = infer(k->c, k->e, x->kind == AST_ARGUMENT ? x->argument.value : x, NULL);
	t = ir_type(k->c->p, node);
	if (is_poison(t))
		return false;
	if (t->kind != TYPE_TABLE) {
		diag_report(k->c->sink, E1104, k->c->p->nodes.at[node].span,
			    "`lookup` takes a table first, but this is %s", type_phrase(k->c, t));
		return false;
	}
	k->schema = t->of->index;
	add(k, node, (struct sym){ 0 });
	return true;
}

/* `interpolate = linear`: a word, not a value. */
static void take_interpolation(struct lookup *k, const struct ast_argument *a)
{
	struct str word = a->value->kind == AST_NAME ? sym_str(k->c->names, a->value->ident.name.sym)
						     : STR("");

	if (!str_is(word, "linear") && !str_is(word, "log")) {
		refuse(k, a->value->span, "`interpolate` is `linear` or `log`");
		return;
	}
	add(k, ir_add_string(k->c->p, a->value->span, word), a->name.sym);
}

static void report_column(struct lookup *k, struct ast_name name)
{
	struct diag *d = diag_new(k->c->sink, E1201, name.span);

	diag_message(d, "the rows of this table have no column `%s`", spell(k->c, name.sym));
	suggest_fields(k->c, d, k->schema, sym_str(k->c->names, name.sym), NULL);
	diag_submit(d);
	k->failed = true;
}

static bool given_before(const struct lookup *k, struct sym name)
{
	for (uint32_t i = 1; i < k->n; i++)
		if (sym_equal(k->names[i], name))
			return true;
	return false;
}

static void take_column(struct lookup *k, const struct ast_argument *a)
{
	struct check *c = k->c;
	uint32_t slot = field_find(c, k->schema, a->name.sym);
	const struct ir_field *f;
	struct goal goal;

	if (slot == IR_NONE) {
		report_column(k, a->name);
		return;
	}
	f = &c->p->schemas.at[k->schema].fields[slot];
	if (f->final || f->native) {
		refuse(k, a->name.span, "rows are found by their columns, and this field is derived");
		return;
	}
	goal = field_goal(c, k->schema, slot);
	k->columns++;
	add(k, lower(c, k->e, a->value, without_none(f->type), &goal), a->name.sym);
}

static void take_argument(struct lookup *k, struct ast *x)
{
	const struct ast_argument *a = &x->argument;

	if (x->kind != AST_ARGUMENT || a->name.sym.id == 0)
		refuse(k, x->span, "behind the table `lookup` takes columns: `column = value`");
	else if (given_before(k, a->name.sym))
		refuse(k, a->name.span, "this argument is given twice");
	else if (str_is(sym_str(k->c->names, a->name.sym), "interpolate"))
		take_interpolation(k, a);
	else
		take_column(k, a);
}

ir_id lower_lookup(struct check *c, const struct env *e, struct ast *x)
{
	struct lookup k = { .c = c, .e = e, .x = x };
	uint32_t n = x->call.arguments.n;

	k.nodes = ARENA_ARRAY(c->arena, ir_id, n + 1);
	k.names = ARENA_ARRAY(c->arena, struct sym, n + 1);
	if (!take_table(&k))
		return ir_add_poison(c->p, x->span);
	for (uint32_t i = 1; i < n; i++)
		take_argument(&k, x->call.arguments.at[i]);
	if (!k.failed && k.columns == 0)
		refuse(&k, x->span, "`lookup` needs a column to find the row by");
	if (k.failed)
		return ir_add_poison(c->p, x->span);
	return ir_add(c->p, IR_BUILTIN,
		      type_of(c->p->types, (struct type){ .kind = TYPE_RECORD, .index = k.schema }), x->span,
		      (uint32_t)BUILTIN_LOOKUP, ir_add_list(c->p, k.nodes, k.names, k.n), k.n);
}
