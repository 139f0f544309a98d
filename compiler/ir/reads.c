/* reads.c - the abstract evaluation behind the loop levels of a sweep; see reads.h. */
#include "compiler/ir/reads_int.h"

/* Beyond these the answer is "everything": a plan of any size is analysed in little time. */
enum { READS_DEPTH_MAX = 300, READS_STEPS_MAX = 2000000 };

static struct shape *shape_make(struct reads *r, uint32_t schema, const struct coat *coats)
{
	struct shape *s = ARENA_NEW(r->arena, struct shape);
	uint32_t n = r->p->schemas.at[schema].field_count;

	s->schema = schema;
	s->coats = coats;
	s->slots = ARENA_ARRAY(r->arena, struct known, n + 1);
	s->states = ARENA_ARRAY(r->arena, unsigned char, n + 1);
	return s;
}

/* A coat over what is known of a record: the schema's defaults when that is nothing at all. */
static struct known put_on(struct reads *r, struct known base, bool absent, struct coat coat)
{
	struct coat *c = ARENA_NEW(r->arena, struct coat);
	uint32_t schema = r->p->layers.at[coat.layer].schema;
	struct known v = { .reads = base.reads };

	*c = coat;
	c->older = base.shape ? base.shape->coats : NULL;
	if (base.shape && ir_schema_extends(r->p, base.shape->schema, schema))
		schema = base.shape->schema;
	v.shape = shape_make(r, schema, c);
	v.shape->open = base.shape ? base.shape->open : !absent;
	v.shape->under = base.shape ? base.shape->under : base.reads;
	return v;
}

/* Two values that may both be meant. */
static struct known either(struct reads *r, struct known a, struct known b)
{
	if (a.shape && a.shape == b.shape)
		return (struct known){ reads_join(a.reads, b.reads), a.shape };
	return (struct known){ .reads = reads_join(reads_deep(r, a), reads_deep(r, b)) };
}

static bool enter(struct reads *r)
{
	if (r->depth >= READS_DEPTH_MAX || r->steps >= READS_STEPS_MAX)
		return false;
	r->depth++;
	r->steps++;
	return true;
}

/* ---- slots ----------------------------------------------------------------------------------- */

static const struct ir_binding *binding_of(const struct ir_layer *l, uint32_t slot)
{
	for (uint32_t i = 0; i < l->binding_count; i++)
		if (l->bindings[i].slot == slot)
			return &l->bindings[i];
	return NULL;
}

/* Of a record that cannot be seen, with coats over it: any field may follow from any other. */
static struct known under_coats(struct reads *r, struct shape *s)
{
	struct known v = { .reads = s->under };

	for (const struct coat *c = s->coats; c; c = c->older) {
		const struct ir_layer *l = &r->p->layers.at[c->layer];

		v.reads = reads_join(v.reads, c->when);
		for (uint32_t i = 0; i < l->binding_count; i++) {
			if (l->bindings[i].kind == BIND_AMEND)
				return (struct known){ .reads = r->everything };
			v.reads = reads_join(v.reads, reads_all(r, l->bindings[i].what, s, c->names));
		}
	}
	return v;
}

static const struct names *bind(struct reads *r, struct known v, const struct names *up)
{
	struct names *names = ARENA_NEW(r->arena, struct names);

	*names = (struct names){ v, up };
	return names;
}

/* The names that an amending layer sees: those around, and the locals that it is given. */
static const struct names *names_of_amend(struct reads *r, struct shape *s, const struct ir_binding *b,
					  const struct names *names)
{
	for (uint32_t i = 0; i < b->local_count; i++)
		names = bind(r, reads_node(r, r->p->lists.at[b->locals + i], s, names), names);
	return names;
}

