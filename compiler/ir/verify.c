/* verify.c - checks that every index of a program is in range, that operands come before the nodes that
 * read them, and that conditions are conditions. Finds our mistakes, never the user's. */
#include "compiler/ir/ir.h"

struct verifier {
	const struct ir_program *p;
	const char *what;
	uint32_t where;
};

static bool fail(struct verifier *v, uint32_t where, const char *what)
{
	if (!v->what) {
		v->what = what;
		v->where = where;
	}
	return false;
}

static bool is_kind(const struct verifier *v, ir_id id, enum type_kind kind)
{
	const struct type *t = v->p->nodes.at[id].type;

	return t->kind == kind || t->kind == TYPE_POISON;
}

/* ---- operands of a node ---------------------------------------------------------------------- */

static bool check_list(struct verifier *v, uint32_t id, uint32_t first, uint32_t count)
{
	const struct ir_program *p = v->p;

	if (count > p->lists.n || first > p->lists.n - count)
		return fail(v, id, "a list lies outside the table of lists");
	for (uint32_t i = 0; i < count; i++)
		if (p->lists.at[first + i] >= id)
			return fail(v, id, "an element of a list is made after its list");
	return true;
}

static bool check_operand(struct verifier *v, uint32_t id, char letter, uint32_t i)
{
	const struct ir_program *p = v->p;
	const struct ir_node *n = &p->nodes.at[id];
	uint32_t operands[] = { n->a, n->b, n->c }, x = operands[i];

	switch (letter) {
	case 'n':
		return x < id || fail(v, id, "an operand is missing, or made after its node");
	case 'o':
		return x < id || x == IR_NO_NODE || fail(v, id, "an operand is made after its node");
	case 'l':
		return check_list(v, id, x, operands[i + 1]);
	case 'k':
		return x < p->constants.n || fail(v, id, "there is no such constant");
	case 'g':
		return x < p->globals.n || fail(v, id, "there is no such global");
	case 'f':
		return x < p->functions.n || fail(v, id, "there is no such function");
	case 'y':
		return x < p->layers.n || fail(v, id, "there is no such layer");
	case 'b':
		return x < BUILTIN_COUNT || fail(v, id, "there is no such built-in function");
	case 'm':
		return x < LAYOUT_MEMBER_COUNT || fail(v, id, "a layout has no such member");
	case 'w':
		return x < p->sweeps.n || fail(v, id, "there is no such sweep");
	default:
		return true;
	}
}

/* ---- types by operation ---------------------------------------------------------------------- */

static bool check_field(struct verifier *v, uint32_t id)
{
	const struct ir_node *n = &v->p->nodes.at[id];
	const struct type *t = v->p->nodes.at[n->a].type;

	if (t->kind == TYPE_POISON)
		return true;
	if (t->kind != TYPE_RECORD)
		return fail(v, id, "a field is taken of something that is no record");
	return n->b < v->p->schemas.at[t->index].field_count || fail(v, id, "a record has no such slot");
}

static bool check_layer_node(struct verifier *v, uint32_t id)
{
	const struct ir_node *n = &v->p->nodes.at[id];
	uint32_t schema = v->p->layers.at[n->b].schema;

	if (n->type->kind != TYPE_RECORD || n->type->index != schema)
		return fail(v, id, "a record and its layer have different schemas");
	if (n->a == IR_NO_NODE || is_kind(v, n->a, TYPE_POISON))
		return true;
	return is_kind(v, n->a, TYPE_RECORD) || fail(v, id, "the base of a record is no record");
}

static bool check_call(struct verifier *v, uint32_t id)
{
	const struct ir_node *n = &v->p->nodes.at[id];

	return n->c == v->p->functions.at[n->a].param_count ||
	       fail(v, id, "a call has another number of arguments than the function");
}

static bool check_constant_node(struct verifier *v, uint32_t id)
{
	const struct ir_node *n = &v->p->nodes.at[id];
	const struct ir_constant *k = &v->p->constants.at[n->a];

	if (k->kind == CONSTANT_NUMBER && n->type->kind != TYPE_NUMBER)
		return fail(v, id, "a number has a type that is none");
	if (k->kind == CONSTANT_ENUM &&
	    (n->type->kind != TYPE_ENUM || k->ordinal >= v->p->enums.at[n->type->index].count))
		return fail(v, id, "an enum value is outside its enum");
	return true;
}

