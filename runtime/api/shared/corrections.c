/* corrections.c - see corrections.h. */
#include "runtime/api/shared/corrections.h"

#include <stdlib.h>

struct edits {
	VEC(struct diag_edit) at;
};

/* A decimal unit is legal, and only its author knows which one was meant. */
static bool is_sure(const struct diag *d)
{
	return d->fixes.n == 1 && d->code != W0310;
}

static int by_place(const void *a, const void *b)
{
	const struct diag_edit *x = a, *y = b;

	return (x->span.lo > y->span.lo) - (x->span.lo < y->span.lo);
}

/* Edits of one fix are made together or not at all, so only fixes of one edit are sorted among others. */
static void collect(const struct diag_sink *sink, uint32_t file, struct arena *a, struct edits *edits)
{
	for (uint32_t i = 0; i < sink->diags.n; i++) {
		const struct diag *d = sink->diags.at[i];

		if (!is_sure(d) || d->fixes.at[0].edits.n != 1 ||
		    d->fixes.at[0].edits.at[0].span.file != file)
			continue;
		*VEC_ADD(a, &edits->at) = d->fixes.at[0].edits.at[0];
	}
	if (edits->at.n > 0)
		qsort(edits->at.at, edits->at.n, sizeof *edits->at.at, by_place);
}

static bool find_file(const struct sources *sources, struct str path, uint32_t *file)
{
	for (*file = 0; *file < sources->files.n; (*file)++)
		if (!sources->files.at[*file]->library && str_equal(sources->files.at[*file]->path, path))
			return true;
	return false;
}

uint32_t corrections_make(const struct diag_sink *sink, struct str path, struct arena *a, struct str *text,
			  void (*made)(const struct diag_edit *edit, void *context), void *context)
{
	struct edits edits = { 0 };
	uint32_t file, end = 0, n = 0;
	struct str old;
	struct out o;

	if (!find_file(sink->sources, path, &file))
		return 0;
	old = source_get(sink->sources, file)->text;
	collect(sink, file, a, &edits);
	out_init(&o, a);
	for (uint32_t i = 0; i < edits.at.n; i++) {
		const struct diag_edit *e = &edits.at.at[i];

		if (e->span.lo < end || e->span.hi > old.n || (n > 0 && e->span.lo == end))
			continue;
		out_bytes(&o, old.p + end, e->span.lo - end);
		out_str(&o, e->text);
		end = e->span.hi;
		n++;
		if (made)
			made(e, context);
	}
	out_bytes(&o, old.p + end, old.n - end);
	if (n > 0)
		*text = out_view(&o);
	return n;
}
