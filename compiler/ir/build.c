/* build.c - the growing tables of a program. */
#include "compiler/ir/build.h"

struct ir_program *ir_program_make(struct arena *a, struct interner *names,
				   const struct sources *sources)
{
	struct ir_program *p = ARENA_NEW(a, struct ir_program);

	p->arena = a;
	p->names = names;
	p->sources = sources;
	p->types = type_table_make(a);
	p->question = IR_NO_NODE;
	p->target = IR_NONE;
	return p;
}

static bool operands_read_self(const struct ir_program *p, const struct ir_node *n)
{
	const char *letters = ir_op_operands(n->op);
	uint32_t operands[] = { n->a, n->b, n->c };

	for (uint32_t i = 0; letters[i] != '\0'; i++) {
		if ((letters[i] == 'n' || letters[i] == 'o') && operands[i] != IR_NO_NODE &&
		    p->reads_self.at[operands[i]])
			return true;
		for (uint32_t k = 0; letters[i] == 'l' && k < operands[i + 1]; k++)
			if (p->reads_self.at[p->lists.at[operands[i] + k]])
				return true;
	}
	return n->op == IR_SELF || n->op == IR_SLOT;
}

ir_id ir_add(struct ir_program *p, enum ir_op op, const struct type *type, struct span span,
	     uint32_t a, uint32_t b, uint32_t c)
{
	struct ir_node node = { op, type, span, a, b, c };

	*VEC_ADD(p->arena, &p->reads_self) = operands_read_self(p, &node);
	*VEC_ADD(p->arena, &p->nodes) = node;
	return p->nodes.n - 1;
}

uint32_t ir_add_constant(struct ir_program *p, struct ir_constant c)
{
	*VEC_ADD(p->arena, &p->constants) = c;
	return p->constants.n - 1;
}

static ir_id add_constant_node(struct ir_program *p, const struct type *type, struct span span,
			       struct ir_constant c)
{
	return ir_add(p, IR_CONST, type, span, ir_add_constant(p, c), 0, 0);
}

ir_id ir_add_poison(struct ir_program *p, struct span span)
{
	return ir_add(p, IR_POISON, type_simple(p->types, TYPE_POISON), span, 0, 0, 0);
}

ir_id ir_add_number(struct ir_program *p, const struct type *type, struct span span, struct num n)
{
	return add_constant_node(p, type, span,
				 (struct ir_constant){ .kind = CONSTANT_NUMBER, .number = n });
}

ir_id ir_add_bool(struct ir_program *p, struct span span, bool truth)
{
	return add_constant_node(p, type_simple(p->types, TYPE_BOOL), span,
				 (struct ir_constant){ .kind = CONSTANT_BOOL, .truth = truth });
}

ir_id ir_add_string(struct ir_program *p, struct span span, struct str text)
{
	return add_constant_node(p, type_simple(p->types, TYPE_STRING), span,
				 (struct ir_constant){ .kind = CONSTANT_STRING, .text = text });
}

ir_id ir_add_enum(struct ir_program *p, const struct type *type, struct span span, uint32_t ordinal)
{
	return add_constant_node(p, type, span,
				 (struct ir_constant){ .kind = CONSTANT_ENUM, .ordinal = ordinal });
}

ir_id ir_add_none(struct ir_program *p, struct span span)
{
	return add_constant_node(p, type_simple(p->types, TYPE_NONE), span,
				 (struct ir_constant){ .kind = CONSTANT_NONE });
}

uint32_t ir_add_list(struct ir_program *p, const uint32_t *items, const struct sym *names, uint32_t n)
{
	uint32_t first = p->lists.n;

	for (uint32_t i = 0; i < n; i++) {
		*VEC_ADD(p->arena, &p->lists) = items[i];
		*VEC_ADD(p->arena, &p->list_names) = names ? names[i] : (struct sym){ 0 };
	}
	return first;
}

const struct ir_constant *ir_constant_of(const struct ir_program *p, ir_id node)
{
	const struct ir_node *n = &p->nodes.at[node];

	return n->op == IR_CONST ? &p->constants.at[n->a] : NULL;
}
