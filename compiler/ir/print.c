/* print.c - the program as text: one node a line, by declaration (`planc debug ir`).
 *
 * Nodes are numbered from 0 within a declaration, in the order in which they are needed, so the text of
 * one declaration does not depend on the rest of the program.
 */
#include "compiler/ir/print_int.h"

static void print_layer_nodes(struct printer *w, uint32_t layer);

static const char *spell(const struct printer *w, struct sym name)
{
	return sym_str(w->p->names, name).p;
}

void print_reference(struct printer *w, ir_id id)
{
	uint32_t n = id == IR_NO_NODE ? MAP_NONE : map_find(&w->numbers, id);

	if (n == MAP_NONE)
		out_char(w->o, '-');
	else
		out_printf(w->o, "%%%u", n);
}

static void print_text(struct printer *w, struct str s)
{
	out_char(w->o, '"');
	for (uint32_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\n')
			out_text(w->o, "\\n");
		else if (s.p[i] == '\t')
			out_text(w->o, "\\t");
		else if (s.p[i] == '"' || s.p[i] == '\\')
			out_printf(w->o, "\\%c", s.p[i]);
		else
			out_char(w->o, s.p[i]);
	}
	out_char(w->o, '"');
}

static void print_constant(struct printer *w, uint32_t constant, const struct type *type)
{
	const struct ir_constant *k = &w->p->constants.at[constant];

	switch (k->kind) {
	case CONSTANT_NONE:
		out_text(w->o, "none");
		break;
	case CONSTANT_BOOL:
		out_text(w->o, k->truth ? "true" : "false");
		break;
	case CONSTANT_NUMBER:
		num_print(w->o, k->number);
		break;
	case CONSTANT_STRING:
		print_text(w, k->text);
		break;
	case CONSTANT_ENUM:
		out_text(w->o, type->kind == TYPE_ENUM
				       ? spell(w, w->p->enums.at[type->index].values[k->ordinal])
				       : "?");
		break;
	}
}

/* ---- operands -------------------------------------------------------------------------------- */

static void operand_nodes(struct printer *w, const struct ir_node *n)
{
	const char *letters = ir_op_operands(n->op);
	uint32_t operands[] = { n->a, n->b, n->c };

	for (uint32_t i = 0; letters[i] != '\0'; i++) {
		if ((letters[i] == 'n' || letters[i] == 'o') && operands[i] != IR_NO_NODE)
			print_node(w, operands[i]);
		for (uint32_t k = 0; letters[i] == 'l' && k < operands[i + 1]; k++)
			print_node(w, w->p->lists.at[operands[i] + k]);
		if (letters[i] == 'y')
			print_layer_nodes(w, operands[i]);
	}
}

static void print_list(struct printer *w, uint32_t first, uint32_t count)
{
	out_char(w->o, '(');
	for (uint32_t i = 0; i < count; i++) {
		struct sym name = w->p->list_names.at[first + i];

		out_text(w->o, i > 0 ? ", " : "");
		if (name.id != 0)
			out_printf(w->o, "%s = ", spell(w, name));
		print_reference(w, w->p->lists.at[first + i]);
	}
	out_char(w->o, ')');
}

static void print_slot(struct printer *w, const struct ir_node *n)
{
	uint32_t slot = n->op == IR_FIELD ? n->b : n->a, schema = w->schema;

	if (n->op == IR_FIELD)
		schema = w->p->nodes.at[n->a].type->kind == TYPE_RECORD ? w->p->nodes.at[n->a].type->index
									 : IR_NONE;
	if (schema != IR_NONE && slot < w->p->schemas.at[schema].field_count)
		out_text(w->o, spell(w, w->p->schemas.at[schema].fields[slot].name));
	else
		out_printf(w->o, "%u", slot);
}

static void print_global_name(struct printer *w, uint32_t global)
{
	const struct ir_global *g = &w->p->globals.at[global];

	out_text(w->o, g->name.id != 0 ? spell(w, g->name) : "(a table without rows)");
}

