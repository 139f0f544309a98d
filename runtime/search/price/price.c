/* price.c - the cost model for candidates of a sweep: parts of the job are bound where they move, conditions
 * and goals are formulas over the result. What does not go this way is left to verdicts_model, which knows
 * every way to fail; both give the same answers. */
#include "runtime/search/search_int.h"

struct moving_part {
	uint32_t part;
	size_t offset, size;
	struct lookup lookup;        /* the bytes, and behind them the code of a message */
};

/* A condition with its formulas; `asked`: the evaluator has to be. */
struct priced {
	const struct ir_condition *ir;
	uint32_t row;
	bool asked, conditional;
	struct formula when, cond;
};

struct price {
	struct search *search;
	struct job job;
	struct arena *kept;          /* what is bound */
	struct arena *scratch;       /* of one candidate */
	struct arena *remembered;
	struct engine_memo *memo;
	struct moving_part *parts;   /* by level, then in the order they are bound */
	uint32_t part_count;
	uint32_t *first;             /* of each level; n + 2 */
	enum diag_code *trouble;     /* of each level: what a part here or outside left; DIAG_NONE: nothing */
	bool certain;                /* a job without a price breaks no condition and leaves its message */
	struct formulas formulas;
	struct priced *conditions;
	uint32_t condition_count;
	struct formula *goals;
	bool asks;                   /* the evaluator, about some condition or goal */
};

/* ---- what moves where ---------------------------------------------------------------------------- */

/* The slots of a path like "strategy.tp" from a job down. The count. */
static uint32_t slots_of(const struct ir_program *p, uint32_t schema, struct str path, uint32_t *slots)
{
	uint32_t n = 0;

	while (path.n > 0) {
		uint32_t end = 0;
		const struct type *t;

		while (end < path.n && path.p[end] != '.')
			end++;
		slots[n] = ir_find_field(p, schema, str_slice(path, 0, end));
		invariant(slots[n] != IR_NONE, "the prelude lacks a field that a job is bound from");
		t = p->schemas.at[schema].fields[slots[n++]].type;
		if (t->kind == TYPE_OPTION)
			t = t->of;
		schema = t->kind == TYPE_RECORD ? t->index : IR_NONE;
		path = end < path.n ? str_slice(path, end + 1, path.n) : STR("");
	}
	return n;
}

static struct ir_reads reads_of_part(struct price *p, struct ir_candidate *c, const char *paths)
{
	struct ir_reads reads = { 0, false };
	uint32_t schema = p->search->base->schema;

	while (*paths != '\0') {
		uint32_t n = (uint32_t)strcspn(paths, " ");
		uint32_t slots[8];
		uint32_t count = slots_of(p->search->ev->program, schema, (struct str){ paths, n }, slots);
		struct ir_reads one = ir_candidate_field(c, slots, count);

		reads.axes |= one.axes;
		reads.model |= one.model;
		paths += n + (paths[n] == ' ');
	}
	return reads;
}

static bool place_parts(struct price *p, struct ir_candidate *c, struct arena *a)
{
	uint32_t n = job_part_count(), levels = p->search->space->n + 1, placed = 0;
	struct moving_part *all = ARENA_ARRAY(a, struct moving_part, n);

	for (uint32_t i = 0; i < n; i++) {
		struct job_part part = job_part(i);
		struct ir_reads reads = reads_of_part(p, c, part.reads);

		if (reads.model)
			return false;
		all[i] = (struct moving_part){ .part = i, .offset = part.offset, .size = part.size };
		lookup_init(&all[i].lookup, p->search->space, reads,
			    (uint32_t)(part.size + sizeof(enum diag_code)), a);
	}
	p->parts = ARENA_ARRAY(a, struct moving_part, n);
	p->first = ARENA_ARRAY(a, uint32_t, levels + 1);
	for (uint32_t level = 0; level < levels; level++) {
		p->first[level] = placed;
		for (uint32_t i = 0; i < n; i++)
			if (all[i].lookup.level == level)
				p->parts[placed++] = all[i];
	}
	p->first[levels] = placed;
	p->part_count = placed;
	return true;
}

/* ---- conditions and goals -------------------------------------------------------------------------- */

/* A rule of the candidate itself, not of a record inside it. */
static bool is_of_candidate(const struct ir_condition *k)
{
	return k->layer == IR_NONE && k->place_count == 1 && k->places[0].slot_count == 0;
}