static bool check_bool_operands(struct verifier *v, uint32_t id, bool two)
{
	const struct ir_node *n = &v->p->nodes.at[id];

	return (is_kind(v, n->a, TYPE_BOOL) && (!two || is_kind(v, n->b, TYPE_BOOL))) ||
	       fail(v, id, "a condition is no bool");
}

static bool check_by_op(struct verifier *v, uint32_t id)
{
	const struct ir_node *n = &v->p->nodes.at[id];

	if (n->op == IR_FIELD)
		return check_field(v, id);
	if (n->op == IR_LAYER)
		return check_layer_node(v, id);
	if (n->op == IR_CALL)
		return check_call(v, id);
	if (n->op == IR_CONST)
		return check_constant_node(v, id);
	if (n->op == IR_AND || n->op == IR_OR || n->op == IR_IMPLIES)
		return check_bool_operands(v, id, true);
	if (n->op == IR_NOT || n->op == IR_IF)
		return check_bool_operands(v, id, false);
	if (n->op == IR_COMPREHEND)
		return is_kind(v, n->a, TYPE_LIST) || is_kind(v, n->a, TYPE_TABLE) ||
		       is_kind(v, n->a, TYPE_MAP) || fail(v, id, "a comprehension goes through no list");
	if (n->op == IR_MATCH)
		return n->c % 2 == 0 || fail(v, id, "a match has a pattern without a value");
	return true;
}

static bool check_node(struct verifier *v, uint32_t id)
{
	const struct ir_node *n = &v->p->nodes.at[id];
	const char *letters;

	if (n->op >= IR_OP_COUNT || !n->type)
		return fail(v, id, "a node has no operation or no type");
	letters = ir_op_operands(n->op);
	for (uint32_t i = 0; letters[i] != '\0'; i++)
		if (!check_operand(v, id, letters[i], i))
			return false;
	return check_by_op(v, id);
}

/* ---- expressions in tables: slots and locals must exist where they are evaluated -------------- */

/* Walks an expression in the place where it is evaluated. Nodes are shared, so `seen` keeps what was
 * walked in this place. */
struct place {
	struct verifier *v;
	struct map seen;             /* node and number of locals */
	uint32_t schema;
};

static bool walk(struct place *at, ir_id id, uint32_t locals);

static bool walk_layer(struct place *at, uint32_t layer, uint32_t locals)
{
	const struct ir_program *p = at->v->p;
	const struct ir_layer *l = &p->layers.at[layer];
	struct place inner = { .v = at->v, .schema = l->schema };

	map_init(&inner.seen, p->arena);
	for (uint32_t i = 0; i < l->binding_count; i++) {
		const struct ir_binding *b = &l->bindings[i];

		if (b->slot >= p->schemas.at[l->schema].field_count)
			return fail(at->v, layer, "a layer sets a slot that its schema does not have");
		if (b->kind == BIND_AMEND ? b->what >= p->layers.n : b->what >= p->nodes.n)
			return fail(at->v, layer, "a layer sets a slot to nothing");
		for (uint32_t k = 0; k < b->local_count; k++)
			if (!walk(&inner, p->lists.at[b->locals + k], locals + k))
				return false;
		if (b->kind == BIND_AMEND ? !walk_layer(&inner, b->what, locals + b->local_count)
					  : !walk(&inner, b->what, locals))
			return false;
	}
	for (uint32_t i = 0; i < l->assert_count; i++)
		if (!walk(&inner, l->asserts[i].cond, locals))
			return false;
	return true;
}

static bool walk_operands(struct place *at, const struct ir_node *n, uint32_t locals)
{
	const char *letters = ir_op_operands(n->op);
	uint32_t operands[] = { n->a, n->b, n->c };

	for (uint32_t i = 0; letters[i] != '\0'; i++) {
		uint32_t inside = locals + (n->op == IR_COMPREHEND && i > 0 ? 1 : 0);

		if ((letters[i] == 'n' || letters[i] == 'o') && operands[i] != IR_NO_NODE &&
		    !walk(at, operands[i], inside))
			return false;
		for (uint32_t k = 0; letters[i] == 'l' && k < operands[i + 1]; k++)
			if (!walk(at, at->v->p->lists.at[operands[i] + k], locals))
				return false;
		if (letters[i] == 'y' && !walk_layer(at, operands[i], locals))
			return false;
	}
	return true;
}

