/* compilation.c - see compilation.h. */
#include "runtime/api/shared/compilation.h"

#include <unistd.h>

#include "compiler/base/path.h"
#include "runtime/emit/emit.h"
#include "runtime/import/importer.h"
#include "runtime/search/search.h"

/* A wrong folder would otherwise be a message for every name of the library. */
static bool library_is_there(const struct compile_input *in)
{
	struct str prelude = path_join(in->arena, in->library_folder, STR("prelude.plan"));

	if (access(prelude.p, R_OK) == 0)
		return true;
	diag_report(in->sink, E0201, SPAN_NONE, "`%.*s` is no standard library: it has no prelude.plan",
		    (int)in->library_folder.n, in->library_folder.p);
	return false;
}

void compilation_evaluator(struct compile_input *in, const struct ir_program *p, struct eval *ev)
{
	eval_init(ev, in->arena, p, in->sink);
	job_install(ev);
	search_install(ev, NULL);
	emit_install(ev);
}

struct ir_program *compilation_make(struct compile_input *in, struct eval *ev)
{
	struct ir_program *p;

	in->library = stdlib_files;
	in->foreign = foreign_readers;
	if (in->library_folder.n > 0 && !library_is_there(in))
		return NULL;
	p = plan_compile(in);
	if (!p || in->sink->errors > 0)
		return NULL;
	compilation_evaluator(in, p, ev);
	return p;
}

bool compilation_lacks_file(const struct diag_sink *sink)
{
	for (uint32_t i = 0; i < sink->diags.n; i++) {
		const struct diag *d = sink->diags.at[i];

		if ((d->code == E0201 || d->code == E0207) && d->span.file == SPAN_NONE.file)
			return true;
	}
	return false;
}

const struct job *compilation_job(struct eval *ev, uint32_t global, struct str profile, bool with_rules)
{
	const struct ir_global *g = &ev->program->globals.at[global];
	struct value v = eval_global(ev, global);
	struct record *r;

	if (v.kind != VALUE_RECORD)
		return NULL;
	r = profile.n > 0 ? job_under_profile(ev, v.record, profile) : v.record;
	if (!r)
		return NULL;
	if ((with_rules || profile.n > 0) &&
	    !record_check(ev, r, g->span, sym_str(ev->program->names, g->name)))
		return NULL;
	return job_evaluate(ev, r, g->span);
}
