/* check.c - what `planc check` evaluates: every declared instance, its rules, the file's asserts. */
#include "runtime/eval/eval_int.h"

/* Of one instance; of the others once there is one without an end. */
enum { RECORD_DEPTH_MAX = 100, RECORDS_MAX = 100000, RECORDS_MAX_LATER = 1000 };

struct checker {
	struct eval *ev;
	struct map seen; /* records by address: a shared one is checked once */
	uint32_t before; /* of them met in the instances before this one */
	struct str root; /* name of the instance whose records are visited */
	bool too_many;
};

/* One record on its way through the checker. */
struct visit {
	struct record *record;
	struct span at;  /* place to blame in the user's text */
	struct str name; /* "pretrain", "pretrain.strategy" */
	uint32_t depth;
};

static bool check_record(struct checker *c, struct visit v);

static void report_endless(struct checker *c, const struct visit *v)
{
	if (c->too_many)
		return;
	c->too_many = true;
	struct diag *d = diag_new(c->ev->sink, E0103, v->at);
	if (v->depth > RECORD_DEPTH_MAX)
		diag_message(d, "`%.*s` holds records in records more than %d deep", (int)c->root.n,
			     c->root.p, RECORD_DEPTH_MAX);
	else
		diag_message(d, "`%.*s` holds more than %d records", (int)c->root.n, c->root.p, RECORDS_MAX);
	diag_help(d, "where there is no end to them, let a field of the schema's own kind be optional, `= none`");
	diag_submit(d);
}

/* Where the user set a field of this record; the record's own place when nobody did. */
static struct span field_place(const struct eval *ev, const struct visit *v, uint32_t slot)
{
	for (const struct link_layer *l = v->record->layers; l; l = l->older) {
		const struct ir_layer *layer = &ev->program->layers.at[l->layer];
		for (uint32_t i = 0; i < layer->binding_count; i++) {
			struct span at = layer->bindings[i].span;
			if (layer->bindings[i].slot == slot && span_is_known(ev, at) &&
			    !span_is_library(ev, at))
				return at;
		}
	}
	return v->at;
}

/* "pretrain.strategy", "cluster.levels[1]" */
static struct str nested_name(struct eval *ev, const struct visit *v, uint32_t slot,
			      int64_t element)
{
	struct str field = sym_str(ev->program->names,
				   ev->program->schemas.at[v->record->schema].fields[slot].name);
	struct out o;
	out_init(&o, ev->arena);
	out_printf(&o, "%.*s.%.*s", (int)v->name.n, v->name.p, (int)field.n, field.p);
	if (element >= 0)
		out_printf(&o, "[%lld]", (long long)element);
	return str_copy(ev->arena, out_view(&o));
}

/* A record that was declared under a name is checked as itself, wherever it is used; but before what
 * uses it, so that a mistake in it is told once. */
static bool check_named(struct checker *c, struct record *r, uint32_t depth)
{
	const struct ir_global *g = &c->ev->program->globals.at[r->global];
	struct str root = c->root;
	bool fine;

	if (g->library || g->kind != GLOBAL_INSTANCE)
		return true;
	c->root = sym_str(c->ev->program->names, g->name);
	fine = check_record(c, (struct visit){ r, g->span, c->root, depth });
	c->root = root;
	return fine;
}

static bool check_nested(struct checker *c, const struct visit *v, uint32_t slot,
			 struct value value, int64_t element)
{
	if (value.kind == VALUE_LIST) {
		bool fine = true;
		for (uint32_t i = 0; i < value.list->n; i++)
			fine = check_nested(c, v, slot, value.list->at[i], i) && fine;
		return fine;
	}
	if (value.kind != VALUE_RECORD)
		return true;
	if (value.record->global != IR_NONE)
		return check_named(c, value.record, v->depth + 1);
	struct visit inner = { value.record, field_place(c->ev, v, slot),
			       nested_name(c->ev, v, slot, element), v->depth + 1 };
	return check_record(c, inner);
}

static bool check_slots(struct checker *c, const struct visit *v)
{
	const struct ir_schema *s = &c->ev->program->schemas.at[v->record->schema];
	bool fine = true;
	for (uint32_t i = 0; i < s->field_count; i++) {
		if (s->fields[i].native)
			continue;
		struct value value = record_get(c->ev, v->record, i);
		fine = check_nested(c, v, i, value, -1) && fine;
	}
	return fine;
}

