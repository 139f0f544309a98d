/* table_literal.c - a list of records where a table belongs: rows that are written out in the
 * plan.
 *
 * A table is data: every cell must be known while the program is built. Cells that a row leaves
 * out take the default of their field.
 */
#include "compiler/check/check_int.h"

/* A table without a name, as a value. */
static ir_id table_value(struct check *c, const struct type *type, struct span span,
			 struct ir_table table)
{
	struct ir_global *g;

	*VEC_ADD(c->arena, &c->p->tables) = table;
	g = VEC_ADD(c->arena, &c->p->globals);
	*g = (struct ir_global){ .kind = GLOBAL_TABLE,
				 .file = span.file,
				 .type = type,
				 .value = IR_NO_NODE,
				 .table = c->p->tables.n - 1,
				 .base = IR_NONE,
				 .span = span,
				 .library = true };
	*VEC_ADD(c->arena, &c->globals) = NULL;
	return ir_add(c->p, IR_GLOBAL, type, span, c->p->globals.n - 1, 0, 0);
}

/* The node of a field in a row: what its braces say, else the default of the schema. */
static ir_id cell_node(struct check *c, const struct ir_layer *row, uint32_t schema, uint32_t slot,
		       struct span *span)
{
	for (uint32_t i = 0; i < row->binding_count; i++)
		if (row->bindings[i].slot == slot && row->bindings[i].kind == BIND_SET) {
			*span = c->p->nodes.at[row->bindings[i].what].span;
			return row->bindings[i].what;
		}
	*span = row->span;
	return c->p->schemas.at[schema].fields[slot].value;
}

/* Fills the cells of one row; false after reporting. */
static bool fill_row(struct check *c, uint32_t layer, uint32_t schema, struct ir_constant *cells)
{
	const struct ir_layer *row = &c->p->layers.at[layer];
	uint32_t fields = c->p->schemas.at[schema].field_count;
	bool fine = true;

	for (uint32_t slot = 0; slot < fields; slot++) {
		struct sym name = c->p->schemas.at[schema].fields[slot].name;
		struct span span;
		ir_id node = cell_node(c, row, schema, slot, &span);
		const struct ir_constant *constant =
			node == IR_NO_NODE ? NULL : ir_constant_of(c->p, node);

		if (constant) {
			cells[slot] = *constant;
			continue;
		}
		fine = false;
		if (node == IR_NO_NODE)
			diag_report(c->sink, E1205, span, "this row has no `%s`", spell(c, name));
		else if (!is_poison(ir_type(c->p, node)))
			diag_report(
				c->sink, E1101, span,
				"a row of a table holds plain values, but `%s` has to be computed",
				spell(c, name));
	}
	return fine;
}

ir_id lower_table(struct check *c, const struct env *e, struct ast *x, const struct type *type)
{
	uint32_t n = x->list_of.items.n, schema = type->of->index;
	uint32_t fields = c->p->schemas.at[schema].field_count;
	struct ir_table table = { .schema = schema, .row_count = n };
	struct goal goal = { .what = "a row", .declared = SPAN_NONE };
	bool fine = true;

	table.cells = ARENA_ARRAY(c->arena, struct ir_constant, (size_t)n * fields + 1);
	for (uint32_t i = 0; i < n; i++) {
		ir_id row = lower(c, e, x->list_of.items.at[i], type->of, &goal);
		const struct ir_node *node = &c->p->nodes.at[row];

		if (node->op == IR_LAYER && node->a == IR_NO_NODE) {
			fine = fill_row(c, node->b, schema, &table.cells[(size_t)i * fields]) &&
			       fine;
			continue;
		}
		if (!is_poison(node->type))
			diag_report(c->sink, E1101, node->span,
				    "a row of a table is written out as a record in braces");
		fine = false;
	}
	return fine ? table_value(c, type, x->span, table) : ir_add_poison(c->p, x->span);
}
