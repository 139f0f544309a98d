/* depend.c - what a change of one value of the plan can change.
 *
 * Marks whatever mentions something that is marked, until nothing is added: expressions by their parts,
 * layers, functions and schemas by their expressions, globals and sweeps by what defines them. A record
 * counts with everything its schema says, because its fields are computed late.
 */
#include "compiler/ir/depend.h"

struct marking {
	const struct ir_program *p;
	struct ir_dependents d;
	bool *layers, *functions, *schemas;
	bool changed;
};

static void mark(struct marking *m, bool *at, bool now)
{
	if (*at || !now)
		return;
	*at = true;
	m->changed = true;
}

static bool node_is(const struct marking *m, ir_id node)
{
	return node != IR_NO_NODE && m->d.nodes[node];
}

bool ir_assert_depends(const struct ir_dependents *d, const struct ir_assert *a)
{
	return (a->when != IR_NO_NODE && d->nodes[a->when]) || (a->cond != IR_NO_NODE && d->nodes[a->cond]);
}

static bool asserts_are(const struct marking *m, const struct ir_assert *asserts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (ir_assert_depends(&m->d, &asserts[i]))
			return true;
	return false;
}

static bool operand_is(const struct marking *m, char letter, uint32_t x, uint32_t next)
{
	switch (letter) {
	case 'n':
	case 'o':
		return node_is(m, x);
	case 'g':
		return m->d.globals[x];
	case 'f':
		return m->functions[x];
	case 'y':
		return m->layers[x];
	case 'w':
		return m->d.sweeps[x];
	case 'l':
		for (uint32_t i = 0; i < next; i++)
			if (m->d.nodes[m->p->lists.at[x + i]])
				return true;
		return false;
	default:
		return false;
	}
}

static void mark_nodes(struct marking *m)
{
	for (uint32_t i = 0; i < m->p->nodes.n; i++) {
		const struct ir_node *n = &m->p->nodes.at[i];
		const char *letters = ir_op_operands(n->op);
		uint32_t operands[] = { n->a, n->b, n->c, 0 };
		bool is = n->type && n->type->kind == TYPE_RECORD && n->op == IR_LAYER && m->schemas[n->type->index];

		for (uint32_t k = 0; letters[k] != '\0' && !is; k++)
			is = operand_is(m, letters[k], operands[k], operands[k + 1]);
		mark(m, &m->d.nodes[i], is);
	}
}

static void mark_layers(struct marking *m)
{
	for (uint32_t i = 0; i < m->p->layers.n; i++) {
		const struct ir_layer *l = &m->p->layers.at[i];
		bool is = m->schemas[l->schema] || asserts_are(m, l->asserts, l->assert_count);

		for (uint32_t k = 0; k < l->binding_count && !is; k++)
			is = l->bindings[k].kind == BIND_SET ? node_is(m, l->bindings[k].what)
							     : m->layers[l->bindings[k].what];
		mark(m, &m->layers[i], is);
	}
}

static void mark_schemas(struct marking *m)
{
	for (uint32_t i = 0; i < m->p->schemas.n; i++) {
		const struct ir_schema *s = &m->p->schemas.at[i];
		bool is = asserts_are(m, s->asserts, s->assert_count);

		for (uint32_t k = 0; k < s->field_count && !is; k++)
			is = node_is(m, s->fields[k].value);
		mark(m, &m->schemas[i], is);
	}
}

static bool sweep_is(const struct marking *m, const struct ir_sweep *s)
{
	bool is = node_is(m, s->of) || node_is(m, s->limit);

	for (uint32_t i = 0; i < s->axis_count && !is; i++)
		is = node_is(m, s->axes[i].values) || node_is(m, s->axes[i].when);
	for (uint32_t i = 0; i < s->condition_count && !is; i++)
		is = ir_assert_depends(&m->d, &s->conditions[i].rule);
	for (uint32_t i = 0; i < s->goal_count && !is; i++)
		is = node_is(m, s->goals[i].value) || node_is(m, s->goals[i].slack);
	return is;
}

static void mark_rest(struct marking *m)
{
	for (uint32_t i = 0; i < m->p->functions.n; i++)
		mark(m, &m->functions[i], node_is(m, m->p->functions.at[i].body));
	for (uint32_t i = 0; i < m->p->globals.n; i++) {
		const struct ir_global *g = &m->p->globals.at[i];

		mark(m, &m->d.globals[i], node_is(m, g->value) || (g->base != IR_NONE && m->d.globals[g->base]));
	}
	for (uint32_t i = 0; i < m->p->sweeps.n; i++)
		mark(m, &m->d.sweeps[i], sweep_is(m, &m->p->sweeps.at[i]));
}

struct ir_dependents ir_dependents_of(const struct ir_program *p, uint32_t global, struct arena *a)
{
	struct marking m = { .p = p, .changed = true };

	m.d.nodes = ARENA_ARRAY(a, bool, p->nodes.n + 1);
	m.d.globals = ARENA_ARRAY(a, bool, p->globals.n + 1);
	m.d.sweeps = ARENA_ARRAY(a, bool, p->sweeps.n + 1);
	m.layers = ARENA_ARRAY(a, bool, p->layers.n + 1);
	m.functions = ARENA_ARRAY(a, bool, p->functions.n + 1);
	m.schemas = ARENA_ARRAY(a, bool, p->schemas.n + 1);
	m.d.globals[global] = true;
	while (m.changed) {
		m.changed = false;
		mark_nodes(&m);
		mark_layers(&m);
		mark_schemas(&m);
		mark_rest(&m);
	}
	return m.d;
}
