/* why.c - prints the tree of a value: a line with its value and who says so, its definition, its parts. */
#include "runtime/ask/why/why_int.h"

#include "runtime/ask/value_json.h"

/* Definitions behind definitions; what is deeper is rarely asked for, and can be asked for by itself. */
enum { LEVELS_MAX = 12 };

struct named {
	const struct record *self;
	struct str label;
};

struct tree {
	struct eval *ev;
	struct out *o;
	struct json_writer *json;    /* objects go here in place of lines; or NULL */
	struct map seen;             /* fields and globals that were explained */
	VEC(struct named) names;     /* `let`s that were */
};

/* Where a value is defined. */
struct origin_of {
	ir_id node;                  /* IR_NO_NODE: nothing to take apart */
	struct scope scope;
	const char *how;             /* "set"; NULL for an expression */
	struct str by, place;        /* "base", "llama.plan:35"; may be empty */
	bool native;
};

static void say(struct eval *ev, struct origin_of *from, const char *how, struct str by, struct span at)
{
	from->how = how;
	from->by = by;
	from->place = ask_place(ev, at);
}

static const struct ir_binding *binding_of(const struct ir_layer *l, uint32_t slot)
{
	for (uint32_t i = 0; i < l->binding_count; i++)
		if (l->bindings[i].slot == slot)
			return &l->bindings[i];
	return NULL;
}

static struct origin_of origin_of_slot(struct eval *ev, struct record *r, uint32_t slot)
{
	const struct ir_program *p = ev->program;
	const struct ir_field *f = &p->schemas.at[r->schema].fields[slot];
	struct origin_of from = { .node = f->value, .scope = { .self = r } };

	for (const struct link_layer *l = r->layers; l && !f->final && !f->native; l = l->older) {
		const struct ir_layer *layer = &p->layers.at[l->layer];
		const struct ir_binding *b = binding_of(layer, slot);
		struct str name = layer->name.id ? sym_str(p->names, layer->name) : STR("");

		if (!b)
			continue;
		from.node = b->kind == BIND_SET ? b->what : IR_NO_NODE;
		from.scope.frame = l->frame;
		say(ev, &from, b->kind == BIND_SET ? "set" : "changed", name, b->span);
		return from;
	}
	from.native = f->native;
	if (f->native)
		say(ev, &from, "computed by planc", STR(""), SPAN_NONE);
	else
		say(ev, &from, f->final ? "derived" : f->value == IR_NO_NODE ? "from its table" : "default",
		    STR(""), f->span);
	return from;
}

static struct origin_of origin_of_global(struct eval *ev, uint32_t global)
{
	static const char *const words[] = { [GLOBAL_PARAM] = "param",
					     [GLOBAL_LET] = "let",
					     [GLOBAL_INSTANCE] = "record",
					     [GLOBAL_TABLE] = "table" };
	const struct ir_global *g = &ev->program->globals.at[global];
	struct origin_of from = { .node = IR_NO_NODE };
	struct span at = g->span;

	if (g->kind == GLOBAL_LET || g->kind == GLOBAL_PARAM)
		from.node = g->value;
	say(ev, &from, words[g->kind], STR(""), at);
	return from;
}

static struct origin_of origin_of_read(struct tree *t, const struct read *r)
{
	struct origin_of from = { .node = r->node, .scope = r->scope };

	if (r->kind == READ_SLOT)
		return origin_of_slot(t->ev, r->record, r->slot);
	if (r->kind == READ_GLOBAL)
		return origin_of_global(t->ev, r->global);
	return from;
}

/* A `let` is known by its name and the record it is read in. */
static bool is_new_name(struct tree *t, const struct read *r)
{
	for (uint32_t i = 0; i < t->names.n; i++)
		if (t->names.at[i].self == r->scope.self && str_equal(t->names.at[i].label, r->label))
			return false;
	*VEC_ADD(t->ev->arena, &t->names) = (struct named){ r->scope.self, r->label };
	return true;
}

/* True the first time. */
static bool is_new(struct tree *t, const struct read *r)
{
	uint64_t key;

	if (r->kind == READ_NODE)
		return is_new_name(t, r);
	key = r->kind == READ_GLOBAL ? (uint64_t)r->global + 1
				     : ((uint64_t)(uintptr_t)r->record << 12) + r->slot + 1;
	if (map_find(&t->seen, key) != MAP_NONE)
		return false;
	map_set(&t->seen, key, 1);
	return true;
}

static void explain(struct tree *t, const struct read *r, uint32_t level);

/* Records and tables are what values are read from; they have no definition worth a line. */
static bool is_plain_value(struct value v)
{
	return v.kind != VALUE_RECORD && v.kind != VALUE_TABLE;
}