static struct known slot_from(struct reads *r, struct shape *s, const struct coat *c, uint32_t slot,
			      bool *absent)
{
	const struct ir_field *f = &r->p->schemas.at[s->schema].fields[slot];
	const struct ir_binding *b = NULL;
	struct known v = { .shape = NULL };

	while (c && !(b = binding_of(&r->p->layers.at[c->layer], slot)))
		c = c->older;
	*absent = false;
	if (!c && s->open)
		return under_coats(r, s);
	if (!c) {
		*absent = f->value == IR_NO_NODE;
		return *absent ? v : reads_node(r, f->value, s, NULL);
	}
	if (b->kind == BIND_AMEND) {
		bool nothing;
		struct known base = slot_from(r, s, c->older, slot, &nothing);
		const struct names *names = names_of_amend(r, s, b, c->names);
		struct coat over = { b->what, names, c->maybe, c->when, NULL };

		return put_on(r, base, nothing, over);
	}
	v = reads_node(r, b->what, s, c->names);
	if (c->maybe) {
		bool nothing;

		v = either(r, v, slot_from(r, s, c->older, slot, &nothing));
		v.reads = reads_join(v.reads, c->when);
	}
	return v;
}

/* A native field follows from its record: of a model without the cost model. */
static struct known slot_value(struct reads *r, struct shape *s, uint32_t slot)
{
	struct known v = { .shape = NULL };
	bool absent;

	if (!r->p->schemas.at[s->schema].fields[slot].native)
		return slot_from(r, s, s->coats, slot, &absent);
	v.reads = reads_deep(r, (struct known){ .shape = s });
	v.reads.model = v.reads.model || !ir_schema_extends(r->p, s->schema, r->model);
	return v;
}

struct known reads_slot(struct reads *r, struct shape *s, uint32_t slot)
{
	struct known v;

	if (s->states[slot] == SHAPE_DONE)
		return s->slots[slot];
	/* A field that needs itself is the evaluator's to report. */
	if (s->states[slot] == SHAPE_BUSY)
		return (struct known){ .reads = r->everything };
	s->states[slot] = SHAPE_BUSY;
	v = slot_value(r, s, slot);
	s->states[slot] = SHAPE_DONE;
	s->slots[slot] = v;
	return v;
}

struct ir_reads reads_deep(struct reads *r, struct known v)
{
	struct shape *s = v.shape;
	struct ir_reads all = { 0, false };

	if (!s || s->deep_state == SHAPE_BUSY)
		return v.reads;
	if (s->deep_state == SHAPE_DONE)
		return reads_join(v.reads, s->deep);
	if (!enter(r))
		return r->everything;
	s->deep_state = SHAPE_BUSY;
	if (s->open)
		all = under_coats(r, s).reads;
	for (uint32_t i = 0; i < r->p->schemas.at[s->schema].field_count; i++)
		if (!r->p->schemas.at[s->schema].fields[i].native)
			all = reads_join(all, reads_deep(r, reads_slot(r, s, i)));
	r->depth--;
	s->deep_state = SHAPE_DONE;
	s->deep = all;
	return reads_join(v.reads, all);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Globals do not see a candidate: only the layers of their records matter. */
static struct known global_value(struct reads *r, uint32_t global)
{
	const struct ir_global *g = &r->p->globals.at[global];
	struct known v = { .shape = NULL };

