/* why.c - why candidates at a point are not feasible: the closest one, what it breaks, which single change
 * would help. */
#include "runtime/search/search_int.h"

enum { EVALUATIONS_MAX = 20000, CHANGES_MAX = 3 };

struct asking {
	struct search *s;
	struct search_why *why;
	struct value *points;        /* values that the program's points ask for */
	uint32_t least;              /* cheap rows that a matching candidate breaks */
	bool near;                   /* second time round: evaluate */
	uint32_t left;
	struct nearness nearest;
	uint64_t *set, *kept;
	struct value *goals;
	VEC(uint32_t) feasible;
};

/* ---- matching -------------------------------------------------------------------------------- */

static struct value value_here(struct search *s, uint32_t axis, uint32_t path)
{
	const struct loop *a = &s->space->axes[axis];
	const struct ir_path *p = &a->ir->paths[path];
	struct value v = { .kind = VALUE_RECORD };

	if (!a->off)
		return space_value(a, a->values, a->position, path);
	v.record = bench_record(s->bench, s->bench->n);
	for (uint32_t i = 0; i < p->slot_count && v.kind == VALUE_RECORD; i++)
		v = record_get(s->ev, v.record, p->slots[i]);
	return v;
}

static bool matches(struct asking *q)
{
	struct search *s = q->s;

	for (uint32_t i = 0; i < s->ev->program->points.n; i++) {
		const struct ir_point *p = &s->ev->program->points.at[i];

		if (p->sweep == s->index &&
		    !eval_equal(s->ev, value_here(s, p->axis, p->path), q->points[i],
				s->sweep->axes[p->axis].paths[p->path].type))
			return false;
	}
	return true;
}

static bool read_points(struct asking *q)
{
	const struct ir_program *p = q->s->ev->program;

	q->points = ARENA_ARRAY(q->s->ev->lasting, struct value, p->points.n + 1);
	for (uint32_t i = 0; i < p->points.n; i++) {
		if (p->points.at[i].sweep != q->s->index)
			continue;
		q->points[i] = eval_node(q->s->ev, p->points.at[i].value, (struct scope){ .self = q->s->base });
		if (q->points[i].kind == VALUE_POISON)
			return false;
	}
	return true;
}

/* ---- the two walks --------------------------------------------------------------------------- */

static bool is_feasible(const struct search *s, uint64_t number, uint32_t *index)
{
	uint64_t lo = 0, hi = s->kept;

	while (lo < hi) {
		uint64_t middle = lo + (hi - lo) / 2;

		if (s->feasible[middle].number < number)
			lo = middle + 1;
		else
			hi = middle;
	}
	*index = (uint32_t)lo;
	return lo < s->kept && s->feasible[lo].number == number;
}

static bool count_one(struct search *s, uint64_t number, const uint64_t *cheap, void *context)
{
	struct asking *q = context;
	uint32_t words = s->verdicts->words, size, index;

	if (!matches(q))
		return true;
	q->why->matching++;
	if (is_feasible(s, number, &index)) {
		q->why->feasible++;
		*VEC_ADD(s->ev->lasting, &q->feasible) = index;
	}
	size = set_size(cheap, words);
	if (size < q->least)
		q->least = size;
	return true;
}

static bool weigh_one(struct search *s, uint64_t number, const uint64_t *cheap, void *context)
{
	struct asking *q = context;
	uint32_t words = s->verdicts->words;
	struct nearness near;

	if (set_size(cheap, words) != q->least || !matches(q))
		return true;
	if (q->left-- == 0)
		return false;
	memcpy(q->set, cheap, words * sizeof *cheap);
	verdicts_model(s->verdicts, q->set, q->goals, false);
	near = near_here(s, number, q->set);
	if (near_is_less(near, q->nearest)) {
		q->nearest = near;
		memcpy(q->kept, q->set, words * sizeof *q->set);
	}
	return true;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* The number of the candidate at these positions; 0 when an axis has no such place. */
static uint64_t number_at(struct space *sp, const uint32_t *positions)
{
	uint64_t number = 1;

	for (uint32_t k = 0; k < sp->n; k++) {
		uint32_t wanted;

		if (!space_open(sp, k))
			return 0;
		wanted = sp->axes[k].off ? 0 : positions[k];
		if (wanted >= space_width(&sp->axes[k]))
			return 0;
		for (uint32_t i = 0; i < wanted; i++) {
			space_set(sp, k, i);
			number += space_count(sp, k + 1);
		}
		space_set(sp, k, wanted);
	}
	return number;
}

static uint32_t first_path(const struct search *s, uint32_t axis)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < axis; k++)
		n += s->sweep->axes[k].path_count;
	return n;
}

