/*
 * profiles_test.c - the assumptions of the cost model: the library, the engine and their documentation name the
 * same fields, with the same values; differences between profiles add up.
 */
#include "tests/unit/unit.h"

#include "runtime/api/shared/compilation.h"
#include "runtime/ask/profiles/profiles.h"

/* A plan with the library, compiled. */
struct world {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	struct eval ev;
	struct ir_program *program;
	uint32_t job;
};

static const char plan[] = "edition 1\n"
			   "import \"std:models\" { llama3_8b }\n"
			   "import \"std:clusters\" { dgx_h100 }\n"
			   "job base {\n"
			   "  model = llama3_8b\n"
			   "  cluster = dgx_h100\n"
			   "  strategy { tp = 2, pp = 2, recompute = selective }\n"
			   "  batch { sequence = 4096, micro = 1, global = 16 }\n"
			   "}\n";

static void world_init(struct world *w)
{
	struct compile_input in = { .path = STR("a.plan"), .text = STR(plan) };

	arena_init(&w->arena, NULL);
	sources_init(&w->sources, &w->arena);
	diag_sink_init(&w->sink, &w->arena, &w->sources);
	in.arena = &w->arena;
	in.names = interner_make(&w->arena);
	in.sources = &w->sources;
	in.sink = &w->sink;
	in.text.n = sizeof plan - 1;
	w->program = compilation_make(&in, &w->ev);
	ck_assert_ptr_nonnull(w->program);
	ck_assert_int_eq(jobs_declared(w->program, &w->job, 1), 1);
}

static const struct ir_schema *schema_of(const struct world *w)
{
	return &w->program->schemas.at[ir_find_schema(w->program, "profile")];
}

static struct str name_of(const struct world *w, struct sym name)
{
	return sym_str(w->program->names, name);
}

/* Every field of the schema reaches the engine, and the other way round; each says where it comes from. */
START_TEST(fields_are_bound_and_documented)
{
	struct world w;
	const struct ir_schema *schema;

	world_init(&w);
	schema = schema_of(&w);
	ck_assert_int_eq(schema->field_count, profile_field_count() + 2);
	for (uint32_t i = 0; i < schema->field_count; i++) {
		const struct ir_field *f = &schema->fields[i];
		struct str name = name_of(&w, f->name), source;
		struct str text = profile_field_text(&w.arena, f->doc, &source);
		bool bound = str_is(name, "quirks") || str_is(name, "mfu_dtype");

		for (uint32_t k = 0; k < profile_field_count(); k++)
			bound |= str_is(name, profile_field_name(k));
		ck_assert_msg(bound, "%s is not read by the engine", name.p);
		ck_assert_msg(source.n > 0, "%s does not say where it comes from", name.p);
		ck_assert_msg(text.n > 10 && text.p[text.n - 1] == '.', "%s is not explained", name.p);
	}
	arena_release(&w.arena);
}
END_TEST

/* What the tests of the engine take for a profile is what the library says. */
START_TEST(presets_are_those_of_the_library)
{
	static const char *const names[] = { [PROFILE_STANDARD] = "standard",
					     [PROFILE_SIMUMAX] = "simumax",
					     [PROFILE_IDEAL] = "ideal" };
	struct world w;

	world_init(&w);
	struct value v = eval_global(&w.ev, w.job);

	ck_assert_int_eq(v.kind, VALUE_RECORD);
	for (int p = PROFILE_STANDARD; p <= PROFILE_IDEAL; p++) {
		struct profile preset;
		struct record *r = job_under_profile(&w.ev, v.record, str_of(names[p]));
		const struct job *j = r ? job_evaluate(&w.ev, r, SPAN_NONE) : NULL;

		ck_assert_ptr_nonnull(j);
		profile_init(&preset, (enum profile_preset)p);
		for (uint32_t i = 0; i < profile_field_count(); i++)
			ck_assert_msg(profile_field_equal(i, &preset, &j->profile), "%s of %s differs",
				      profile_field_name(i), names[p]);
	}
	arena_release(&w.arena);
}
END_TEST

static void check_difference(struct world *w, const struct job *j, const char *record, const char *field,
			     double unit)
{
	struct profile_difference d;
	struct job_number n;
	int64_t sum;

	ck_assert(job_number_find(record, field, &n));
	ck_assert(profiles_compare(&w->ev, j, n, unit, STR("standard"), STR("simumax"), &d));
	ck_assert_int_ne(d.before, d.after);
	ck_assert_int_gt(d.effect_count, 40);
	sum = d.together;
	for (uint32_t i = 0; i < d.effect_count; i++)
		sum += d.effects[i].effect;
	ck_assert_int_eq(sum, d.after - d.before);
	for (uint32_t i = 1; i < d.effect_count; i++)
		ck_assert_int_ge(llabs(d.effects[i - 1].effect), llabs(d.effects[i].effect));

	/* A profile does not differ from itself. */
	ck_assert(profiles_compare(&w->ev, j, n, unit, STR("ideal"), STR("ideal"), &d));
	ck_assert_int_eq(d.effect_count, 0);
	ck_assert_int_eq(d.together, 0);
}

START_TEST(differences_add_up)
{
	struct world w;

	world_init(&w);
	const struct job *j = compilation_job(&w.ev, w.job, STR(""), false);

	ck_assert_ptr_nonnull(j);
	check_difference(&w, j, "step", "time", 1e-9);
	check_difference(&w, j, "memory", "peak", 1);
	check_difference(&w, j, "", "mfu", 1e-9);
	arena_release(&w.arena);
}
END_TEST

/* All fields of the other profile together are the other profile. */
START_TEST(fields_make_the_profile)
{
	struct world w;

	world_init(&w);
	struct record *r = eval_global(&w.ev, w.job).record;
	const struct job *a = job_evaluate(&w.ev, job_under_profile(&w.ev, r, STR("standard")), SPAN_NONE);
	const struct job *b = job_evaluate(&w.ev, job_under_profile(&w.ev, r, STR("simumax")), SPAN_NONE);
	struct job all = *a;
	struct engine_error error;

	for (uint32_t i = 0; i < profile_field_count(); i++)
		profile_field_copy(i, &all.profile, &b->profile);
	all.input.profile = &all.profile;
	ck_assert(job_price(&all, NULL, &w.arena, &error));
	ck_assert(all.result.step.time == b->result.step.time);
	ck_assert_int_eq(all.result.memory.reserved, b->result.memory.reserved);
	arena_release(&w.arena);
}
END_TEST

START_TEST(sources_stand_in_brackets)
{
	struct arena a;
	struct str source;

	arena_init(&a, NULL);
	ck_assert(str_is(profile_field_text(&a, STR("One\n  two. [SM O5]"), &source), "One two."));
	ck_assert(str_is(source, "SM O5"));
	ck_assert(str_is(profile_field_text(&a, STR("No source."), &source), "No source."));
	ck_assert_int_eq(source.n, 0);
	ck_assert(str_is(profile_field_text(&a, STR("odd ]"), &source), "odd ]"));
	ck_assert(str_is(profile_field_text(&a, STR(""), &source), ""));
	arena_release(&a);
}
END_TEST

UNIT_MAIN("profiles", fields_are_bound_and_documented, presets_are_those_of_the_library, differences_add_up,
	  fields_make_the_profile, sources_stand_in_brackets)