	if (g->kind == GLOBAL_TABLE || g->value == IR_NO_NODE || r->global_states[global] == SHAPE_BUSY)
		return v;
	if (r->global_states[global] == SHAPE_DONE)
		return r->globals[global];
	r->global_states[global] = SHAPE_BUSY;
	v = reads_node(r, g->value, NULL, NULL);
	r->global_states[global] = SHAPE_DONE;
	r->globals[global] = v;
	return v;
}

static struct known field_value(struct reads *r, const struct ir_node *n, struct shape *self,
				const struct names *names)
{
	struct known of = reads_node(r, n->a, self, names), v;

	if (!of.shape)
		return of;
	v = reads_slot(r, of.shape, n->b);
	v.reads = reads_join(v.reads, of.reads);
	return v;
}

static struct known layer_value(struct reads *r, const struct ir_node *n, struct shape *self,
				const struct names *names)
{
	struct known base = { .shape = NULL };
	struct coat over = { .layer = n->b, .names = names };

	if (n->a != IR_NO_NODE)
		base = reads_node(r, n->a, self, names);
	return put_on(r, base, n->a == IR_NO_NODE, over);
}

static struct known call_value(struct reads *r, const struct ir_node *n, struct shape *self,
			       const struct names *names)
{
	const struct names *inner = NULL;

	for (uint32_t i = 0; i < n->c; i++)
		inner = bind(r, reads_node(r, r->p->lists.at[n->b + i], self, names), inner);
	return reads_node(r, r->p->functions.at[n->a].body, NULL, inner);
}

static struct known comprehend_value(struct reads *r, const struct ir_node *n, struct shape *self,
				     const struct names *names)
{
	struct known v = { .reads = reads_all(r, n->a, self, names) };
	const struct names *inner = bind(r, v, names);

	v.reads = reads_join(v.reads, reads_all(r, n->b, self, inner));
	if (n->c != IR_NO_NODE)
		v.reads = reads_join(v.reads, reads_all(r, n->c, self, inner));
	return v;
}

/* One of several results, by a value that decides. */
static struct known match_value(struct reads *r, const struct ir_node *n, struct shape *self,
				const struct names *names)
{
	struct ir_reads decides = reads_all(r, n->a, self, names);
	struct known v = { .shape = NULL };

	for (uint32_t i = 0; i + 1 < n->c; i += 2) {
		struct known one = reads_node(r, r->p->lists.at[n->b + i + 1], self, names);

		decides = reads_join(decides, reads_all(r, r->p->lists.at[n->b + i], self, names));
		v = i == 0 ? one : either(r, v, one);
	}
	v.reads = reads_join(v.reads, decides);
	return v;
}

static struct known if_value(struct reads *r, const struct ir_node *n, struct shape *self,
			     const struct names *names)
{
	struct known v = either(r, reads_node(r, n->b, self, names), reads_node(r, n->c, self, names));

	v.reads = reads_join(v.reads, reads_all(r, n->a, self, names));
	return v;
}

static struct known operands_value(struct reads *r, const struct ir_node *n, struct shape *self,
				   const struct names *names)
{
	const char *letters = ir_op_operands(n->op);
	uint32_t operands[] = { n->a, n->b, n->c };
	struct known v = { .shape = NULL };

	for (uint32_t i = 0; letters[i] != '\0'; i++) {
		if ((letters[i] == 'n' || letters[i] == 'o') && operands[i] != IR_NO_NODE)
			v.reads = reads_join(v.reads, reads_all(r, operands[i], self, names));
		for (uint32_t k = 0; letters[i] == 'l' && k < operands[i + 1]; k++)
			v.reads = reads_join(v.reads,
					     reads_all(r, r->p->lists.at[operands[i] + k], self, names));
	}
	return v;
}

static struct known node_value(struct reads *r, ir_id id, struct shape *self, const struct names *names)
{
	const struct ir_node *n = &r->p->nodes.at[id];
	uint32_t depth = n->a;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
	switch (n->op) {
	case IR_SELF:
		return self ? (struct known){ .shape = self } : (struct known){ .reads = r->everything };
	case IR_SLOT:
		return self ? reads_slot(r, self, n->a) : (struct known){ .reads = r->everything };
	case IR_GLOBAL:
		return global_value(r, n->a);
	case IR_LOCAL:
		while (names && depth-- > 0)
			names = names->up;
		return names ? names->value : (struct known){ .reads = r->everything };
	case IR_FIELD:
		return field_value(r, n, self, names);
	case IR_LAYER:
		return layer_value(r, n, self, names);
	case IR_CALL:
		return call_value(r, n, self, names);
	case IR_COMPREHEND:
		return comprehend_value(r, n, self, names);
	case IR_MATCH:
		return match_value(r, n, self, names);
	case IR_IF:
		return if_value(r, n, self, names);
	case IR_COALESCE:
		return either(r, reads_node(r, n->a, self, names), reads_node(r, n->b, self, names));
	default:
		return operands_value(r, n, self, names);
	}
#pragma GCC diagnostic pop
}

struct known reads_node(struct reads *r, ir_id node, struct shape *self, const struct names *names)
{
	struct known v;

	if (!enter(r))
		return (struct known){ .reads = r->everything };
	v = node_value(r, node, self, names);
	r->depth--;
	return v;
}

struct ir_reads reads_all(struct reads *r, ir_id node, struct shape *self, const struct names *names)
{
	return reads_deep(r, reads_node(r, node, self, names));
}

/* ---- the sweep ------------------------------------------------------------------------------- */

static struct ir_reads axis_reads(struct reads *r, const struct ir_axis *a, struct shape *self)
{
	struct ir_reads reads = reads_all(r, a->values, self, NULL);