/* ---- the rules of one record ----------------------------------------------------------------- */

struct broken {
	const struct ir_assert *first;
	struct scope scope; /* of the first */
	VEC(struct str) also;
	VEC(ir_id) library; /* conditions of the rules of the library among them */
	VEC(const struct ir_assert *) advice;
};

/* Whether nobody wants to know. What others are made from is spoken of where it is complete. */
static bool is_untold(struct eval *ev, const struct ir_assert *a, struct record *r)
{
	return a->advice && (!ev->advise || ev->allow_missing ||
			     advice_is_silenced(ev, r, sym_str(ev->program->names, a->name)));
}

static void test_asserts(struct eval *ev, const struct ir_assert *asserts, uint32_t n,
			 struct scope scope, struct broken *b)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct ir_assert *a = &asserts[i];
		if (is_untold(ev, a, scope.self) || assert_test(ev, a, scope) != VERDICT_BROKEN)
			continue;
		if (a->advice) {
			*VEC_ADD(ev->arena, &b->advice) = a;
			continue;
		}
		if (a->library)
			*VEC_ADD(ev->arena, &b->library) = a->cond;
		if (!b->first) {
			b->first = a;
			b->scope = scope;
			continue;
		}
		*VEC_ADD(ev->arena, &b->also) = a->name.id ? sym_str(ev->program->names, a->name)
							   : span_text(ev, a->cond_span);
	}
}

/* The oldest layer first, as the text reads. */
static void test_layers(struct eval *ev, struct record *r, const struct link_layer *l,
			struct broken *b)
{
	if (!l)
		return;
	test_layers(ev, r, l->older, b);
	const struct ir_layer *layer = &ev->program->layers.at[l->layer];
	test_asserts(ev, layer->asserts, layer->assert_count, (struct scope){ r, l->frame }, b);
}

/* Whether a message tells of library arithmetic that failed, as opposed to the user's own. */
static bool is_consequence(const struct eval *ev, const struct diag *d)
{
	static const enum diag_code codes[] = { E1107, E1109, E2001, E2002,
						E2003, E2004, E2005, E2006 };
	for (size_t i = 0; i < PLAN_COUNT(codes); i++) {
		if (d->code == codes[i])
			return span_is_library(ev, d->drawn);
	}
	return false;
}

/* Once a rule is broken, derived fields that could not be computed follow from the same mistake (a
 * division by dp = 0 when there are too few GPUs): their messages are taken back. */
static void drop_consequences(struct eval *ev, uint32_t from)
{
	struct diag_sink *sink = ev->sink;
	uint32_t kept = from;
	for (uint32_t i = from; i < sink->diags.n; i++) {
		if (is_consequence(ev, sink->diags.at[i]))
			sink->errors--;
		else
			sink->diags.at[kept++] = sink->diags.at[i];
	}
	sink->diags.n = kept;
}

static bool has_too_many(const struct checker *c)
{
	return c->seen.n - c->before >= (c->too_many ? RECORDS_MAX_LATER : RECORDS_MAX);
}

static bool check_record(struct checker *c, struct visit v)
{
	struct eval *ev = c->ev;
	uint64_t key = (uint64_t)(uintptr_t)v.record;
	if (map_find(&c->seen, key) != MAP_NONE)
		return true;
	if (v.depth > RECORD_DEPTH_MAX || has_too_many(c)) {
		report_endless(c, &v);
		return false;
	}
	map_set(&c->seen, key, 1);
	uint32_t before = ev->sink->diags.n;
	bool fine = check_slots(c, &v);
	struct broken b = { 0 };
	const struct ir_schema *s = &ev->program->schemas.at[v.record->schema];
	test_asserts(ev, s->asserts, s->assert_count, (struct scope){ .self = v.record }, &b);
	test_layers(ev, v.record, v.record->layers, &b);
	if (!b.first) {
		for (uint32_t i = 0; i < b.advice.n && fine; i++)
			advice_report(ev, b.advice.at[i], v.record,
				      sym_str(ev->program->names, b.advice.at[i]->name),
				      (struct assert_telling){ .at = v.at, .instance = v.name });
		return fine;
	}
	drop_consequences(ev, before);
	assert_report(ev, b.first, b.scope,
		      (struct assert_telling){ .at = v.at,
					       .instance = v.name,
					       .also = b.also.at,
					       .also_count = b.also.n });
	if (b.library.n > 0)
		record_withdraw(ev, v.record, b.library.at, b.library.n);
	return false;
}

