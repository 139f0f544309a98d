/* value.c - what the value of an expression depends on, operation by operation. */
#include "compiler/ir/reads/reads_int.h"

/* Beyond these the answer is "everything": a plan of any size is analysed in little time. */
enum { READS_DEPTH_MAX = 300, READS_STEPS_MAX = 2000000 };

struct known reads_either(struct reads *r, struct known a, struct known b)
{
	if (a.shape && a.shape == b.shape)
		return (struct known){ reads_join(a.reads, b.reads), a.shape };
	return (struct known){ .reads = reads_join(reads_deep(r, a), reads_deep(r, b)) };
}

bool reads_enter(struct reads *r)
{
	if (r->depth >= READS_DEPTH_MAX || r->steps >= READS_STEPS_MAX)
		return false;
	r->depth++;
	r->steps++;
	return true;
}

const struct names *reads_bind(struct reads *r, struct known v, const struct names *up)
{
	struct names *names = ARENA_NEW(r->arena, struct names);

	*names = (struct names){ v, up };
	return names;
}

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
	return reads_put_on(r, base, n->a == IR_NO_NODE, over);
}

static struct known call_value(struct reads *r, const struct ir_node *n, struct shape *self,
			       const struct names *names)
{
	const struct names *inner = NULL;

	for (uint32_t i = 0; i < n->c; i++)
		inner = reads_bind(r, reads_node(r, r->p->lists.at[n->b + i], self, names), inner);
	return reads_node(r, r->p->functions.at[n->a].body, NULL, inner);
}

static struct known comprehend_value(struct reads *r, const struct ir_node *n, struct shape *self,
				     const struct names *names)
{
	struct known v = { .reads = reads_all(r, n->a, self, names) };
	const struct names *inner = reads_bind(r, v, names);

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
		v = i == 0 ? one : reads_either(r, v, one);
	}
	v.reads = reads_join(v.reads, decides);
	return v;
}

static struct known if_value(struct reads *r, const struct ir_node *n, struct shape *self,
			     const struct names *names)
{
	struct known v = reads_either(r, reads_node(r, n->b, self, names), reads_node(r, n->c, self, names));

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
		return reads_either(r, reads_node(r, n->a, self, names), reads_node(r, n->b, self, names));
	default:
		return operands_value(r, n, self, names);
	}
#pragma GCC diagnostic pop
}

struct known reads_node(struct reads *r, ir_id node, struct shape *self, const struct names *names)
{
	struct known v;

	if (!reads_enter(r))
		return (struct known){ .reads = r->everything };
	v = node_value(r, node, self, names);
	r->depth--;
	return v;
}

struct ir_reads reads_all(struct reads *r, ir_id node, struct shape *self, const struct names *names)
{
	return reads_deep(r, reads_node(r, node, self, names));
}
