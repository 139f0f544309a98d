/* words.c - values and candidates as people read them. */
#include "runtime/search/search_int.h"

enum { SOURCE_SHOWN_MAX = 60 };      /* characters of a value's own text in a column */

/* The record of the nest, which lives until another candidate is asked for. */
static struct record *passing_record(struct search *s, uint64_t number)
{
	if (s->space->stands_at != number)
		space_goto(s->space, number);
	s->space->stands_at = number;
	return bench_record(s->bench, s->bench->n);
}

void search_rest(struct search *s)
{
	bench_release(s->bench);
	if (s->verdicts)
		verdicts_release(s->verdicts);
	s->space->stands_at = 0;
}

struct value search_value(struct search *s, uint64_t number, uint32_t k)
{
	const struct ir_path *path = search_path(s, k);
	struct value v = { .kind = VALUE_RECORD, .record = passing_record(s, number) };

	for (uint32_t i = 0; i < path->slot_count && v.kind == VALUE_RECORD; i++)
		v = record_get(s->ev, v.record, path->slots[i]);
	return v;
}

bool search_path_is_off(struct search *s, uint64_t number, uint32_t k)
{
	(void)passing_record(s, number);
	return s->space->axes[search_axis_of(s, &k)].off;
}

/* A value without a name of its own, by the text that it is written as. */
static bool print_written(struct search *s, struct out *o, uint32_t k)
{
	uint32_t path = k, axis = search_axis_of(s, &path);
	const struct loop *a = &s->space->axes[axis];
	const struct ir_program *p = s->ev->program;
	const struct ir_node *n = &p->nodes.at[a->ir->values];
	struct str text;

	if (a->off || n->op != IR_LIST || a->position >= n->b)
		return false;
	n = &p->nodes.at[p->lists.at[n->a + a->position]];
	if (n->op == IR_TUPLE && path < n->b)
		n = &p->nodes.at[p->lists.at[n->a + path]];
	if (n->span.file >= p->sources->files.n)
		return false;
	text = source_slice(p->sources, n->span);
	if (text.n == 0 || text.n > SOURCE_SHOWN_MAX || memchr(text.p, '\n', text.n))
		return false;
	out_str(o, text);
	return true;
}

static bool sets_slot(const struct ir_layer *layer, uint32_t slot)
{
	for (uint32_t i = 0; i < layer->binding_count; i++)
		if (layer->bindings[i].slot == slot)
			return true;
	return false;
}

/* Whether a pair of braces without a name, of those over the first named record, sets the field. */
static bool is_set(const struct ir_program *p, const struct record *r, uint32_t slot)
{
	for (const struct link_layer *l = r->layers; l && !p->layers.at[l->layer].name.id; l = l->older)
		if (sets_slot(&p->layers.at[l->layer], slot))
			return true;
	return false;
}

/* The element of an axis that made a nameless record, which fields of inner axes have not changed yet. */
static struct record *element_of(struct search *s, uint32_t k)
{
	uint32_t axis = search_axis_of(s, &k);
	const struct loop *a = &s->space->axes[axis];
	struct value v;

	if (a->off || !a->values || a->position >= a->values->n)
		return NULL;
	v = space_value(a, a->values, a->position, k);
	return v.kind == VALUE_RECORD ? v.record : NULL;
}

/* A record that a function or a list made: what its braces set, "{ granularity = full, layers = 3 }". */
static bool print_set(struct search *s, struct out *o, uint32_t k)
{
	const struct ir_program *p = s->ev->program;
	struct record *r = element_of(s, k);
	const struct ir_schema *schema;
	const struct link_layer *named;
	const char *separator = "{ ";

	if (!r)
		return false;
	schema = &p->schemas.at[r->schema];
	for (named = r->layers; named && !p->layers.at[named->layer].name.id; named = named->older)
		;
	if (named)
		out_printf(o, "%s with ", sym_str(p->names, p->layers.at[named->layer].name).p);
	for (uint32_t i = 0; i < schema->field_count; i++) {
		if (!is_set(p, r, i))
			continue;
		out_printf(o, "%s%s = ", separator, sym_str(p->names, schema->fields[i].name).p);
		value_print_source(o, p, record_get(s->ev, r, i), schema->fields[i].type);
		separator = ", ";
	}
	out_text(o, *separator == '{' ? "{}" : " }");
	return true;
}

/* The name of what the axis put there, before inner axes changed fields of it. */
static bool print_name(struct search *s, struct out *o, uint32_t k)
{
	const struct ir_program *p = s->ev->program;
	const struct record *r = element_of(s, k);

	if (!r || r->global == IR_NONE)
		return false;
	out_str(o, sym_str(p->names, p->globals.at[r->global].name));
	return true;
}

/* How a value without a name of its own reads. */
static bool print_nameless(struct search *s, struct out *o, uint32_t k)
{
	return print_name(s, o, k) || print_written(s, o, k) || print_set(s, o, k);
}

void search_value_print(struct search *s, uint64_t number, uint32_t k, struct out *o)
{
	struct value v = search_value(s, number, k);

	if (v.kind != VALUE_RECORD || v.record->global != IR_NONE || !print_nameless(s, o, k))
		value_print(o, s->ev->program, v, search_path(s, k)->type);
}

struct str search_value_text(struct search *s, uint64_t number, uint32_t k)
{
	struct out o;

	out_init(&o, s->ev->lasting);
	search_value_print(s, number, k, &o);
	return out_view(&o);
}

struct str search_cell_text(struct search *s, uint64_t number, uint32_t k)
{
	return search_path_is_off(s, number, k) ? STR("-") : search_value_text(s, number, k);
}

/* Numbers with the name of their field; words speak for themselves. Axes that are off say nothing. */
struct str search_describe(struct search *s, uint64_t number)
{
	struct out o;

	out_init(&o, s->ev->lasting);
	for (uint32_t k = 0; k < search_path_count(s); k++) {
		const struct type *t = search_path(s, k)->type;
		struct str name = search_path_name(s, k), text = search_value_text(s, number, k);
		bool word = t->kind == TYPE_RECORD || t->kind == TYPE_ENUM;

		if (search_path_is_off(s, number, k))
			continue;
		out_text(&o, o.n > 0 ? ", " : "");
		if (!word)
			out_printf(&o, "%.*s ", (int)name.n, name.p);
		out_str(&o, text);
	}
	bench_release(s->bench);
	s->space->stands_at = 0;
	return str_copy(s->ev->lasting, out_view(&o));
}
