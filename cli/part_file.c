/* part_file.c - files with what a sweep had found: read, and compared with what is asked. */
#include "cli/command.h"
#include "cli/watch.h"
#include "include/plan.h"

static bool refuse(struct session *s, const char *path, const char *why, const char *help)
{
	struct diag *d = diag_new(&s->sink, E2415, SPAN_NONE);

	diag_message(d, "`%s`: %s", path, why);
	if (help)
		diag_help(d, "%s", help);
	diag_submit(d);
	return false;
}

uint64_t part_identity(const struct session *s, uint32_t sweep, bool exact)
{
	return search_identity(&s->ev, sweep, exact, STR(PLAN_VERSION));
}

bool part_load(struct session *s, const char *path, struct search_part *part)
{
	struct str text;
	enum file_status status = file_read(&s->arena, str_of(path), &text);

	if (status != FILE_OK) {
		diag_report(&s->sink, E0201, SPAN_NONE, "`%s`: %s", path, file_status_text(status));
		return false;
	}
	if (!search_part_begins(text))
		return refuse(s, path, "this is no part of a sweep that planc wrote", NULL);
	return search_part_read(text, part) ||
	       refuse(s, path, "this part of a sweep is damaged: it does not end as it was written", NULL);
}

static bool keeps_enough(const struct search_part *part, const struct search_options *o)
{
	return part->keep == 0 || (o->keep > 0 && o->keep <= part->keep && (!o->picture || part->picture));
}

bool part_fits(struct session *s, const char *path, const struct search_part *part, uint32_t sweep,
	       const struct search_options *options)
{
	bool exact = options->exact;
	struct str name = sym_str(s->names, s->program->sweeps.at[sweep].name);
	struct out o;

	out_init(&o, &s->arena);
	if (!str_equal(part->sweep, name)) {
		out_printf(&o, "this is a part of sweep `%.*s`, not of `%.*s`", (int)part->sweep.n, part->sweep.p,
			   (int)name.n, name.p);
		return refuse(s, path, arena_copy(&s->arena, o.p, o.n), NULL);
	}
	if (part->exact != exact)
		return refuse(s, path, exact ? "this part was searched without `--exact`"
					     : "this part was searched with `--exact`", NULL);
	if (part->identity != part_identity(s, sweep, exact))
		return refuse(s, path, "this part belongs to another plan",
			      "the plan, its imports, parameters (`-p`), limits and the version of planc have to be the "
			      "same");
	if (!keeps_enough(part, options)) {
		out_printf(&o, "this part keeps only the %u best candidates, and the report %s", part->keep,
			   options->keep == 0 ? "lists all" : "shows more");
		return refuse(s, path, arena_copy(&s->arena, o.p, o.n),
			      "search with the `--format` that the report will have");
	}
	return true;
}