/* The nearest other value of an axis that leads to a feasible candidate. */
static bool change_axis(struct search *s, uint32_t *positions, uint32_t axis, struct search_change *c,
			uint32_t *distance)
{
	struct space *sp = s->space;
	uint32_t from = positions[axis], width, index;
	uint64_t number;

	number_at(sp, positions);
	width = space_width(&sp->axes[axis]);
	for (uint32_t d = 1; d < width; d++) {
		for (int side = 0; side < 2; side++) {
			bool up = side == 0;

			if (up ? from + d >= width : from < d)
				continue;
			positions[axis] = up ? from + d : from - d;
			number = number_at(sp, positions);
			positions[axis] = from;
			if (number == 0 || !is_feasible(s, number, &index))
				continue;
			*c = (struct search_change){ first_path(s, axis), number };
			*distance = d;
			return true;
		}
	}
	return false;
}

static void find_changes(struct asking *q)
{
	struct search *s = q->s;
	struct search_change *at = ARENA_ARRAY(s->ev->lasting, struct search_change, s->space->n + 1);
	uint32_t *distances = ARENA_ARRAY(s->ev->lasting, uint32_t, s->space->n + 1);
	uint32_t *positions = ARENA_ARRAY(s->ev->lasting, uint32_t, s->space->n + 1), n = 0;

	space_goto(s->space, q->nearest.number);
	for (uint32_t k = 0; k < s->space->n; k++)
		positions[k] = s->space->axes[k].position;
	for (uint32_t axis = 0; axis < s->space->n; axis++) {
		struct search_change c;
		uint32_t distance, k = n;

		if (!change_axis(s, positions, axis, &c, &distance))
			continue;
		for (; k > 0 && distance < distances[k - 1]; k--) {
			at[k] = at[k - 1];
			distances[k] = distances[k - 1];
		}
		at[k] = c;
		distances[k] = distance;
		n++;
	}
	q->why->changes = at;
	q->why->change_count = n < CHANGES_MAX ? n : CHANGES_MAX;
}

static void list_broken(struct asking *q)
{
	struct search *s = q->s;
	uint32_t *rows = ARENA_ARRAY(s->ev->lasting, uint32_t, s->row_count + 1), n = 0;

	make_order(s);
	for (uint32_t i = 0; i < s->row_count; i++)
		if (rowset_has(q->kept, s->order[i]))
			rows[n++] = s->order[i];
	q->why->broken = rows;
	q->why->broken_count = n;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static bool report_no_match(struct asking *q)
{
	struct search *s = q->s;
	const struct ir_program *p = s->ev->program;
	struct diag *d = NULL;

	for (uint32_t i = 0; i < p->points.n; i++) {
		const struct ir_point *point = &p->points.at[i];
		const struct loop *a = &s->space->axes[point->axis];
		struct out o;

		if (point->sweep != s->index)
			continue;
		if (!d)
			d = diag_new(s->ev->sink, E2408, point->span);
		out_init(&o, s->ev->lasting);
		for (uint32_t k = 0; a->values && k < a->values->n && k < 20; k++) {
			out_text(&o, k > 0 ? ", " : "");
			value_print(&o, p, space_value(a, a->values, k, point->path),
				    a->ir->paths[point->path].type);
		}
		diag_note(d, "values of `%.*s`: %.*s", (int)a->ir->paths[point->path].text.n,
			  a->ir->paths[point->path].text.p, (int)o.n, o.p);
	}
	if (d) {
		diag_message(d, "no candidate of `%s` lies on this point",
			     sym_str(p->names, s->sweep->name).p);
		diag_submit(d);
	}
	return false;
}

static uint64_t best_feasible(struct asking *q)
{
	struct search *s = q->s;
	uint32_t n = s->kept, *order = ARENA_ARRAY(s->ev->lasting, uint32_t, n + 1);

	if (q->feasible.n == 0)
		return 0;
	n = s->sweep->goal_count > 0 && !s->sweep->pareto ? search_top(s, n, order) : 0;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < q->feasible.n; k++)
			if (q->feasible.at[k] == order[i])
				return s->feasible[order[i]].number;
	return s->feasible[q->feasible.at[0]].number;
}

bool search_why_not(struct search *s, struct search_why *why)
{
	struct asking q = { .s = s, .why = why, .least = UINT32_MAX, .left = EVALUATIONS_MAX };

	*why = (struct search_why){ 0 };
	if (!read_points(&q))
		return false;
	q.set = ARENA_ARRAY(s->ev->lasting, uint64_t, s->verdicts->words);
	q.kept = ARENA_ARRAY(s->ev->lasting, uint64_t, s->verdicts->words);
	q.goals = ARENA_ARRAY(s->ev->lasting, struct value, s->sweep->goal_count + 1);
	search_walk(s, &(struct walker){ .candidate = count_one, .context = &q });
	if (why->matching == 0)
		return report_no_match(&q);
	why->first = best_feasible(&q);
	if (why->feasible == 0) {
		search_walk(s, &(struct walker){ .candidate = weigh_one, .context = &q });
		why->nearest = q.nearest.number;
		list_broken(&q);
		find_changes(&q);
	}
	search_rest(s);
	return true;
}