static void print_operand(struct printer *w, const struct ir_node *n, char letter, uint32_t i)
{
	uint32_t operands[] = { n->a, n->b, n->c };
	uint32_t value = operands[i];

	if (letter == 'n' || letter == 'o')
		print_reference(w, value);
	else if (letter == 'l')
		print_list(w, value, operands[i + 1]);
	else if (letter == 'k')
		print_constant(w, value, n->type);
	else if (letter == 's')
		print_slot(w, n);
	else if (letter == 'g')
		print_global_name(w, value);
	else if (letter == 'f')
		out_text(w->o, spell(w, w->p->functions.at[value].name));
	else if (letter == 'b')
		out_text(w->o, builtin_name((enum builtin)value));
	else if (letter == 'm')
		out_text(w->o, layout_member_names[value]);
	else if (letter == 'w')
		out_text(w->o, spell(w, w->p->sweeps.at[value].name));
	else if (n->op == IR_SELECT)
		out_text(w->o, selection_names[value]);
	else
		out_printf(w->o, "%u", value);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void print_layer_nodes(struct printer *w, uint32_t layer)
{
	const struct ir_layer *l = &w->p->layers.at[layer];
	uint32_t around = w->schema;

	w->schema = l->schema;
	for (uint32_t i = 0; i < l->binding_count; i++) {
		for (uint32_t k = 0; k < l->bindings[i].local_count; k++)
			print_node(w, w->p->lists.at[l->bindings[i].locals + k]);
		if (l->bindings[i].kind == BIND_SET)
			print_node(w, l->bindings[i].what);
		else
			print_layer_nodes(w, l->bindings[i].what);
	}
	w->schema = around;
}

static void print_layer(struct printer *w, uint32_t layer)
{
	const struct ir_layer *l = &w->p->layers.at[layer];

	out_text(w->o, "{");
	for (uint32_t i = 0; i < l->binding_count; i++) {
		const struct ir_binding *b = &l->bindings[i];

		out_printf(w->o, "%s%s ", i > 0 ? ", " : " ",
			   spell(w, w->p->schemas.at[l->schema].fields[b->slot].name));
		if (b->kind == BIND_SET) {
			out_text(w->o, "= ");
			print_reference(w, b->what);
		} else {
			for (uint32_t k = 0; k < b->local_count; k++) {
				out_text(w->o, k > 0 ? ", " : "with ");
				print_reference(w, w->p->lists.at[b->locals + k]);
			}
			out_text(w->o, b->local_count > 0 ? " " : "");
			print_layer(w, b->what);
		}
	}
	out_text(w->o, l->binding_count > 0 ? " }" : "}");
}

/* ---- nodes ----------------------------------------------------------------------------------- */

void print_node(struct printer *w, ir_id id)
{
	const struct ir_node *n = &w->p->nodes.at[id];
	const char *letters = ir_op_operands(n->op);

	if (map_find(&w->numbers, id) != MAP_NONE)
		return;
	operand_nodes(w, n);
	map_set(&w->numbers, id, w->next);
	out_printf(w->o, "  %%%u = %s", w->next++, ir_op_name(n->op));
	for (uint32_t i = 0; letters[i] != '\0'; i++) {
		if (letters[i] == '-')
			continue;
		out_char(w->o, ' ');
		if (letters[i] == 'y')
			print_layer(w, n->b);
		else
			print_operand(w, n, letters[i], i);
	}
	out_text(w->o, " : ");
	type_print(w->o, w->p, n->type);
	out_char(w->o, '\n');
}

void print_start(struct printer *w)
{
	map_init(&w->numbers, w->o->arena);
	w->next = 0;
}

void print_value(struct printer *w, const char *name, ir_id id)
{
	if (id == IR_NO_NODE)
		return;
	print_node(w, id);
	out_printf(w->o, "  %s = ", name);
	print_reference(w, id);
	out_char(w->o, '\n');
}

static void print_assert(struct printer *w, const struct ir_assert *a)
{
	print_start(w);
	out_printf(w->o, "assert%s%s\n", a->name.id != 0 ? " " : "", a->name.id != 0 ? spell(w, a->name) : "");
	print_value(w, "when", a->when);
	print_value(w, "cond", a->cond);
	print_value(w, "because", a->because);
}

void print_type_line(struct printer *w, const char *word, struct sym name, const struct type *t)
{
	out_printf(w->o, "%s %s: ", word, spell(w, name));
	type_print(w->o, w->p, t);
	out_char(w->o, '\n');
}

static void layer_asserts(struct printer *w, uint32_t layer)
{
	const struct ir_layer *l = &w->p->layers.at[layer];

	for (uint32_t i = 0; i < l->assert_count; i++) {
		w->schema = l->schema;
		print_assert(w, &l->asserts[i]);
	}
	for (uint32_t i = 0; i < l->binding_count; i++)
		if (l->bindings[i].kind == BIND_AMEND)
			layer_asserts(w, l->bindings[i].what);
	w->schema = IR_NONE;
}

static void print_global(struct printer *w, const struct ir_global *g)
{
	static const char *const words[] = { [GLOBAL_PARAM] = "param",
					     [GLOBAL_LET] = "let",
					     [GLOBAL_INSTANCE] = "record",
					     [GLOBAL_TABLE] = "table" };

	print_type_line(w, words[g->kind], g->name, g->type);
	if (g->kind == GLOBAL_TABLE && g->table != IR_NONE)
		out_printf(w->o, "  %u rows\n", w->p->tables.at[g->table].row_count);
	print_start(w);
	print_value(w, "value", g->value);
	if (g->value != IR_NO_NODE && w->p->nodes.at[g->value].op == IR_LAYER)
		layer_asserts(w, w->p->nodes.at[g->value].b);
}

static void print_schema(struct printer *w, uint32_t index)
{
	const struct ir_schema *s = &w->p->schemas.at[index];
	uint32_t inherited = s->base == IR_NONE ? 0 : w->p->schemas.at[s->base].assert_count;

	out_printf(w->o, "schema %s\n", spell(w, s->name));
	print_start(w);
	w->schema = index;
	for (uint32_t i = 0; i < s->field_count; i++) {
		const struct ir_field *f = &s->fields[i];

		if (f->value == IR_NO_NODE)
			continue;
		print_value(w, spell(w, f->name), f->value);
	}
	for (uint32_t i = inherited; i < s->assert_count; i++)
		print_assert(w, &s->asserts[i]);
	w->schema = IR_NONE;
}

static void print_function(struct printer *w, const struct ir_function *f)
{
	print_type_line(w, "fn", f->name, f->result);
	print_start(w);
	print_value(w, "body", f->body);
}

static void print_emit(struct printer *w, const struct ir_emit *e)
{
	out_printf(w->o, "emit %s\n", spell(w, e->target));
	print_start(w);
	if (e->sweep != IR_NONE)
		out_printf(w->o, "  from = sweep %s\n", spell(w, w->p->sweeps.at[e->sweep].name));
	else
		print_value(w, "from", e->from);
	print_value(w, "to", e->to);
	if (e->layer == IR_NONE)
		return;
	print_layer_nodes(w, e->layer);
	out_text(w->o, "  options = ");
	print_layer(w, e->layer);
	out_char(w->o, '\n');
}

static void print_step(struct printer *w, const struct ir_step *s)
{
	if (s->kind == STEP_VALUE) {
		print_global(w, &w->p->globals.at[s->global]);
		return;
	}
	if (s->kind == STEP_FAILURE) {
		out_printf(w->o, "expect failure %s\n", diag_info(s->failure.code)->name);
		return;
	}
	out_text(w->o, "expect\n");
	print_start(w);
	print_value(w, "cond", s->expect.cond);
	print_value(w, "because", s->expect.because);
}

static void print_test(struct printer *w, const struct ir_test *t)
{
	out_printf(w->o, "test \"%.*s\"\n", (int)t->title.n, t->title.p);
	for (uint32_t i = 0; i < t->step_count; i++)
		print_step(w, &t->steps[i]);
}

void ir_print(struct out *o, const struct ir_program *p, bool with_library)
{
	struct printer w = { .o = o, .p = p, .schema = IR_NONE };

	for (uint32_t i = 0; i < p->schemas.n; i++)
		if (with_library || p->schemas.at[i].span.file == p->root_file)
			print_schema(&w, i);
	for (uint32_t i = 0; i < p->functions.n; i++)
		if (with_library || p->functions.at[i].span.file == p->root_file)
			print_function(&w, &p->functions.at[i]);
	for (uint32_t i = 0; i < p->globals.n; i++)
		if (p->globals.at[i].name.id != 0 &&
		    (with_library || p->globals.at[i].file == p->root_file))
			print_global(&w, &p->globals.at[i]);
	for (uint32_t i = 0; i < p->sweeps.n; i++)
		if (with_library || p->sweeps.at[i].file == p->root_file)
			print_sweep(&w, &p->sweeps.at[i]);
	for (uint32_t i = 0; i < p->asserts.n; i++)
		if (with_library || p->asserts.at[i].span.file == p->root_file)
			print_assert(&w, &p->asserts.at[i]);
	for (uint32_t i = 0; i < p->emits.n; i++)
		print_emit(&w, &p->emits.at[i]);
	for (uint32_t i = 0; i < p->tests.n; i++)
		print_test(&w, &p->tests.at[i]);
}
