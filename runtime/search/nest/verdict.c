/* verdict.c - whether the conditions of a sweep hold for a candidate, each tested as seldom as possible:
 * once for every combination of values that it reads. */
#include "runtime/search/search_int.h"

/* Messages that are told apart. */
enum { MESSAGES_MAX = 63 };

/* ---- one condition --------------------------------------------------------------------------- */

/* The record that a condition holds for, and the names its text may see. */
static bool scope_in(const struct ir_condition *k, struct record *r, struct scope *scope)
{
	*scope = (struct scope){ .self = r };
	for (const struct link_layer *l = r->layers; k->layer != IR_NONE && l; l = l->older) {
		if (l->layer == k->layer) {
			scope->frame = l->frame;
			return true;
		}
	}
	return k->layer == IR_NONE;
}

struct testing {
	struct eval *ev;
	const struct ir_condition *k;
	struct scope broken;
};

static bool holds_in(struct testing *t, struct record *r)
{
	struct scope scope;

	if (!scope_in(t->k, r, &scope) || assert_test(t->ev, &t->k->rule, scope) != VERDICT_BROKEN)
		return true;
	t->broken = scope;
	return false;
}

/* A record that was declared under a name was checked as itself. */
static bool holds_inside(struct testing *t, const struct ir_inside *place, uint32_t depth, struct value v)
{
	if (v.kind == VALUE_LIST) {
		for (uint32_t i = 0; i < v.list->n; i++)
			if (!holds_inside(t, place, depth, v.list->at[i]))
				return false;
		return true;
	}
	if (v.kind != VALUE_RECORD || (depth > 0 && v.record->global != IR_NONE))
		return true;
	if (depth == place->slot_count)
		return holds_in(t, v.record);
	return holds_inside(t, place, depth + 1, record_get(t->ev, v.record, place->slots[depth]));
}

static bool holds(struct testing *t, struct record *r)
{
	for (uint32_t i = 0; i < t->k->place_count; i++)
		if (!holds_inside(t, &t->k->places[i], 0,
				  (struct value){ .kind = VALUE_RECORD, .record = r }))
			return false;
	return true;
}

bool condition_scope(struct search *s, const struct ir_condition *k, struct record *r, struct scope *scope)
{
	struct testing t = { .ev = s->ev, .k = k };
	bool broken = !holds(&t, r);

	*scope = t.broken;
	return broken;
}

/* ---- messages as rows ------------------------------------------------------------------------- */

uint32_t verdicts_message(struct search *s, enum diag_code code, struct str text)
{
	uint32_t from = s->sweep->condition_count;
	struct search_row *row;

	for (uint32_t i = from; i < s->row_count; i++)
		if (s->rows[i].code == code)
			return i;
	if (s->row_count == from + MESSAGES_MAX)
		return s->row_count - 1;
	row = &s->rows[s->row_count++];
	*row = (struct search_row){ .code = code, .name = str_of(diag_info(code)->slug), .model = true,
				    .text = str_copy(s->ev->lasting, text) };
	return s->row_count - 1;
}

static uint32_t row_of(struct search *s, const struct diag *d)
{
	if (d)
		return verdicts_message(s, d->code, d->message);
	return verdicts_message(s, E2008, STR("the candidate cannot be evaluated"));
}

enum test condition_test(struct search *s, const struct ir_condition *k, struct record *r,
			 uint32_t *message)
{
	struct testing t = { .ev = s->ev, .k = k };
	struct bench_hush hush = bench_begin(s->bench);
	bool fine = holds(&t, r);
	const struct diag *d = bench_end(s->bench, hush);

	if (!fine)
		return TEST_BROKEN;
	if (!d)
		return TEST_HOLDS;
	*message = row_of(s, d);
	return TEST_FAILED;
}

/* ---- all conditions --------------------------------------------------------------------------- */

static struct str condition_name(struct search *s, const struct ir_condition *k)
{
	struct str text;

	if (k->rule.name.id != 0)
		return sym_str(s->ev->program->names, k->rule.name);
	text = source_slice(s->ev->program->sources, k->rule.cond_span);
	return text.n > 40 ? str_slice(text, 0, 40) : text;
}