bool record_check(struct eval *ev, struct record *r, struct span at, struct str name)
{
	struct checker c = { .ev = ev, .root = name };
	map_init(&c.seen, ev->arena);
	return check_record(&c, (struct visit){ r, at, name, 0 });
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Instances that another record of the user's is made from: they may leave fields to it. */
static bool *find_bases(struct eval *ev)
{
	const struct ir_program *p = ev->program;
	bool *base = ARENA_ARRAY(ev->arena, bool, p->globals.n);
	for (uint32_t i = 0; i < p->globals.n; i++) {
		if (!p->globals.at[i].library && p->globals.at[i].base != IR_NONE)
			base[p->globals.at[i].base] = true;
	}
	for (uint32_t i = 0; i < p->nodes.n; i++) {
		const struct ir_node *n = &p->nodes.at[i];
		if (n->op == IR_LAYER && n->a != IR_NO_NODE && p->nodes.at[n->a].op == IR_GLOBAL &&
		    !span_is_library(ev, n->span))
			base[p->nodes.at[n->a].a] = true;
	}
	return base;
}

static bool check_global(struct checker *c, uint32_t global)
{
	const struct ir_global *g = &c->ev->program->globals.at[global];
	struct value v = eval_global(c->ev, global);
	if (g->kind != GLOBAL_INSTANCE || v.kind != VALUE_RECORD)
		return v.kind != VALUE_POISON || c->ev->without_model;
	c->root = sym_str(c->ev->program->names, g->name);
	c->before = c->seen.n;
	return check_record(c, (struct visit){ v.record, g->span, c->root, 0 });
}

/* What one check looks at: values of files or of a test, and conditions outside records. */
struct subject {
	const uint32_t *globals;
	uint32_t count;
	const struct ir_assert *asserts;
	uint32_t assert_count;
};

static bool check_globals(struct checker *c, const struct subject *s, const bool *base, bool bases)
{
	bool fine = true;
	for (uint32_t i = 0; i < s->count; i++) {
		if (base[s->globals[i]] == bases)
			fine = check_global(c, s->globals[i]) && fine;
	}
	return fine;
}

static bool check_asserts(struct eval *ev, const struct subject *s)
{
	bool fine = true;
	for (uint32_t i = 0; i < s->assert_count; i++) {
		const struct ir_assert *a = &s->asserts[i];
		if (assert_test(ev, a, (struct scope){ 0 }) != VERDICT_BROKEN)
			continue;
		assert_report(ev, a, (struct scope){ 0 }, (struct assert_telling){ .at = a->cond_span });
		fine = false;
	}
	return fine;
}

/* Complete instances first: whatever they need of a base is reported there. Afterwards the bases,
 * whose missing fields are nobody's fault. */
static bool check_subject(struct eval *ev, const struct subject *s)
{
	struct checker c = { .ev = ev };
	uint32_t errors = ev->sink->errors;
	const bool *base = find_bases(ev);
	bool allowed = ev->allow_missing;
	map_init(&c.seen, ev->arena);
	bool fine = check_globals(&c, s, base, false);
	ev->allow_missing = true;
	fine = check_globals(&c, s, base, true) && fine;
	ev->allow_missing = allowed;
	fine = check_asserts(ev, s) && fine;
	return fine && ev->sink->errors == errors;
}

bool program_check(struct eval *ev)
{
	const struct ir_program *p = ev->program;
	uint32_t *globals = ARENA_ARRAY(ev->arena, uint32_t, p->globals.n);
	struct subject s = { .globals = globals, .asserts = p->asserts.at,
			     .assert_count = p->asserts.n };
	for (uint32_t i = 0; i < p->globals.n; i++) {
		if (!p->globals.at[i].library && p->globals.at[i].file != IR_NONE)
			globals[s.count++] = i;
	}
	return check_subject(ev, &s);
}

bool scope_check(struct eval *ev, const uint32_t *globals, uint32_t count,
		 const struct ir_assert *asserts, uint32_t assert_count)
{
	struct subject s = { globals, count, asserts, assert_count };
	return check_subject(ev, &s);
}
