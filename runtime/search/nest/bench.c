/* bench.c - the records of the nest: one for each level, made when something is asked of it.
 *
 * A record of level k is that of level k - 1 with the layer of an axis over it. Fields that an outer
 * level knows already are taken from there, with all that was computed for them: what an axis does not
 * change is computed once. Everything of a level lives in an arena of its own, which is emptied when
 * the axis moves.
 */
#include "runtime/search/search_int.h"

struct bench *bench_make(struct search *s)
{
	struct eval *ev = s->ev;
	const struct ir_schema *schema = &ev->program->schemas.at[s->base->schema];
	struct bench *b = ARENA_NEW(ev->lasting, struct bench);

	b->search = s;
	b->n = s->sweep->axis_count;
	b->levels = ARENA_ARRAY(ev->lasting, struct bench_level, b->n + 1);
	for (uint32_t k = 0; k <= b->n; k++)
		arena_init_under(&b->levels[k].arena, ev->lasting);
	arena_init_under(&b->messages, ev->lasting);
	b->levels[0].record = s->base;
	b->slot_levels = ARENA_ARRAY(ev->lasting, uint32_t, schema->field_count + 1);
	for (uint32_t i = 0; i < schema->field_count; i++) {
		bool known = i < s->sweep->slot_count && !schema->fields[i].native &&
			     !s->sweep->slots[i].model;

		b->slot_levels[i] = known ? ir_level(s->sweep->slots[i]) : UINT32_MAX;
	}
	return b;
}

void bench_release(struct bench *b)
{
	for (uint32_t k = 0; k <= b->n; k++) {
		arena_release(&b->levels[k].arena);
		b->levels[k].record = k == 0 ? b->search->base : NULL;
	}
	arena_release(&b->messages);
}

void bench_moved(struct bench *b, uint32_t k)
{
	for (uint32_t level = k + 1; level <= b->n; level++)
		b->levels[level].record = NULL;
}

static struct record *put_on(struct bench *b, uint32_t k, struct record *r)
{
	struct eval *ev = b->search->ev;
	const struct loop *a = &b->search->space->axes[k];

	for (uint32_t i = 0; i < a->ir->path_count; i++) {
		struct frame *f = ARENA_NEW(ev->arena, struct frame);

		*f = (struct frame){ space_value(a, a->values, a->position, i), NULL };
		r = record_extend(ev, r, a->ir->paths[i].layer, f);
	}
	return r;
}

/* Fields that the level outside knows for good. */
static void take_over(const struct bench *b, struct record *r, const struct record *outer, uint32_t level)
{
	uint32_t n = b->search->ev->program->schemas.at[r->schema].field_count;

	for (uint32_t i = 0; i < n; i++)
		if (b->slot_levels[i] < level && outer->states[i] == SLOT_DONE &&
		    outer->slots[i].kind != VALUE_POISON)
			record_set(r, i, outer->slots[i]);
}

/* Records inside the candidate that are complete here: inner levels share them. */
static void complete(struct bench *b, struct record *r, uint32_t level)
{
	const struct ir_schema *s = &b->search->ev->program->schemas.at[r->schema];

	for (uint32_t i = 0; i < s->field_count && level < b->n; i++)
		if (b->slot_levels[i] == level && r->states[i] == SLOT_EMPTY &&
		    (s->fields[i].type->kind == TYPE_RECORD || level == 0) &&
		    record_get(b->search->ev, r, i).kind == VALUE_POISON)
			r->states[i] = SLOT_EMPTY;      /* whoever needs it gets the message */
}

struct record *bench_record(struct bench *b, uint32_t level)
{
	struct eval *ev = b->search->ev;
	struct bench_level *l = &b->levels[level];
	struct bench_hush hush;
	struct arena *around = ev->arena;
	struct record *outer;

	if (l->record)
		return l->record;
	outer = bench_record(b, level - 1);
	arena_reset(&l->arena, (struct arena_mark){ 0 });
	if (b->search->space->axes[level - 1].off) {
		l->record = outer;
		return outer;
	}
	hush = bench_begin(b);
	ev->arena = &l->arena;
	l->record = put_on(b, level - 1, outer);
	take_over(b, l->record, outer, level);
	complete(b, l->record, level);
	ev->arena = around;
	bench_end(b, hush);
	return l->record;
}

struct bench_hush bench_begin(struct bench *b)
{
	struct eval *ev = b->search->ev;
	struct bench_hush hush = { ev->sink, ev->depth, ev->steps, ev->exhausted };

	arena_reset(&b->messages, (struct arena_mark){ 0 });
	diag_sink_init(&b->quiet, &b->messages, ev->program->sources);
	b->quiet.brief = true;
	ev->sink = &b->quiet;
	ev->depth = 0;
	return hush;
}

const struct diag *bench_end(struct bench *b, struct bench_hush hush)
{
	struct eval *ev = b->search->ev;

	ev->sink = hush.sink;
	ev->depth = hush.depth;
	ev->steps = hush.steps;
	ev->exhausted = hush.exhausted;
	return b->quiet.diags.n > 0 ? b->quiet.diags.at[0] : NULL;
}