static bool walk(struct place *at, ir_id id, uint32_t locals)
{
	const struct ir_program *p = at->v->p;
	const struct ir_node *n = &p->nodes.at[id];
	uint64_t key = (uint64_t)locals << 32 | id;

	if (map_find(&at->seen, key) != MAP_NONE)
		return true;
	map_set(&at->seen, key, 1);
	if (n->op == IR_SELF || n->op == IR_SLOT) {
		if (at->schema == IR_NONE)
			return fail(at->v, id, "a field is read where there is no record");
		if (n->op == IR_SLOT && n->a >= p->schemas.at[at->schema].field_count)
			return fail(at->v, id, "a field is read that the record does not have");
	}
	if (n->op == IR_LOCAL && n->a >= locals)
		return fail(at->v, id, "a local name is read where it is not bound");
	return walk_operands(at, n, locals);
}

static bool walk_root(struct verifier *v, ir_id id, uint32_t schema, uint32_t locals)
{
	struct place at = { .v = v, .schema = schema };

	if (id == IR_NO_NODE)
		return true;
	if (id >= v->p->nodes.n)
		return fail(v, id, "a table names a node that does not exist");
	map_init(&at.seen, v->p->arena);
	return walk(&at, id, locals);
}

static bool check_assert(struct verifier *v, const struct ir_assert *a, uint32_t schema)
{
	if (a->cond >= v->p->nodes.n || !is_kind(v, a->cond, TYPE_BOOL))
		return fail(v, a->cond, "an assert has no condition");
	return walk_root(v, a->when, schema, 0) && walk_root(v, a->cond, schema, 0) &&
	       walk_root(v, a->because, schema, 0);
}

static bool check_schema(struct verifier *v, uint32_t index)
{
	const struct ir_schema *s = &v->p->schemas.at[index];

	if (s->base != IR_NONE && s->base >= v->p->schemas.n)
		return fail(v, index, "a schema extends one that does not exist");
	for (uint32_t i = 0; i < s->field_count; i++) {
		if (!s->fields[i].type)
			return fail(v, index, "a field has no type");
		if (!walk_root(v, s->fields[i].value, index, 0))
			return false;
	}
	for (uint32_t i = 0; i < s->assert_count; i++)
		if (!check_assert(v, &s->asserts[i], index))
			return false;
	for (uint32_t i = 0; i < s->preset_count; i++)
		if (s->presets[i] >= v->p->globals.n)
			return fail(v, index, "a preset is no global");
	return true;
}

static bool check_global(struct verifier *v, uint32_t index)
{
	const struct ir_global *g = &v->p->globals.at[index];

	if (!g->type)
		return fail(v, index, "a global has no type");
	if (g->kind == GLOBAL_TABLE)
		return g->table == IR_NONE || g->table < v->p->tables.n ||
		       fail(v, index, "a global names a table that does not exist");
	return walk_root(v, g->value, IR_NONE, 0);
}

static bool check_emit(struct verifier *v, uint32_t index)
{
	const struct ir_emit *e = &v->p->emits.at[index];
	struct place at = { .v = v, .schema = e->schema };

	if (e->schema >= v->p->schemas.n)
		return fail(v, index, "an emit has no target");
	if (e->sweep != IR_NONE && e->sweep >= v->p->sweeps.n)
		return fail(v, index, "an emit names no sweep");
	if (e->sweep == IR_NONE && !walk_root(v, e->from, IR_NONE, 0))
		return false;
	if (!walk_root(v, e->to, IR_NONE, 0))
		return false;
	map_init(&at.seen, v->p->arena);
	return e->layer == IR_NONE || walk_layer(&at, e->layer, 0);
}

static bool check_step(struct verifier *v, const struct ir_step *s)
{
	if (s->kind == STEP_EXPECT)
		return check_assert(v, &s->expect, IR_NONE);
	if (s->kind == STEP_VALUE)
		return s->global < v->p->globals.n || fail(v, s->global, "a test names no global");
	for (uint32_t i = 0; i < s->failure.global_count; i++)
		if (s->failure.globals[i] >= v->p->globals.n)
			return fail(v, i, "a test names no global");
	for (uint32_t i = 0; i < s->failure.assert_count; i++)
		if (!check_assert(v, &s->failure.asserts[i], IR_NONE))
			return false;
	return true;
}

static bool check_tests(struct verifier *v)
{
	for (uint32_t i = 0; i < v->p->tests.n; i++)
		for (uint32_t k = 0; k < v->p->tests.at[i].step_count; k++)
			if (!check_step(v, &v->p->tests.at[i].steps[k]))
				return false;
	return true;
}