static void explain_definition(struct tree *t, const struct origin_of *from, struct str label, uint32_t level)
{
	const struct ir_node *n = &t->ev->program->nodes.at[from->node];
	struct str text = ask_text(t->ev, n->span);
	struct reads reads = { 0 };
	bool shown = text.n > 0 && !str_equal(text, label);

	if (n->op == IR_CONST)
		return;
	if (shown && t->json) {
		json_str(t->json, "definition", text);
	} else if (shown) {
		out_repeat(t->o, ' ', (level + 1) * INDENT);
		out_printf(t->o, "= %.*s\n", (int)text.n, text.p);
	}
	reads_of(t->ev, from->node, from->scope, &reads);
	if (t->json && reads.all.n > 0)
		json_begin_array(t->json, "parts");
	for (uint32_t i = 0; i < reads.all.n; i++)
		explain(t, &reads.all.at[i], level + 1);
	if (t->json && reads.all.n > 0)
		json_end(t->json);
}

static void explain_result(struct tree *t, const struct read *r, uint32_t level)
{
	struct parts parts = { t->o, t->json, (level + 1) * INDENT };

	if (t->json)
		json_begin_array(t->json, "parts");
	parts_print(t->ev, r, &parts);
	if (t->json)
		json_end(t->json);
}

/* "pretrain.dp = 2  (set by base, llama.plan:35)" */
static void text_value(struct tree *t, const struct read *r, struct value v, const struct origin_of *from,
		       uint32_t level)
{
	out_repeat(t->o, ' ', level * INDENT);
	out_printf(t->o, "%.*s = ", (int)r->label.n, r->label.p);
	value_print(t->o, t->ev->program, v, read_type(t->ev, r));
	if (from->how) {
		out_printf(t->o, "  (%s", from->how);
		if (from->by.n > 0)
			out_printf(t->o, " by %.*s", (int)from->by.n, from->by.p);
		if (from->place.n > 0)
			out_printf(t->o, ", %.*s", (int)from->place.n, from->place.p);
		out_char(t->o, ')');
	}
	out_char(t->o, '\n');
}

/* Members of the object of a value; records and tables have a text only. */
static void json_value(struct tree *t, const struct read *r, struct value v, const struct origin_of *from)
{
	const struct type *type = read_type(t->ev, r);
	struct out text;

	out_init(&text, t->o->arena);
	value_print(&text, t->ev->program, v, type);
	json_str(t->json, "name", r->label);
	if (is_plain_value(v))
		value_json(t->ev, t->json, "value", v, type);
	if (v.kind == VALUE_NUMBER || v.kind == VALUE_REAL)
		json_str(t->json, "unit", type_base_unit(t->o->arena, type));
	json_str(t->json, "text", out_view(&text));
	if (from->how)
		json_text(t->json, "how", from->how);
	if (from->by.n > 0)
		json_str(t->json, "by", from->by);
	if (from->place.n > 0)
		json_str(t->json, "at", from->place);
}

static void explain(struct tree *t, const struct read *r, uint32_t level)
{
	struct value v = read_value_of(t->ev, r);
	struct origin_of from = origin_of_read(t, r);
	bool first = is_new(t, r);

	if (t->json) {
		json_begin_object(t->json, NULL);
		json_value(t, r, v, &from);
	} else {
		text_value(t, r, v, &from, level);
	}
	if (first && level < LEVELS_MAX && v.kind != VALUE_POISON) {
		if (from.native)
			explain_result(t, r, level);
		else if (from.node != IR_NO_NODE && (is_plain_value(v) || r->kind == READ_NODE))
			explain_definition(t, &from, r->label, level);
	}
	if (t->json)
		json_end(t->json);
}

static bool explain_question(struct tree *t, ir_id question, struct str label)
{
	struct value v = eval_node(t->ev, question, (struct scope){ 0 });
	struct read r;

	if (v.kind == VALUE_POISON)
		return false;
	map_init(&t->seen, t->ev->arena);
	r = read_of(t->ev, question, (struct scope){ 0 }, label);
	explain(t, &r, 0);
	return true;
}

bool why_print(struct eval *ev, ir_id question, struct str label, struct out *o)
{
	struct tree t = { .ev = ev, .o = o };

	return explain_question(&t, question, label);
}

bool why_json(struct eval *ev, ir_id question, struct str label, struct out *o)
{
	struct json_writer w;
	struct tree t = { .ev = ev, .o = o, .json = &w };

	json_writer_init(&w, o->arena);
	if (!explain_question(&t, question, label))
		return false;
	json_print(&w, o, true);
	out_char(o, '\n');
	return true;
}
