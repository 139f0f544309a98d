/* near.c - by how much a candidate misses its conditions, to find the one that is closest to feasible. */
#include "runtime/search/search_int.h"

/* Counts for a condition that does not compare numbers: further than any number misses. */
static const double unknown_gap = 1e6;

static bool is_comparison(enum ir_op op)
{
	return op == IR_LT || op == IR_LE || op == IR_GT || op == IR_GE;
}

/* The part of a conjunction that fails. */
static ir_id failing_part(struct search *s, ir_id node, struct scope scope)
{
	const struct ir_node *n = &s->ev->program->nodes.at[node];
	struct value v;

	if (n->op != IR_AND)
		return node;
	v = eval_node(s->ev, n->a, scope);
	return failing_part(s, v.kind == VALUE_BOOL && v.truth ? n->b : n->a, scope);
}

static bool is_number(struct value v)
{
	return v.kind == VALUE_NUMBER || v.kind == VALUE_REAL;
}

bool near_miss(struct search *s, const struct ir_condition *k, struct record *r, struct miss *miss)
{
	struct bench_hush hush = bench_begin(s->bench);
	struct arena *around = s->ev->arena;
	const struct ir_node *n;
	struct scope scope;
	bool found = false;

	s->ev->arena = r->home;
	if (condition_scope(s, k, r, &scope)) {
		n = &s->ev->program->nodes.at[failing_part(s, k->rule.cond, scope)];
		if (is_comparison(n->op)) {
			miss->op = n->op;
			miss->left = eval_node(s->ev, n->a, scope);
			miss->right = eval_node(s->ev, n->b, scope);
			miss->type = s->ev->program->nodes.at[n->a].type;
			found = is_number(miss->left) && is_number(miss->right);
		}
	}
	s->ev->arena = around;
	bench_end(s->bench, hush);
	return found;
}

double miss_gap(const struct miss *m)
{
	double l = value_to_double(m->left), r = value_to_double(m->right), size = r < 0 ? -r : r;

	if (size == 0)
		size = l < 0 ? -l : l;
	return size == 0 ? 0 : (l < r ? r - l : l - r) / size;
}

struct nearness near_here(struct search *s, uint64_t number, const uint64_t *set)
{
	struct record *r = bench_record(s->bench, s->bench->n);
	struct nearness n = { .number = number };

	for (uint32_t i = 0; i < s->row_count; i++) {
		struct miss m;

		if (!rowset_has(set, i))
			continue;
		n.broken++;
		if (s->rows[i].condition && near_miss(s, s->rows[i].condition, r, &m))
			n.gap += miss_gap(&m);
		else
			n.gap += s->rows[i].condition ? unknown_gap : unknown_gap * unknown_gap;
	}
	return n;
}

bool near_is_less(struct nearness a, struct nearness b)
{
	if (b.number == 0 || a.number == 0)
		return a.number != 0;
	if (a.broken != b.broken)
		return a.broken < b.broken;
	if (a.gap != b.gap)
		return a.gap < b.gap;
	return a.number < b.number;
}

/* ---- words ----------------------------------------------------------------------------------- */

static void print_difference(struct search *s, struct out *o, const struct miss *m, double gap)
{
	const struct type *t = m->type;
	bool over = m->op == IR_LT || m->op == IR_LE;
	double l = value_to_double(m->left), r = value_to_double(m->right);
	struct num difference;

	if (l == r) {
		out_text(o, ", but they are equal");
		return;
	}
	out_text(o, over ? ", over by " : ", short by ");
	if (m->left.kind == VALUE_NUMBER && m->right.kind == VALUE_NUMBER &&
	    num_sub(s->ev->lasting, over ? m->left.number : m->right.number,
		    over ? m->right.number : m->left.number, &difference) == NUM_OK)
		value_print(o, s->ev->program, value_number(difference), t);
	else
		value_print(o, s->ev->program, value_real(over ? l - r : r - l), t);
	if (gap > 0 && gap < 100) {
		out_text(o, " (");
		out_fixed(o, gap * 100, gap < 0.1 ? 1 : 0);
		out_text(o, "%)");
	}
}

static const char *sign_of(enum ir_op op)
{
	return op == IR_LT ? "<" : op == IR_LE ? "<=" : op == IR_GT ? ">" : ">=";
}

struct str search_miss(struct search *s, uint64_t number, const struct search_row *row, double *gap)
{
	struct miss m;
	struct out o;

	*gap = 0;
	out_init(&o, s->ev->lasting);
	space_goto(s->space, number);
	if (row->condition && near_miss(s, row->condition, bench_record(s->bench, s->bench->n), &m)) {
		*gap = miss_gap(&m);
		value_print(&o, s->ev->program, m.left, m.type);
		out_printf(&o, " %s ", sign_of(m.op));
		value_print(&o, s->ev->program, m.right, m.type);
		print_difference(s, &o, &m, *gap);
	}
	bench_release(s->bench);
	return str_copy(s->ev->lasting, out_view(&o));
}