	if (a->when != IR_NO_NODE)
		reads = reads_join(reads, reads_all(r, a->when, self, NULL));
	return reads;
}

/* The candidate with one more axis: its fields depend on it, and on what it depends on. */
static struct known lay_axis(struct reads *r, const struct ir_axis *a, uint32_t index, struct known v)
{
	struct known value = { .reads = a->reads };

	value.reads.axes |= (uint64_t)1 << index;
	for (uint32_t i = 0; i < a->path_count; i++) {
		struct coat over = { .layer = a->paths[i].layer, .names = bind(r, value, NULL) };

		if (a->when != IR_NO_NODE) {
			over.maybe = true;
			over.when = value.reads;
		}
		v = put_on(r, v, false, over);
	}
	return v;
}

static void read_slots(struct reads *r, struct ir_sweep *s, struct shape *candidate)
{
	uint32_t n = r->p->schemas.at[candidate->schema].field_count;

	s->slots = ARENA_ARRAY(r->arena, struct ir_reads, n + 1);
	s->slot_count = n;
	for (uint32_t i = 0; i < n; i++)
		s->slots[i] = reads_deep(r, reads_slot(r, candidate, i));
}

static void begin(struct reads *r, const struct ir_program *p, const struct ir_sweep *s, struct arena *a)
{
	*r = (struct reads){ .p = p, .arena = a, .model = ir_find_schema(p, "model") };
	r->everything.axes = s->axis_count >= IR_AXES_MAX ? UINT64_MAX
							  : ((uint64_t)1 << s->axis_count) - 1;
	r->everything.model = true;
	r->globals = ARENA_ARRAY(a, struct known, p->globals.n + 1);
	r->global_states = ARENA_ARRAY(a, unsigned char, p->globals.n + 1);
}

/* The record of the sweep before any axis. */
static struct known base_value(struct reads *r, const struct ir_sweep *s)
{
	struct known v = reads_node(r, s->of, NULL, NULL);

	if (!v.shape) {
		v.shape = shape_make(r, s->type->index, NULL);
		v.shape->open = true;
	}
	return v;
}

void ir_sweep_settle(struct ir_program *p, uint32_t sweep, uint64_t *late)
{
	struct ir_sweep *s = &p->sweeps.at[sweep];
	struct reads r;
	struct known v;

	begin(&r, p, s, p->arena);
	v = base_value(&r, s);
	for (uint32_t i = 0; i < s->axis_count; i++) {
		s->axes[i].values_read = reads_all(&r, s->axes[i].values, v.shape, NULL);
		s->axes[i].reads = axis_reads(&r, &s->axes[i], v.shape);
		v = lay_axis(&r, &s->axes[i], i, v);
	}
	for (uint32_t i = 0; i < s->axis_count; i++)
		late[i] = axis_reads(&r, &s->axes[i], v.shape).axes >> i >> 1 << i << 1;
	for (uint32_t i = 0; i < s->goal_count; i++)
		s->goals[i].reads = reads_all(&r, s->goals[i].value, v.shape, NULL);
	read_slots(&r, s, v.shape);
	reads_rules(&r, s, v.shape);
}

/* ---- questions about a settled sweep ------------------------------------------------------------ */

struct ir_candidate {
	struct reads r;
	struct known value;
};

struct ir_candidate *ir_candidate_make(const struct ir_program *p, uint32_t sweep, struct arena *a)
{
	struct ir_candidate *c = ARENA_NEW(a, struct ir_candidate);
	const struct ir_sweep *s = &p->sweeps.at[sweep];

	begin(&c->r, p, s, a);
	c->value = base_value(&c->r, s);
	for (uint32_t i = 0; i < s->axis_count; i++)
		c->value = lay_axis(&c->r, &s->axes[i], i, c->value);
	return c;
}

struct ir_reads ir_candidate_field(struct ir_candidate *c, const uint32_t *slots, uint32_t n)
{
	struct known v = c->value;

	for (uint32_t i = 0; i < n && v.shape; i++) {
		struct ir_reads outside = v.reads;

		v = reads_slot(&c->r, v.shape, slots[i]);
		v.reads = reads_join(v.reads, outside);
	}
	return reads_deep(&c->r, v);
}

struct ir_reads ir_candidate_node(struct ir_candidate *c, ir_id node)
{
	return reads_all(&c->r, node, c->value.shape, NULL);
}