struct verdicts *verdicts_make(struct search *s)
{
	struct verdicts *v = ARENA_NEW(s->ev->lasting, struct verdicts);

	v->search = s;
	v->n = s->sweep->condition_count;
	v->row_max = v->n + MESSAGES_MAX;
	v->words = (v->row_max + 63) / 64;
	v->at = ARENA_ARRAY(s->ev->lasting, struct tested, v->n + 1);
	arena_init_under(&v->arena, s->ev->lasting);
	s->rows = ARENA_ARRAY(s->ev->lasting, struct search_row, v->row_max);
	s->row_count = v->n;
	for (uint32_t i = 0; i < v->n; i++) {
		struct tested *t = &v->at[i];

		t->ir = &s->sweep->conditions[i];
		v->needs_model = v->needs_model || t->ir->reads.model;
		s->rows[i] = (struct search_row){ .condition = t->ir, .name = condition_name(s, t->ir),
						  .model = t->ir->reads.model };
	}
	for (uint32_t i = 0; i < s->sweep->goal_count; i++)
		v->needs_model = v->needs_model || s->sweep->goals[i].reads.model;
	return v;
}

/* The cheap ones by level; one whose axes depend on others is known where those are. */
static void order_cheap(struct verdicts *v)
{
	uint32_t levels = v->search->space->n + 1, n = 0;

	v->cheap = ARENA_ARRAY(&v->arena, uint32_t, v->n + 1);
	v->first = ARENA_ARRAY(&v->arena, uint32_t, levels + 1);
	for (uint32_t level = 0; level < levels; level++) {
		v->first[level] = n;
		for (uint32_t i = 0; i < v->n; i++)
			if (!v->at[i].ir->reads.model && v->at[i].lookup.level == level)
				v->cheap[n++] = i;
	}
	v->first[levels] = n;
}

void verdicts_begin(struct verdicts *v)
{
	if (v->remembering)
		return;
	v->remembering = true;
	for (uint32_t i = 0; i < v->n; i++)
		lookup_init(&v->at[i].lookup, v->search->space, v->at[i].ir->reads, 0, &v->arena);
	order_cheap(v);
}

void verdicts_release(struct verdicts *v)
{
	arena_release(&v->arena);
	v->remembering = false;
}

/* Holds, broken, or TEST_FAILED and the number of the message above it. */
static unsigned char test_here(struct verdicts *v, const struct tested *t)
{
	struct record *r = bench_record(v->search->bench, t->lookup.level);
	uint32_t message = v->n;
	enum test result = condition_test(v->search, t->ir, r, &message);

	return (unsigned char)(result == TEST_FAILED ? TEST_FAILED + (message - v->n) : (uint32_t)result);
}

void verdicts_level(struct verdicts *v, uint32_t level, uint64_t *set, uint32_t *failed)
{
	for (uint32_t i = v->first[level]; i < v->first[level + 1]; i++) {
		uint32_t row = v->cheap[i];
		unsigned char *known = lookup_at(&v->at[row].lookup, v->search->space).known;

		if (*known == TEST_UNKNOWN)
			*known = test_here(v, &v->at[row]);
		if (*known == TEST_BROKEN)
			rowset_add(set, row);
		else if (*known >= TEST_FAILED && *failed == 0)
			*failed = v->n + (uint32_t)(*known - TEST_FAILED);
	}
}

bool verdicts_has_level(const struct verdicts *v, uint32_t level)
{
	return v->first[level] < v->first[level + 1];
}

/* ---- what needs the cost model ------------------------------------------------------------------ */

struct value goal_number(struct value v)
{
	return v.kind == VALUE_NUMBER && v.number.big ? value_real(num_to_double(v.number)) : v;
}

/* "the goal `days` is none": what there is to say when nothing was said. */
static struct str no_number(struct search *s, ir_id goal, struct value v)
{
	struct str text = source_slice(s->ev->program->sources, s->ev->program->nodes.at[goal].span);
	struct out o;

