/* emit.c - the artefacts of a plan, in memory or in a folder. */
#include "runtime/emit/emit.h"

#include "runtime/api/api_int.h"

static enum plan_artefact_state state_of(enum emit_state state)
{
	switch (state) {
	case EMIT_WRITTEN: return PLAN_ARTEFACT_NEW;
	case EMIT_UNCHANGED: return PLAN_ARTEFACT_CURRENT;
	case EMIT_MISSING: return PLAN_ARTEFACT_MISSING;
	case EMIT_DIFFERENT: return PLAN_ARTEFACT_DIFFERENT;
	}
	return PLAN_ARTEFACT_NEW;
}

static const struct plan_artefact *artefacts_of(struct plan_context *c, const struct emit_result *r)
{
	struct plan_artefact *all = ARENA_ARRAY(&c->work, struct plan_artefact, r->artefacts.n);

	for (uint32_t i = 0; i < r->artefacts.n; i++) {
		const struct emit_artefact *a = &r->artefacts.at[i];

		all[i] = (struct plan_artefact){
			.path = str_copy(&c->work, a->path).p,
			.content = str_copy(&c->work, a->content).p,
			.size = a->content.n,
			.target = str_copy(&c->work, a->target).p,
			.state = state_of(a->state),
		};
	}
	return all;
}

/* A target that no emit of the plan names. */
static bool target_is_emitted(const struct plan_context *c, struct str target)
{
	for (uint32_t i = 0; i < c->program->emits.n; i++)
		if (target.n == 0 || str_equal(sym_str(c->names, c->program->emits.at[i].target), target))
			return true;
	return false;
}

static enum plan_status emit(struct plan_context *c, struct emit_input *in, struct emit_result *result)
{
	uint32_t errors = c->sink.errors;

	if (!target_is_emitted(c, in->only))
		return context_fail(c, PLAN_NOT_FOUND, in->only.n ? "the plan emits nothing for `%s`"
								  : "the plan emits nothing",
				    in->only.p);
	if (!emit_run(in, result) || c->sink.errors > errors)
		return context_errors(c);
	return result->differs ? context_say(c, PLAN_DIFFERENT, plan_status_text(PLAN_DIFFERENT)) : PLAN_OK;
}

enum plan_status plan_emit(struct plan_context *c, enum plan_emit mode, const char *target,
			   const char *folder, const struct plan_artefact **list, size_t *count)
{
	struct emit_result result = { 0 };
	struct emit_input in;
	enum plan_status status;

	if (context_needs_program(c) != PLAN_OK)
		return PLAN_MISUSE;
	if (mode > PLAN_EMIT_WRITE || !list != !count)
		return context_say(c, PLAN_MISUSE, "there is no such way to emit, or a list without a count");
	if (list) {
		*list = NULL;
		*count = 0;
	}
	if (setjmp(c->escape) != 0)
		return context_out_of_memory(c);
	in = (struct emit_input){
		.ev = &c->ev,
		.plan = c->input.path,
		.root = str_copy(&c->work, str_of(folder ? folder : "")),
		.only = str_copy(&c->work, str_of(target ? target : "")),
		.check = mode == PLAN_EMIT_COMPARE,
		.memory = mode == PLAN_EMIT_MEMORY,
		.artefact_max = c->artefact_max,
	};
	status = emit(c, &in, &result);
	if (list) {
		*list = artefacts_of(c, &result);
		*count = result.artefacts.n;
	}
	return status;
}
