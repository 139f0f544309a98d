/* formula.c - conditions and goals that compare results of the cost model, without a record to look at.
 *
 * An expression falls into parts that need no cost model, each computed once for every combination of
 * axes that it reads, and into operations over these and over numbers of the job. What cannot be put
 * this way is left to the evaluator, as is everything that goes wrong: it has the messages. */
#include <math.h>

#include "runtime/search/search_int.h"

enum { STEPS_MAX = 64, STACK_MAX = 16, DEPTH_MAX = 200 };

struct builder {
	struct formulas *f;
	struct formula_step at[STEPS_MAX];
	uint32_t n, depth;
};

void formulas_init(struct formulas *f, struct search *s, struct ir_candidate *c, struct arena *a)
{
	*f = (struct formulas){ .search = s, .candidate = c, .arena = a };
}

static bool add(struct builder *b, struct formula_step step)
{
	if (b->n == STEPS_MAX)
		return false;
	b->at[b->n++] = step;
	return true;
}

static bool add_cell(struct builder *b, ir_id node, struct ir_reads reads)
{
	struct formulas *f = b->f;
	struct cell *c = VEC_ADD(f->arena, &f->cells);

	c->node = node;
	lookup_init(&c->lookup, f->search->space, reads, sizeof(struct value), f->arena);
	return add(b, (struct formula_step){ .kind = FORMULA_CELL, .cell = f->cells.n - 1 });
}

/* ---- results of the cost model ----------------------------------------------------------------- */

static const struct ir_program *program_of(const struct builder *b)
{
	return b->f->search->ev->program;
}

static const struct ir_field *field_of(const struct builder *b, uint32_t schema, uint32_t slot)
{
	return &program_of(b)->schemas.at[schema].fields[slot];
}

static const char *name_of(const struct builder *b, const struct ir_field *f)
{
	return sym_str(program_of(b)->names, f->name).p;
}

static bool add_number(struct builder *b, const char *record, const char *field)
{
	struct formula_step step = { .kind = FORMULA_NUMBER };

	return job_number_find(record, field, &step.number) && add(b, step);
}

/* Whether some layer over the schema, or an axis, gives the field a value. */
static bool is_bound(const struct builder *b, uint32_t slot)
{
	const struct ir_sweep *s = b->f->search->sweep;

	for (const struct link_layer *l = b->f->search->base->layers; l; l = l->older) {
		const struct ir_layer *layer = &program_of(b)->layers.at[l->layer];

		for (uint32_t i = 0; i < layer->binding_count; i++)
			if (layer->bindings[i].slot == slot)
				return true;
	}
	for (uint32_t k = 0; k < s->axis_count; k++)
		for (uint32_t i = 0; i < s->axes[k].path_count; i++)
			if (s->axes[k].paths[i].slots[0] == slot)
				return true;
	return false;
}

static bool build(struct builder *b, ir_id node);

/* A field of the candidate: a number of the job, or what the schema says of it. */
static bool build_slot(struct builder *b, uint32_t slot)
{
	const struct ir_field *f = field_of(b, b->f->search->base->schema, slot);

	if (f->native)
		return add_number(b, "", name_of(b, f));
	return f->value != IR_NO_NODE && !is_bound(b, slot) && build(b, f->value);
}

/* `memory.reserved`: a field of a native record of the candidate. */
static bool build_field(struct builder *b, const struct ir_node *n)
{
	const struct ir_node *of = &program_of(b)->nodes.at[n->a];
	const struct ir_field *outer;

	if (of->op == IR_SELF)
		return build_slot(b, n->b);
	if (of->op != IR_SLOT || of->type->kind != TYPE_RECORD)
		return false;
	outer = field_of(b, b->f->search->base->schema, of->a);
	return outer->native &&
	       add_number(b, name_of(b, outer), name_of(b, field_of(b, of->type->index, n->b)));
}

/* ---- operations ---------------------------------------------------------------------------------- */

static bool build_operation(struct builder *b, const struct ir_node *n, uint32_t operands)
{
	const ir_id at[] = { n->a, n->b, n->c };

	for (uint32_t i = 0; i < operands; i++)
		if (!build(b, at[i]))
			return false;
	return add(b, (struct formula_step){ .kind = FORMULA_OPERATION, .op = n->op, .type = n->type });
}

static bool build_node(struct builder *b, ir_id id)
{
	const struct ir_node *n = &program_of(b)->nodes.at[id];
	struct ir_reads reads = ir_candidate_node(b->f->candidate, id);

	if (!reads.model)
		return add_cell(b, id, reads);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
	switch (n->op) {
	case IR_SLOT:
		return build_slot(b, n->a);
	case IR_FIELD:
		return build_field(b, n);
	case IR_IF:
		return build_operation(b, n, 3);
	case IR_AND:
	case IR_OR:
	case IR_IMPLIES:
	case IR_LT:
	case IR_LE:
	case IR_GT:
	case IR_GE:
	case IR_ADD:
	case IR_SUB:
	case IR_MUL:
	case IR_DIV:
	case IR_INT_DIV:
	case IR_MOD:
	case IR_POW:
		return build_operation(b, n, 2);
	case IR_NOT:
	case IR_NEG:
		return build_operation(b, n, 1);
	default:
		return false;
	}
#pragma GCC diagnostic pop
}