	if (v.kind != VALUE_NONE)
		return STR("the candidate cannot be evaluated");
	out_init(&o, s->ev->lasting);
	out_printf(&o, "the goal `%.*s` is none", (int)text.n, text.p);
	return out_view(&o);
}

/* false, with the row of a message, when a goal cannot be had. */
static bool read_goals(struct search *s, struct record *r, struct value *goals, uint32_t *message)
{
	for (uint32_t i = 0; i < s->sweep->goal_count; i++) {
		struct bench_hush hush = bench_begin(s->bench);
		const struct diag *d;

		goals[i] = eval_node(s->ev, s->sweep->goals[i].value, (struct scope){ .self = r });
		goals[i] = goal_number(goals[i]);
		d = bench_end(s->bench, hush);
		if (goals[i].kind == VALUE_NUMBER || goals[i].kind == VALUE_REAL)
			continue;
		if (!d && goals[i].kind == VALUE_NONE)
			*message = verdicts_message(s, E2412, no_number(s, s->sweep->goals[i].value, goals[i]));
		else
			*message = row_of(s, d);
		return false;
	}
	return true;
}

void verdicts_model(struct verdicts *v, uint64_t *set, struct value *goals, bool strict)
{
	struct search *s = v->search;
	struct record *r = bench_record(s->bench, s->bench->n);
	uint32_t failed = 0, message;
	struct arena *around = s->ev->arena;

	s->ev->arena = r->home;
	s->evaluated += v->needs_model;
	for (uint32_t i = 0; i < v->n; i++) {
		enum test t;

		if (!v->at[i].ir->reads.model)
			continue;
		t = condition_test(s, v->at[i].ir, r, &message);
		if (t == TEST_BROKEN)
			rowset_add(set, i);
		else if (t == TEST_FAILED && failed == 0)
			failed = message;
	}
	if (failed == 0 && !read_goals(s, r, goals, &message))
		failed = message;
	/* What is wrong anyway need not be computable. */
	if (failed != 0 && (strict || set_is_empty(set, v->words)))
		rowset_add(set, failed);
	s->ev->arena = around;
}

/* ---- the words of a message ----------------------------------------------------------------------- */

static bool is_about(const struct diag *d, enum diag_code code)
{
	return d ? d->code == code : code == E2008;
}

static struct str condition_words(struct search *s, const struct ir_condition *k, struct record *r,
				  enum diag_code code)
{
	struct testing t = { .ev = s->ev, .k = k };
	struct bench_hush hush = bench_begin(s->bench);
	bool fine = holds(&t, r);
	const struct diag *d = bench_end(s->bench, hush);

	return fine && d && d->code == code ? str_copy(s->ev->lasting, d->message) : STR("");
}

static struct str goal_words(struct search *s, ir_id goal, struct record *r, enum diag_code code)
{
	struct bench_hush hush = bench_begin(s->bench);
	struct value v = eval_node(s->ev, goal, (struct scope){ .self = r });
	const struct diag *d = bench_end(s->bench, hush);

	if (v.kind == VALUE_NUMBER || v.kind == VALUE_REAL)
		return STR("");
	if (!d && v.kind == VALUE_NONE)
		return code == E2412 ? no_number(s, goal, v) : STR("");
	if (!is_about(d, code))
		return STR("");
	return d ? str_copy(s->ev->lasting, d->message) : no_number(s, goal, v);
}

struct str verdicts_witness(struct search *s, uint64_t number, enum diag_code code)
{
	struct arena *around = s->ev->arena;
	struct str words = STR("");
	struct record *r;

	space_goto(s->space, number);
	r = bench_record(s->bench, s->bench->n);
	s->ev->arena = r->home;
	for (uint32_t i = 0; i < s->sweep->condition_count && words.n == 0; i++)
		words = condition_words(s, &s->sweep->conditions[i], r, code);
	for (uint32_t i = 0; i < s->sweep->goal_count && words.n == 0; i++)
		words = goal_words(s, s->sweep->goals[i].value, r, code);
	s->ev->arena = around;
	return words;
}
