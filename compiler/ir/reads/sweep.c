/* sweep.c - a sweep, axis by axis; questions about its candidate. */
#include "compiler/ir/reads/reads_int.h"

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
		struct coat over = { .layer = a->paths[i].layer, .names = reads_bind(r, value, NULL) };

		if (a->when != IR_NO_NODE) {
			over.maybe = true;
			over.when = value.reads;
		}
		v = reads_put_on(r, v, false, over);
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
		v.shape = reads_shape(r, s->type->index, NULL);
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
