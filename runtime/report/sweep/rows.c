/* rows.c - a feasible candidate as a row: a line of CSV, an object of JSON lines. Rows stand in the order of the
 * candidates, so that they can be written while the sweep runs. */
#include "runtime/report/sweep/rows.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

static const struct type *element_type(const struct type *t, uint32_t i)
{
	while (t && t->kind == TYPE_OPTION)
		t = t->of;
	if (!t)
		return NULL;
	return t->kind == TYPE_TUPLE ? (i < t->count ? t->items[i] : NULL) : t->of;
}

static void json_value(struct search *s, struct json_writer *w, const char *key, struct value v,
		       const struct type *t)
{
	struct out o;

	if (v.kind == VALUE_NUMBER) {
		json_num(w, key, v.number);
	} else if (v.kind == VALUE_REAL) {
		json_real(w, key, v.real);
	} else if (v.kind == VALUE_BOOL) {
		json_bool(w, key, v.truth);
	} else if (v.kind == VALUE_NONE || v.kind == VALUE_POISON) {
		json_null(w, key);
	} else if (v.kind == VALUE_LIST) {
		json_begin_array(w, key);
		for (uint32_t i = 0; i < v.list->n; i++)
			json_value(s, w, NULL, v.list->at[i], element_type(t, i));
		json_end(w);
	} else {
		out_init(&o, w->arena);
		value_print(&o, s->ev->program, v, t);
		json_str(w, key, out_view(&o));
	}
}

/* A field of an axis: numbers as numbers, lists as arrays, everything else as the text of the tables. */
static void json_path(struct search *s, struct json_writer *w, uint64_t number, uint32_t k)
{
	struct value v = search_value(s, number, k);
	const struct ir_path *p = search_path(s, k);
	struct out text;

	if (v.kind != VALUE_RECORD) {
		json_value(s, w, p->text.p, v, p->type);
		return;
	}
	out_init(&text, w->arena);
	search_value_print(s, number, k, &text);
	json_str(w, p->text.p, out_view(&text));
}

void row_json(struct search *s, struct json_writer *w, const struct search_candidate *c)
{
	json_begin_object(w, NULL);
	json_int(w, "number", (int64_t)c->number);
	json_begin_object(w, "axes");
	for (uint32_t k = 0; k < search_path_count(s); k++)
		json_path(s, w, c->number, k);
	json_end(w);
	json_begin_array(w, "goals");
	for (uint32_t g = 0; g < s->sweep->goal_count; g++)
		json_value(s, w, NULL, c->goals[g], NULL);
	json_end(w);
	json_end(w);
}

static void print_jsonl(struct search *s, const struct search_candidate *c, struct arena *scratch, struct out *o)
{
	struct json_writer w;
	struct out line;

	json_writer_init(&w, scratch);
	row_json(s, &w, c);
	out_init(&line, scratch);
	json_print(&w, &line, false);
	out_str(o, out_view(&line));
	out_char(o, '\n');
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Puts what was written from there into quotes where it needs them: a quote inside is doubled (RFC 4180). */
static void quote(struct out *o, size_t from)
{
	size_t n = o->n - from, marks = 2, to;
	const char *text = o->p + from;

	if (n == 0 || !(memchr(text, ',', n) || memchr(text, '"', n) || memchr(text, '\n', n)))
		return;
	for (size_t i = 0; i < n; i++)
		marks += text[i] == '"';
	out_repeat(o, '"', (uint32_t)marks);
	to = o->n - 1;
	for (size_t i = from + n; i-- > from;) {
		o->p[--to] = o->p[i];
		if (o->p[i] == '"')
			o->p[--to] = '"';
	}
	o->p[from] = '"';
}

/* Digits alone. */
static void print_number(struct out *o, struct value v)
{
	if (v.kind == VALUE_NUMBER)
		num_print_decimal(o, v.number);
	else if (v.kind == VALUE_REAL)
		out_real(o, v.real);
}

static void print_csv(struct search *s, const struct search_candidate *c, struct arena *scratch, struct out *o)
{
	(void)scratch;
	out_printf(o, "%llu", (unsigned long long)c->number);
	for (uint32_t k = 0; k < search_path_count(s); k++) {
		struct value v = search_value(s, c->number, k);
		size_t from;

		out_char(o, ',');
		from = o->n;
		if (v.kind == VALUE_NUMBER || v.kind == VALUE_REAL)
			print_number(o, v);
		else
			search_value_print(s, c->number, k, o);
		quote(o, from);
	}
	for (uint32_t g = 0; g < s->sweep->goal_count; g++) {
		if (report_goal_is_axis(s, g))
			continue;
		out_char(o, ',');
		print_number(o, c->goals[g]);
	}
	out_char(o, '\n');
}

/* "memory.peak [B]" */
static void print_head(struct search *s, struct out *o, struct str name, const struct type *t)
{
	struct str unit = type_base_unit(s->ev->lasting, t);
	size_t from;

	out_char(o, ',');
	from = o->n;
	out_str(o, name);
	if (unit.n > 0)
		out_printf(o, " [%.*s]", (int)unit.n, unit.p);
	quote(o, from);
}

static void print_csv_head(struct search *s, struct out *o)
{
	out_text(o, "number");
	for (uint32_t k = 0; k < search_path_count(s); k++)
		print_head(s, o, search_path(s, k)->text, search_path(s, k)->type);
	for (uint32_t g = 0; g < s->sweep->goal_count; g++)
		if (!report_goal_is_axis(s, g))
			print_head(s, o, report_goal_name(s, g),
				   s->ev->program->nodes.at[s->sweep->goals[g].value].type);
	out_char(o, '\n');
}

/* ---- all rows -------------------------------------------------------------------------------- */

static const struct sweep_rows csv = { print_csv_head, print_csv }, jsonl = { NULL, print_jsonl };

const struct sweep_rows *report_sweep_rows(enum sweep_form form)
{
	return form == SWEEP_CSV ? &csv : form == SWEEP_JSONL ? &jsonl : NULL;
}

static void print_all(const struct sweep_rows *rows, struct search *s, struct out *o)
{
	struct arena *scratch = ARENA_NEW(s->ev->lasting, struct arena);

	arena_init_under(scratch, s->ev->lasting);
	if (rows->head)
		rows->head(s, o);
	for (uint32_t i = 0; i < s->kept; i++) {
		rows->row(s, &s->feasible[i], scratch, o);
		arena_reset(scratch, (struct arena_mark){ 0 });
	}
	arena_release(scratch);
	search_rest(s);
}

void report_sweep_csv(struct search *s, struct out *o)
{
	print_all(&csv, s, o);
}

void report_sweep_jsonl(struct search *s, struct out *o)
{
	print_all(&jsonl, s, o);
}
