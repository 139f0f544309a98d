/* target_choice.c - see target_choice.h. */
#include "cli/target_choice.h"

#include "cli/command.h"

bool target_choose(struct session *s, const struct options *o)
{
	const char *text = option_value(o, OPTION_TARGET, ""), *at = strchr(text, '@');

	if (!o->given[OPTION_TARGET])
		return true;
	s->target = at ? (struct str){ text, (uint32_t)(at - text) } : str_of(text);
	s->target_version = at ? str_of(at + 1) : STR("");
	if (s->target.n > 0 && (!at || s->target_version.n > 0))
		return true;
	usage_error(s, "`--target %s` is not of the form NAME or NAME@VERSION", text);
	return false;
}

/* The framework that the target writes for, a value of the enum `framework_name`; none where it says none. */
static struct value framework_of(struct session *s)
{
	if (s->program->target == IR_NONE)
		return value_none();
	return record_get_named(&s->ev, record_make(&s->ev, s->program->target), "framework");
}

static void force(struct eval_forced *all, uint32_t *n, uint32_t schema, uint32_t slot, struct value v)
{
	if (schema != IR_NONE && slot != IR_NONE)
		all[(*n)++] = (struct eval_forced){ schema, slot, v };
}

void target_force(struct session *s)
{
	const struct ir_program *p = s->program;
	struct eval_forced *all = ARENA_ARRAY(&s->arena, struct eval_forced, 3);
	struct value version = { .kind = VALUE_STRING, .text = s->target_version };
	struct value name = framework_of(s);
	uint32_t schema = ir_find_schema(p, "framework"), n = 0;

	if (s->target_version.n == 0 || p->target == IR_NONE)
		return;
	force(all, &n, p->target, ir_find_field(p, p->target, STR("version")), version);
	if (name.kind == VALUE_ENUM && schema != IR_NONE) {
		force(all, &n, schema, ir_find_field(p, schema, STR("name")), name);
		force(all, &n, schema, ir_find_field(p, schema, STR("version")), version);
	}
	s->ev.forced = all;
	s->ev.forced_count = n;
}

bool target_matches(struct session *s, const uint32_t *jobs, uint32_t n)
{
	const struct ir_program *p = s->program;
	struct value name = framework_of(s);

	for (uint32_t i = 0; i < n && s->target_version.n == 0 && name.kind == VALUE_ENUM; i++) {
		struct value job = eval_global(&s->ev, jobs[i]), framework, runs;
		struct str said = sym_str(p->names, p->globals.at[jobs[i]].name);

		if (job.kind != VALUE_RECORD)
			continue;
		framework = record_get_named(&s->ev, job.record, "framework");
		if (framework.kind != VALUE_RECORD)
			continue;
		runs = record_get_named(&s->ev, framework.record, "name");
		if (runs.kind != VALUE_ENUM || runs.ordinal == name.ordinal)
			continue;
		usage_error(s, "job `%.*s` runs another framework: name the version, `--target %.*s@VERSION`",
			    (int)said.n, said.p, (int)s->target.n, s->target.p);
		return false;
	}
	return true;
}