static void place_condition(struct price *p, uint32_t row)
{
	const struct ir_condition *k = &p->search->sweep->conditions[row];
	struct priced *c = &p->conditions[p->condition_count++];

	*c = (struct priced){ .ir = k, .row = row, .conditional = k->rule.when != IR_NO_NODE };
	if (is_of_candidate(k)) {
		c->cond = formula_make(&p->formulas, k->rule.cond);
		if (c->conditional)
			c->when = formula_make(&p->formulas, k->rule.when);
	}
	c->asked = c->cond.n == 0 || (c->conditional && c->when.n == 0);
	p->asks = p->asks || c->asked;
}

static void place_formulas(struct price *p, struct ir_candidate *c, struct arena *a)
{
	const struct ir_sweep *s = p->search->sweep;

	formulas_init(&p->formulas, p->search, c, a);
	p->conditions = ARENA_ARRAY(a, struct priced, s->condition_count + 1);
	for (uint32_t i = 0; i < s->condition_count; i++)
		if (s->conditions[i].reads.model)
			place_condition(p, i);
	p->goals = ARENA_ARRAY(a, struct formula, s->goal_count + 1);
	for (uint32_t i = 0; i < s->goal_count; i++) {
		p->goals[i] = formula_make(&p->formulas, s->goals[i].value);
		p->asks = p->asks || p->goals[i].n == 0;
	}
}

/* Every operand is looked at, and one of them is a result. */
static bool is_strict(const struct formula *f)
{
	bool number = false;

	for (uint32_t i = 0; i < f->n; i++) {
		const struct formula_step *s = &f->steps[i];

		if (s->kind == FORMULA_OPERATION &&
		    (s->op == IR_IF || s->op == IR_AND || s->op == IR_OR || s->op == IR_IMPLIES))
			return false;
		number = number || s->kind == FORMULA_NUMBER;
	}
	return number;
}

/* Then nobody has to be asked what becomes of a candidate that has no price. */
static bool is_certain(const struct price *p)
{
	bool told = false;

	for (uint32_t i = 0; i < p->condition_count; i++) {
		if (!is_strict(&p->conditions[i].cond))
			return false;
		told = told || !p->conditions[i].conditional;
	}
	for (uint32_t i = 0; i < p->search->sweep->goal_count; i++)
		told = told || is_strict(&p->goals[i]);
	return told;
}

void price_release(struct price *p)
{
	arena_release(p->scratch);
	arena_release(p->remembered);
}

struct price *price_make(struct search *s, struct arena *a)
{
	const struct ir_program *program = s->ev->program;
	struct ir_candidate *c;
	struct price *p;

	if (!ir_schema_extends(program, s->base->schema, ir_find_schema(program, "job")))
		return NULL;
	p = ARENA_NEW(a, struct price);
	p->search = s;
	c = ir_candidate_make(program, s->index, a);
	job_begin(&p->job, s->base);
	if (!place_parts(p, c, a))
		return NULL;
	p->trouble = ARENA_ARRAY(a, enum diag_code, s->space->n + 2);
	place_formulas(p, c, a);
	p->certain = is_certain(p);
	p->kept = a;
	p->scratch = ARENA_NEW(s->ev->lasting, struct arena);
	arena_init_under(p->scratch, s->ev->lasting);
	p->remembered = ARENA_NEW(s->ev->lasting, struct arena);
	arena_init_under(p->remembered, s->ev->lasting);
	p->memo = engine_memo_make(a, p->remembered);
	return p;
}

/* ---- binding ------------------------------------------------------------------------------------- */

/* What is bound stays: it lives with the sweep. The code of the message when it cannot be. */
static enum diag_code bind(struct price *p, const struct moving_part *m)
{
	struct search *s = p->search;
	struct record *r = bench_record(s->bench, m->lookup.level);
	struct bench_hush hush = bench_begin(s->bench);
	struct arena *around = s->ev->arena;
	const struct diag *d;
	bool fine;

	s->ev->arena = p->kept;
	fine = job_bind_part(s->ev, r, m->part, &p->job);
	s->ev->arena = around;
	d = bench_end(s->bench, hush);
	return fine ? DIAG_NONE : d ? d->code : E2008;
}

/* The bytes of a part and what it left, as they are kept. */
static enum diag_code read_entry(const struct moving_part *m, const struct lookup_entry *e, void *at)
{
	enum diag_code code;

	memcpy(at, e->bytes, m->size);
	memcpy(&code, (const unsigned char *)e->bytes + m->size, sizeof code);
	return code;
}

static enum diag_code write_entry(const struct moving_part *m, struct lookup_entry *e, const void *at,
				  enum diag_code code)
{
	*e->known = 1;
	memcpy(e->bytes, at, m->size);
	memcpy((unsigned char *)e->bytes + m->size, &code, sizeof code);
	return code;
}

