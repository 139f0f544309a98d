/* render.c - chooses what is printed and in which order, then calls a renderer. */
#include "compiler/diag/render_int.h"

enum { ERRORS_MAX_DEFAULT = 20 };

struct entry {
	const struct diag *diag;
	struct span span;
};

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

/* By file, place, severity (errors first), code, order of submission. */
static int compare_entries(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int order = compare_numbers(a->span.file, b->span.file);

	if (order == 0)
		order = compare_numbers(a->span.lo, b->span.lo);
	if (order == 0)
		order = compare_numbers(a->span.hi, b->span.hi);
	if (order == 0)
		order = (int)a->diag->severity - (int)b->diag->severity;
	if (order == 0)
		order = (int)a->diag->code - (int)b->diag->code;
	return order != 0 ? order : compare_numbers(a->diag->order, b->diag->order);
}

static bool same_place(struct span a, struct span b)
{
	return a.file == b.file && a.lo == b.lo && a.hi == b.hi;
}

/* Is b only a repetition of what a said? */
static bool repeats(const struct entry *a, const struct entry *b)
{
	if (!same_place(a->span, b->span))
		return false;
	return a->span.file != UINT32_MAX || str_equal(a->diag->message, b->diag->message);
}

static struct picks pick(const struct diag_sink *sink, uint32_t most)
{
	struct picks picks = { 0 };
	struct entry *entries = ARENA_ARRAY(sink->arena, struct entry, sink->diags.n);
	uint32_t n = sink->diags.n, shown[2] = { 0, 0 }, more = 0;

	for (uint32_t i = 0; i < n; i++)
		entries[i] = (struct entry){ sink->diags.at[i],
					     source_origin(sink->sources, sink->diags.at[i]->span) };
	if (n > 0)
		qsort(entries, n, sizeof *entries, compare_entries);
	for (uint32_t i = 0; i < n; i++) {
		const struct entry *e = &entries[i];
		if (i > 0 && repeats(&entries[i - 1], e))
			continue;
		if (i > 0 && entries[i - 1].span.file != e->span.file) {
			if (more > 0)
				*VEC_ADD(sink->arena, &picks.items) = (struct picked){
					.more = more, .span = entries[i - 1].span };
			shown[0] = shown[1] = more = 0;
		}
		if (++shown[e->diag->severity] > most)
			more++;
		else
			*VEC_ADD(sink->arena, &picks.items) = (struct picked){
				.diag = e->diag, .span = e->span };
	}
	if (more > 0)
		*VEC_ADD(sink->arena, &picks.items) = (struct picked){
			.more = more, .span = entries[n - 1].span };
	return picks;
}

uint32_t diag_list(const struct diag_sink *sink, const struct diag *const **list)
{
	struct picks picks = pick(sink, UINT32_MAX);
	const struct diag **at = ARENA_ARRAY(sink->arena, const struct diag *, picks.items.n);

	for (uint32_t i = 0; i < picks.items.n; i++)
		at[i] = picks.items.at[i].diag;
	*list = at;
	return picks.items.n;
}

void diag_render(const struct diag_sink *sink, struct diag_style style, struct out *o)
{
	uint32_t most = style.errors_max != 0 ? style.errors_max : ERRORS_MAX_DEFAULT;
	/* A program reads all of it. */
	struct picks picks = pick(sink, style.format == DIAG_JSON || style.format == DIAG_SARIF ? UINT32_MAX
									     : most);

	switch (style.format) {
	case DIAG_HUMAN:
		render_human(sink, &picks, style.colour, o);
		break;
	case DIAG_JSON:
		render_json(sink, &picks, o);
		break;
	case DIAG_GITHUB:
		render_github(sink, &picks, o);
		break;
	case DIAG_SARIF:
		render_sarif(sink, &picks, o);
		break;
	}
}
