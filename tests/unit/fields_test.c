/*
 * fields_test.c - no field of a job is silently ignored: another value changes the answer, is
 * refused, or stands in the list of fields that cost nothing, with the reason (fields_table.h).
 */
#include <stdio.h>

#include "compiler/base/embed.h"
#include "include/plan.h"
#include "tests/unit/fields_table.h"
#include "tests/unit/unit.h"

enum { TEXT_MAX = 8192, FIGURES_MAX = 1 << 16 };

static const char *const bases[] = { "dense", "mixture", "latent" };

static const char plan_head[] =
	"edition 1\n"
	"import \"std:models\" { llama3_8b, mixtral_8x7b, deepseek_v2_lite }\n"
	"import \"std:clusters\" { dgx_h100, pcie_a100 }\n"
	"cluster tabled extends pcie_a100 { nodes = 4 }\n"
	"job dense {\n"
	"  model = llama3_8b, cluster = dgx_h100 with { nodes = 4 }\n"
	"  framework = generic with { te = \"2.11.0\" }\n"
	"  strategy { tp = 2, pp = 2 }\n"
	"  batch { sequence = 4096, micro = 1, global = 64 }\n"
	"}\n"
	"job mixture extends dense { model = mixtral_8x7b, strategy { tp = 1, ep = 8 } }\n"
	"job latent extends mixture { model = deepseek_v2_lite, strategy { pp = 1 } }\n";

/* Figures that stand for the whole answer. */
static const char *const figures[] = {
	"parameters",          "flops_per_token",     "step.time",         "step.compute",
	"step.recompute",      "step.tensor_comm",    "step.context_comm", "step.expert_comm",
	"step.pipeline_comm",  "step.gradient_reduce", "step.parameter_gather", "step.optimizer",
	"step.offload",        "step.other",          "step.bubble",       "memory.peak",
	"memory.reserved",     "memory.host",         "memory.fits",       "memory.activations",
	"memory.buffers",      "tokens_per_second",   "mfu",               "hfu",
	"days",                "cost",                "energy",            "efficiency.hit",
};

/* What the answer to job `name` comes to, as one text; false when the job is refused. */
static bool answer(struct plan_context *c, const char *name, char *text)
{
	size_t n = 0;

	if (plan_check(c, PLAN_CHECK_RULES) != PLAN_OK || plan_evaluate(c, name) != PLAN_OK)
		return false;
	for (size_t i = 0; i < PLAN_COUNT(figures); i++) {
		struct plan_value v;
		char path[128];

		snprintf(path, sizeof path, "%s.%s", name, figures[i]);
		ck_assert_msg(plan_read(c, path, &v) == PLAN_OK, "%s: %s", path, plan_message(c));
		n += (size_t)snprintf(text + n, FIGURES_MAX - n, "%s %.17g\n", v.text, v.number);
	}
	return true;
}

static bool ask(const struct field_row *row, const char *given, const char *patch, char *text)
{
	struct plan_context *c = plan_new();
	char plan[TEXT_MAX];
	int n = snprintf(plan, sizeof plan,
			 "%sjob given extends %s { %s }\njob changed extends given { %s }\n",
			 plan_head, bases[row->base], given, patch);
	bool answered;

	ck_assert_int_lt(n, TEXT_MAX);
	answered = plan_compile_text(c, "fields.plan", plan, (size_t)n) == PLAN_OK &&
		   answer(c, "changed", text);
	plan_free(c);
	return answered;
}

static const char *const effects[] = { "CHANGES", "REFUSED", "IDLE" };

static enum field_effect effect_of(const struct field_row *row)
{
	static char before[FIGURES_MAX], after[FIGURES_MAX];
	const char *bar = strstr(row->patch, " | ");
	char given[1024];

	snprintf(given, sizeof given, "%.*s", bar != NULL ? (int)(bar - row->patch) : 0,
		 row->patch);
	ck_assert_msg(ask(row, given, "", before), "%s: the job of comparison is refused",
		      row->field);
	if (!ask(row, given, bar != NULL ? bar + 3 : row->patch, after))
		return REFUSED;
	return strcmp(before, after) == 0 ? IDLE : CHANGES;
}