static bool check_slots(struct verifier *v, uint32_t index, uint32_t schema, const uint32_t *slots,
			uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct type *t;

		if (slots[i] >= v->p->schemas.at[schema].field_count)
			return fail(v, index, "a sweep names a slot that does not exist");
		t = v->p->schemas.at[schema].fields[slots[i]].type;
		while (t->kind == TYPE_OPTION || t->kind == TYPE_LIST)
			t = t->of;
		if (i + 1 < n && t->kind != TYPE_RECORD)
			return fail(v, index, "a path of a sweep goes through something that is no record");
		schema = t->index;
	}
	return true;
}

/* An axis may read axes before it only; its layers see one local, the value. */
static bool check_axis(struct verifier *v, uint32_t index, uint32_t k)
{
	const struct ir_sweep *s = &v->p->sweeps.at[index];
	const struct ir_axis *a = &s->axes[k];

	if (a->path_count == 0 || a->values == IR_NO_NODE || ir_level(a->reads) > k)
		return fail(v, index, "an axis sets nothing, or depends on a later one");
	for (uint32_t i = 0; i < a->path_count; i++) {
		struct place at = { .v = v, .schema = s->type->index };

		if (!check_slots(v, index, s->type->index, a->paths[i].slots, a->paths[i].slot_count))
			return false;
		if (a->paths[i].layer >= v->p->layers.n)
			return fail(v, index, "an axis has no layer");
		map_init(&at.seen, v->p->arena);
		if (!walk_layer(&at, a->paths[i].layer, 1))
			return false;
	}
	return walk_root(v, a->values, s->type->index, 0) && walk_root(v, a->when, s->type->index, 0);
}

static bool check_condition(struct verifier *v, uint32_t index, const struct ir_condition *k)
{
	const struct ir_sweep *s = &v->p->sweeps.at[index];

	if (k->place_count == 0 || ir_level(k->reads) > s->axis_count)
		return fail(v, index, "a condition of a sweep holds nowhere, or reads axes that do not exist");
	for (uint32_t i = 0; i < k->place_count; i++)
		if (!check_slots(v, index, s->type->index, k->places[i].slots, k->places[i].slot_count))
			return false;
	return !k->own || check_assert(v, &k->rule, s->type->index);
}

static bool check_sweep(struct verifier *v, uint32_t index)
{
	const struct ir_sweep *s = &v->p->sweeps.at[index];

	if (!s->type || (s->type->kind != TYPE_RECORD && s->type->kind != TYPE_POISON))
		return fail(v, index, "the candidates of a sweep are no records");
	if (s->type->kind == TYPE_POISON)
		return true;
	if (!walk_root(v, s->of, IR_NONE, 0) || !walk_root(v, s->limit, IR_NONE, 0))
		return false;
	for (uint32_t k = 0; k < s->axis_count; k++)
		if (!check_axis(v, index, k))
			return false;
	for (uint32_t i = 0; i < s->condition_count; i++)
		if (!check_condition(v, index, &s->conditions[i]))
			return false;
	for (uint32_t i = 0; i < s->goal_count; i++)
		if (!walk_root(v, s->goals[i].value, s->type->index, 0) ||
		    !walk_root(v, s->goals[i].slack, s->type->index, 0))
			return false;
	return true;
}

static bool check_program(struct verifier *v)
{
	const struct ir_program *p = v->p;

	for (uint32_t i = 0; i < p->nodes.n; i++)
		if (!check_node(v, i))
			return false;
	for (uint32_t i = 0; i < p->schemas.n; i++)
		if (!check_schema(v, i))
			return false;
	for (uint32_t i = 0; i < p->functions.n; i++)
		if (!walk_root(v, p->functions.at[i].body, IR_NONE, p->functions.at[i].param_count))
			return false;
	for (uint32_t i = 0; i < p->globals.n; i++)
		if (!check_global(v, i))
			return false;
	for (uint32_t i = 0; i < p->sweeps.n; i++)
		if (!check_sweep(v, i))
			return false;
	for (uint32_t i = 0; i < p->asserts.n; i++)
		if (!check_assert(v, &p->asserts.at[i], IR_NONE))
			return false;
	for (uint32_t i = 0; i < p->emits.n; i++)
		if (!check_emit(v, i))
			return false;
	return walk_root(v, p->question, IR_NONE, 0) && check_tests(v);
}

bool ir_verify(const struct ir_program *p, const char **what, uint32_t *where)
{
	struct verifier v = { .p = p };
	bool fine = check_program(&v);

	*what = v.what ? v.what : "";
	*where = v.where;
	return fine;
}
