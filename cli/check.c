/* check.c - planc check: names, types and every rule, without the cost model. */
#include "cli/command.h"
#include "cli/target_choice.h"

#include "compiler/base/map.h"
#include "runtime/bind/job.h"
#include "runtime/emit/emit.h"
#include "runtime/search/search.h"

enum { JOBS_MAX = 1000 };

/* Counts the rules that hold in the records met; each record once. */
struct census {
	struct session *session;
	struct map seen;
	uint32_t rules;
};

static void count_asserts(struct census *c, struct scope scope, const struct ir_assert *asserts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (assert_test(&c->session->ev, &asserts[i], scope) == VERDICT_HOLDS)
			c->rules++;
}

static void count_record(struct census *c, struct record *r)
{
	const struct ir_program *p = c->session->program;
	const struct ir_schema *schema = &p->schemas.at[r->schema];
	uint64_t key = (uint64_t)(uintptr_t)r;

	if (map_find(&c->seen, key) != MAP_NONE)
		return;
	map_set(&c->seen, key, 1);
	count_asserts(c, (struct scope){ .self = r }, schema->asserts, schema->assert_count);
	for (const struct link_layer *l = r->layers; l; l = l->older) {
		const struct ir_layer *layer = &p->layers.at[l->layer];
		count_asserts(c, (struct scope){ r, l->frame }, layer->asserts, layer->assert_count);
	}
	/* Only what checking has computed: a field nobody needed has no rules to keep. */
	for (uint32_t slot = 0; slot < schema->field_count; slot++)
		if (r->states[slot] == SLOT_DONE && r->slots[slot].kind == VALUE_RECORD)
			count_record(c, r->slots[slot].record);
}

static uint32_t count_rules(struct session *s)
{
	struct census c = { .session = s };
	const struct ir_program *p = s->program;
	bool muted = s->sink.muted;

	map_init(&c.seen, &s->arena);
	s->sink.muted = true;
	for (uint32_t i = 0; i < p->globals.n; i++) {
		if (p->globals.at[i].kind != GLOBAL_INSTANCE || p->globals.at[i].library)
			continue;
		struct value v = eval_global(&s->ev, i);
		if (v.kind == VALUE_RECORD)
			count_record(&c, v.record);
	}
	count_asserts(&c, (struct scope){ 0 }, p->asserts.at, p->asserts.n);
	s->sink.muted = muted;
	return c.rules;
}

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

/* The rules of a framework that the command line names, with the options of the plan's own emits to it. */
static bool check_target(struct session *s, const uint32_t *jobs, uint32_t n, uint32_t *held)
{
	struct sym target = sym_of(s->names, s->target);

	if (n == 0)
		return usage_error(s, "there is no job to test for target `%.*s`", (int)s->target.n,
				   s->target.p) == EXIT_FINE;
	return emit_check_jobs(&s->ev, target, jobs, n, held);
}

int command_check(struct session *s, const struct options *o)
{
	const char *path = o->operands.at[0];
	uint32_t jobs[JOBS_MAX];

	if (!session_style(s, o, true) || !target_choose(s, o))
		return EXIT_USAGE;
	if (!session_compile(s, o, path))
		return session_failure(s);
	s->ev.without_model = true;
	s->ev.advise = true;
	target_force(s);
	uint32_t job_count = jobs_declared(s->program, jobs, JOBS_MAX);
	uint32_t listed = job_count < JOBS_MAX ? job_count : JOBS_MAX, held = 0;
	if (s->target.n > 0 && !target_matches(s, jobs, listed))
		return EXIT_USAGE;
	struct out sweeps;
	out_init(&sweeps, &s->arena);
	if (!program_check(&s->ev) || !search_check(&s->ev, &sweeps) || s->sink.errors > 0)
		return EXIT_PLAN;
	if (s->target.n > 0 ? !check_target(s, jobs, listed, &held)
			    : !emit_check_paths(&s->ev) || !emit_check_targets(&s->ev, &held))
		return EXIT_PLAN;
	if (s->messages_to_stdout)
		return EXIT_FINE;
	uint32_t rules = count_rules(s) + held;
	out_printf(&s->out, "%s: %u job%s, %u rule%s hold%s", path, job_count, plural(job_count), rules,
		   plural(rules), rules == 1 ? "s" : "");
	if (s->target.n > 0)
		out_printf(&s->out, ", %.*s%s%.*s takes %s", (int)s->target.n, s->target.p,
			   s->target_version.n > 0 ? " " : "", (int)s->target_version.n, s->target_version.p,
			   job_count == 1 ? "it" : "them");
	out_printf(&s->out, "\n");
	out_str(&s->out, out_view(&sweeps));
	return EXIT_FINE;
}