static bool build(struct builder *b, ir_id node)
{
	bool built;

	if (b->depth == DEPTH_MAX)
		return false;
	b->depth++;
	built = build_node(b, node);
	b->depth--;
	return built;
}

struct formula formula_make(struct formulas *f, ir_id node)
{
	struct builder b = { .f = f };
	struct formula formula = { 0 };

	if (!build(&b, node))
		return formula;
	formula.steps = ARENA_ARRAY(f->arena, struct formula_step, b.n);
	memcpy(formula.steps, b.at, b.n * sizeof *b.at);
	formula.n = b.n;
	return formula;
}

/* ---- values ---------------------------------------------------------------------------------------- */

enum { CELL_FINE = 1, CELL_OTHER };

/* A value that can be kept without what it points to. */
static bool is_plain(struct value v)
{
	return v.kind == VALUE_BOOL || v.kind == VALUE_REAL ||
	       (v.kind == VALUE_NUMBER && v.number.big == NULL);
}

static unsigned char fill(struct formulas *f, const struct cell *c, struct value *at)
{
	struct search *s = f->search;
	struct record *r = bench_record(s->bench, c->lookup.level);
	struct bench_hush hush = bench_begin(s->bench);
	struct arena *around = s->ev->arena;

	s->ev->arena = r->home;
	*at = eval_node(s->ev, c->node, (struct scope){ .self = r });
	s->ev->arena = around;
	bench_end(s->bench, hush);
	return is_plain(*at) ? CELL_FINE : CELL_OTHER;
}

static bool read_cell(struct formulas *f, uint32_t cell, struct value *v)
{
	struct cell *c = &f->cells.at[cell];
	struct lookup_entry e = lookup_at(&c->lookup, f->search->space);

	if (*e.known == 0)
		*e.known = fill(f, c, e.bytes);
	*v = *(struct value *)e.bytes;
	return *e.known == CELL_FINE;
}

static bool is_number(struct value v)
{
	return v.kind == VALUE_NUMBER || v.kind == VALUE_REAL;
}

static bool compare(enum ir_op op, struct value *a, struct value b)
{
	int order;

	if (!is_number(*a) || !is_number(b))
		return false;
	order = value_compare_numbers(*a, b);
	*a = value_bool(op == IR_LT   ? order < 0
			: op == IR_LE ? order <= 0
			: op == IR_GT ? order > 0
				      : order >= 0);
	return true;
}

static bool decide(enum ir_op op, struct value *a, struct value b)
{
	if (a->kind != VALUE_BOOL || b.kind != VALUE_BOOL)
		return false;
	*a = value_bool(op == IR_AND  ? a->truth && b.truth
			: op == IR_OR ? a->truth || b.truth
				      : !a->truth || b.truth);
	return true;
}

static bool negate(struct arena *scratch, struct value *a)
{
	if (a->kind == VALUE_REAL)
		a->real = -a->real;
	else if (a->kind == VALUE_NUMBER)
		a->number = num_neg(scratch, a->number);
	else
		return false;
	return true;
}

/* The operation on the values at `at`; the result takes the place of the first. */
static bool apply(enum ir_op op, struct value *at, struct arena *scratch)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
	switch (op) {
	case IR_IF:
		if (at[0].kind != VALUE_BOOL)
			return false;
		at[0] = at[0].truth ? at[1] : at[2];
		return true;
	case IR_NOT:
		at[0].truth = !at[0].truth;
		return at[0].kind == VALUE_BOOL;
	case IR_NEG:
		return negate(scratch, at);
	case IR_AND:
	case IR_OR:
	case IR_IMPLIES:
		return decide(op, &at[0], at[1]);
	case IR_LT:
	case IR_LE:
	case IR_GT:
	case IR_GE:
		return compare(op, &at[0], at[1]);
	default:
		return is_number(at[0]) && is_number(at[1]) &&
		       value_arith(scratch, op, at[0], at[1], &at[0]) == ARITH_OK;
	}
#pragma GCC diagnostic pop
}

static uint32_t operands_of(enum ir_op op)
{
	return op == IR_IF ? 3 : op == IR_NOT || op == IR_NEG ? 1 : 2;
}

bool formula_value(struct formulas *f, const struct formula *formula, const struct job *j,
		   struct arena *scratch, struct value *result)
{
	struct value stack[STACK_MAX];
	uint32_t n = 0;

	for (uint32_t i = 0; i < formula->n; i++) {
		const struct formula_step *s = &formula->steps[i];

		if (s->kind == FORMULA_OPERATION) {
			n -= operands_of(s->op) - 1;
			if (!apply(s->op, &stack[n - 1], scratch))
				return false;
			continue;
		}
		if (n == STACK_MAX)
			return false;
		if (s->kind == FORMULA_NUMBER)
			stack[n++] = job_number_read(j, s->number);
		else if (!read_cell(f, s->cell, &stack[n++]))
			return false;
	}
	*result = stack[0];
	return true;
}