/* One part of the rows, so that none takes long. */
static void check_rows(size_t part, size_t parts)
{
	int wrong = 0;

	for (size_t i = part; i < PLAN_COUNT(field_rows); i += parts) {
		const struct field_row *row = &field_rows[i];
		enum field_effect seen = effect_of(row);

		ck_assert_int_eq(row->effect == IDLE, row->why != NULL);
		if (seen == row->effect)
			continue;
		wrong++;
		printf("%s: %s instead of %s: %s\n", row->field, effects[seen],
		       effects[row->effect], row->patch);
	}
	ck_assert_int_eq(wrong, 0);
}

#define PART(n)                        \
	START_TEST(fields_count_##n)   \
	{                              \
		check_rows(n - 1, 12); \
	}                              \
	END_TEST
PART(1)
PART(2)
PART(3)
PART(4)
PART(5)
PART(6)
PART(7)
PART(8)
PART(9)
PART(10)
PART(11)
PART(12)

/* Records whose fields have rows, and the job each is looked at in. */
static const struct {
	const char *job, *path;
} records[] = {
	{ "mixture", "" },
	{ "mixture", "batch" },
	{ "mixture", "model" },
	{ "mixture", "model.attention" },
	{ "mixture", "model.moe" },
	{ "mixture", "model.mtp" },
	{ "mixture", "strategy" },
	{ "mixture", "strategy.precision" },
	{ "mixture", "strategy.recompute" },
	{ "mixture", "strategy.offload.optimizer" },
	{ "mixture", "strategy.offload.activations" },
	{ "mixture", "strategy.overlap" },
	{ "mixture", "strategy.kernels" },
	{ "mixture", "optimizer" },
	{ "mixture", "framework" },
	{ "mixture", "cluster" },
	{ "mixture", "cluster.gpu" },
};

static const char *library_text(const char *name)
{
	for (const struct embedded_file *f = stdlib_files; f->name != NULL; f++)
		if (strcmp(f->name, name) == 0)
			return (const char *)f->bytes;
	return "";
}

/* Whether the prelude computes the field, so that no plan sets it. */
static bool is_computed(const char *field)
{
	const char *prelude = library_text("prelude.plan");
	char text[128];

	snprintf(text, sizeof text, "final %s:", field);
	if (strstr(prelude, text) != NULL)
		return true;
	snprintf(text, sizeof text, "native %s:", field);
	return strstr(prelude, text) != NULL && strcmp(field, "parameters") != 0;
}

static bool has_row(const char *path)
{
	size_t n = strlen(path);

	/* A record is covered by the rows of its fields. */
	for (size_t i = 0; i < PLAN_COUNT(field_rows); i++)
		if (strncmp(field_rows[i].field, path, n) == 0 &&
		    (field_rows[i].field[n] == '\0' || field_rows[i].field[n] == '.'))
			return true;
	return false;
}

START_TEST(the_list_is_complete)
{
	struct plan_context *c = plan_new();
	int missing = 0;

	ck_assert_int_eq(plan_compile_text(c, "fields.plan", plan_head, strlen(plan_head)), PLAN_OK);
	for (size_t i = 0; i < PLAN_COUNT(records); i++) {
		const bool top = records[i].path[0] == '\0';
		char record[256], path[256];
		const char *name;

		snprintf(record, sizeof record, top ? "%s%s" : "%s.%s", records[i].job,
			 records[i].path);
		for (size_t k = 0; plan_field_name(c, record, k, &name) == PLAN_OK && name != NULL;
		     k++) {
			snprintf(path, sizeof path, top ? "%s%s" : "%s.%s", records[i].path, name);
			if (is_computed(name) || has_row(path))
				continue;
			missing++;
			printf("no row for %s\n", path);
		}
	}
	plan_free(c);
	ck_assert_int_eq(missing, 0);
}
END_TEST

UNIT_MAIN("fields", fields_count_1, fields_count_2, fields_count_3, fields_count_4, fields_count_5,
	  fields_count_6, fields_count_7, fields_count_8, fields_count_9, fields_count_10,
	  fields_count_11, fields_count_12, the_list_is_complete)