void price_level(struct price *p, uint32_t level)
{
	enum diag_code trouble = level > 0 ? p->trouble[level - 1] : DIAG_NONE;

	for (uint32_t i = p->first[level]; i < p->first[level + 1] && trouble == DIAG_NONE; i++) {
		struct moving_part *m = &p->parts[i];
		struct lookup_entry e = lookup_at(&m->lookup, p->search->space);
		unsigned char *at = (unsigned char *)&p->job + m->offset;

		trouble = *e.known == 0 ? write_entry(m, &e, at, bind(p, m)) : read_entry(m, &e, at);
	}
	p->trouble[level] = trouble;
}

/* ---- one candidate --------------------------------------------------------------------------------- */

/* The record of the candidate with the price that is known already. */
struct asking {
	struct record *record;
	void *native;
};

static struct asking ask(struct price *p)
{
	struct asking q = { 0 };

	if (!p->asks)
		return q;
	q.record = bench_record(p->search->bench, p->search->bench->n);
	q.native = q.record->native;
	q.record->native = &p->job;
	p->job.record = q.record;
	return q;
}

/* The record dies when its axes move: nothing of it stays behind. */
static void answered(struct price *p, struct asking q)
{
	p->job.record = p->search->base;
	if (q.record)
		q.record->native = q.native;
}

static bool test_asked(struct price *p, const struct priced *c, struct record *r, uint64_t *set)
{
	uint32_t message;
	enum test t = condition_test(p->search, c->ir, r, &message);

	if (t == TEST_BROKEN)
		rowset_add(set, c->row);
	return t != TEST_FAILED;
}

static bool test_formula(struct price *p, const struct priced *c, uint64_t *set)
{
	struct value v;

	if (c->conditional) {
		if (!formula_value(&p->formulas, &c->when, &p->job, p->scratch, &v) || v.kind != VALUE_BOOL)
			return false;
		if (!v.truth)
			return true;
	}
	if (!formula_value(&p->formulas, &c->cond, &p->job, p->scratch, &v) || v.kind != VALUE_BOOL)
		return false;
	if (!v.truth)
		rowset_add(set, c->row);
	return true;
}

static bool read_goal(struct price *p, uint32_t i, struct record *r, struct value *goal)
{
	const struct ir_goal *g = &p->search->sweep->goals[i];
	struct bench_hush hush;

	if (p->goals[i].n > 0) {
		if (!formula_value(&p->formulas, &p->goals[i], &p->job, p->scratch, goal))
			return false;
	} else {
		hush = bench_begin(p->search->bench);
		*goal = eval_node(p->search->ev, g->value, (struct scope){ .self = r });
		bench_end(p->search->bench, hush);
	}
	*goal = goal_number(*goal);
	return goal->kind == VALUE_NUMBER || goal->kind == VALUE_REAL;
}

static bool judge(struct price *p, uint64_t *set, struct value *goals)
{
	struct asking q = ask(p);
	struct eval *ev = p->search->ev;
	struct arena *around = ev->arena;
	bool fine = true;

	ev->arena = q.record ? q.record->home : around;
	for (uint32_t i = 0; i < p->condition_count && fine; i++)
		fine = p->conditions[i].asked ? test_asked(p, &p->conditions[i], q.record, set)
					      : test_formula(p, &p->conditions[i], set);
	for (uint32_t i = 0; i < p->search->sweep->goal_count && fine; i++)
		fine = read_goal(p, i, q.record, &goals[i]);
	ev->arena = around;
	answered(p, q);
	return fine;
}

/* No price: the message is all there is to say, where nothing can be broken without one. */
static bool without_price(struct price *p, uint64_t *set, enum diag_code code)
{
	struct search *s = p->search;

	if (!p->certain || !set_is_empty(set, s->verdicts->words))
		return false;
	rowset_add(set, verdicts_message(s, code, STR("")));
	s->evaluated++;
	return true;
}

bool price_candidate(struct price *p, uint64_t *set, struct value *goals)
{
	struct search *s = p->search;
	struct engine_error error;

	arena_reset(p->scratch, (struct arena_mark){ 0 });
	if (!s->verdicts->needs_model)
		return judge(p, set, goals);
	if (p->trouble[s->space->n] != DIAG_NONE)
		return without_price(p, set, p->trouble[s->space->n]);
	if (!job_price(&p->job, p->memo, p->scratch, &error))
		return without_price(p, set, job_error_code(&error));
	if (!judge(p, set, goals))
		return false;
	s->evaluated++;
	return true;
}
