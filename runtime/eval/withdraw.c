/* withdraw.c - what a broken rule leaves of a record. `nodes = 0` is one mistake: that a job on such a
 * cluster has too few GPUs is the same one again, and is not told. */
#include "runtime/eval/eval_int.h"

/* Notes the fields that a condition names; the letters of operands are those of ir.def. */
static void find_slots(const struct ir_program *p, ir_id node, bool *named)
{
	const struct ir_node *n = &p->nodes.at[node];
	const uint32_t operands[] = { n->a, n->b, n->c };
	const char *letters = ir_op_operands(n->op);

	if (n->op == IR_SLOT)
		named[n->a] = true;
	for (int i = 0; i < 3; i++) {
		if (letters[i] == 'n' || (letters[i] == 'o' && operands[i] != IR_NO_NODE))
			find_slots(p, operands[i], named);
		for (uint32_t k = 0; letters[i] == 'l' && k < operands[i + 1]; k++)
			find_slots(p, p->lists.at[operands[i] + k], named);
		if (letters[i] == 'l')
			break;
	}
}

void record_withdraw(struct eval *ev, struct record *r, const ir_id *conditions, uint32_t n)
{
	const struct ir_schema *s = &ev->program->schemas.at[r->schema];
	bool *named = ARENA_ARRAY(ev->arena, bool, s->field_count);
	bool muted = ev->sink->muted;

	for (uint32_t i = 0; i < n; i++)
		find_slots(ev->program, conditions[i], named);
	for (uint32_t i = 0; i < s->field_count; i++) {
		bool computed = r->states[i] == SLOT_DONE && !s->fields[i].native;

		if (!computed || r->slots[i].kind == VALUE_RECORD)
			continue;
		r->states[i] = SLOT_EMPTY;
		if (named[i])
			record_set(r, i, value_poison());
	}
	ev->sink->muted = true;
	for (uint32_t i = 0; i < s->field_count; i++)
		if (!s->fields[i].native)
			(void)record_get(ev, r, i);
	ev->sink->muted = muted;
}
