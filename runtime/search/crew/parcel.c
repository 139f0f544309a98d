/* parcel.c - what was found in some units, in memory of its own. */
#include "runtime/search/crew/ledger.h"

/* Candidates that are not worth looking through: the ledger does that again. */
enum { PARCEL_KEEPS = 1024 };

static void begin(struct parcel *p, const struct search *s)
{
	memset(&p->units, 0, sizeof p->units);
	memset(&p->row_ends, 0, sizeof p->row_ends);
	out_init(&p->rows, &p->arena);
	p->told = 0;
	tally_init(&p->tally, &p->arena, s->verdicts->words);
	p->messages = NULL;
	p->message_count = 0;
	p->tested = p->evaluated = p->structural = 0;
}

void parcel_init(struct parcel *p, const struct search *s, struct arena *above)
{
	*p = (struct parcel){ 0 };
	arena_init_under(&p->arena, above);
	keep_init(&p->keep, s, above);
	begin(p, s);
}

void parcel_clear(struct parcel *p, const struct search *s)
{
	arena_reset(&p->arena, (struct arena_mark){ 0 });
	keep_clear(&p->keep);
	begin(p, s);
}

void parcel_add_unit(struct parcel *p, uint64_t unit)
{
	size_t before = p->row_ends.n > 0 ? p->row_ends.at[p->row_ends.n - 1].end : 0;

	units_add(&p->units, &p->arena, (struct unit_range){ unit, unit + 1 });
	if (p->rows.n > before)
		*VEC_ADD(&p->arena, &p->row_ends) = (struct unit_rows){ unit, p->rows.n };
}

void parcel_close(struct parcel *p, const struct search *s)
{
	uint32_t from = s->sweep->condition_count;

	if (p->keep.at.n > PARCEL_KEEPS)
		keep_settle(&p->keep);
	p->message_count = s->row_count - from;
	p->messages = ARENA_ARRAY(&p->arena, enum diag_code, p->message_count + 1);
	for (uint32_t i = 0; i < p->message_count; i++)
		p->messages[i] = s->rows[from + i].code;
}
