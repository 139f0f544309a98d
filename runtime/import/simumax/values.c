/* values.c - one of SimuMax's three files by itself, for an import of the language.
 *
 * What SimuMax says in one file and a plan in another record is left out by name: the strategy file
 * also has the batch, the number of GPUs, the formats of the optimizer and the figures of the profile.
 */
#include "runtime/import/simumax/simumax_int.h"

#include "runtime/import/importer.h"

struct reading {
	struct simumax_input in;
	struct simumax s;
	struct json nothing;         /* in place of the two files that are not there */
};

static const struct json *begin(struct reading *r, const struct foreign_file *in, enum simumax_file which,
				const char *what, struct import_text *result)
{
	const struct json *root = foreign_parse(in->arena, in->sources, in->sink, in->file, what);

	*r = (struct reading){ .in = { .arena = in->arena, .sources = in->sources, .sink = in->sink } };
	if (!root)
		return NULL;
	r->nothing = (struct json){ .kind = JSON_OBJECT, .span = root->span };
	r->s = (struct simumax){ .in = &r->in, .w = { .arena = in->arena, .text = result },
				 .model = &r->nothing, .strategy = &r->nothing, .system = &r->nothing,
				 .alone = true };
	r->s.files[which] = (struct foreign){ .arena = in->arena, .sink = in->sink, .program = "SimuMax" };
	out_init(&result->text, in->arena);
	out_text(&result->text, "edition 1\n\n");
	return root;
}

bool simumax_model(const struct foreign_file *in, struct import_text *result)
{
	struct reading r;
	const struct json *root = begin(&r, in, SIMUMAX_MODEL, "model", result);
	struct foreign *f = &r.s.files[SIMUMAX_MODEL];

	if (!root || !simumax_check_model(f, root))
		return false;
	r.s.model = root;
	r.s.model_name = "value";
	if (foreign_get(root, "group_linear_mode"))
		foreign_leave_out(f, STR("group_linear_mode"), foreign_span(root, "group_linear_mode"),
				  "a `model`");
	simumax_write_model(&r.s);
	foreign_finish(f);
	return true;
}

/* Keys of the strategy file that other records of a job hold. */
static const char *const of_the_job[] = {
	"seq_len",
	"micro_batch_size",
	"micro_batch_num",
	"world_size",
	"grad_reduce_in_bf16",
	"use_fp32_accum_grad",
	"attention_sparse_ratio",
	"enable_dropout",
	"enable_straggler_model",
	"mem_factor",
	"te_version",
	"te_dummy_wgrad_min_version",
	"te_cp_a2a_save_pre_posta2a_min_version",
	"te_grouped_linear_dummy_wgrad_min_version",
};

bool simumax_strategy(const struct foreign_file *in, struct import_text *result)
{
	struct reading r;
	const struct json *root = begin(&r, in, SIMUMAX_STRATEGY, "strategy", result);
	struct foreign *f = &r.s.files[SIMUMAX_STRATEGY];

	if (!root || !simumax_check_strategy(f, root))
		return false;
	r.s.strategy = root;
	for (size_t i = 0; i < PLAN_COUNT(of_the_job); i++)
		if (foreign_get(root, of_the_job[i]))
			foreign_leave_out(f, str_of(of_the_job[i]), foreign_span(root, of_the_job[i]),
					  "a `strategy`");
	simumax_write_strategy(&r.s, "strategy value {");
	foreign_finish(f);
	return true;
}

bool simumax_system(const struct foreign_file *in, struct import_text *result)
{
	struct reading r;
	const struct json *root = begin(&r, in, SIMUMAX_SYSTEM, "system", result);
	struct foreign *f = &r.s.files[SIMUMAX_SYSTEM];
	const struct json *name;

	if (!root || !simumax_check_system(f, root))
		return false;
	r.s.system = root;
	name = foreign_get(root, "sys_name");
	r.s.gpu_name = simumax_free_name(&r.s, name->text.n > 0 ? name->text : STR("system"), "_gpu", true);
	r.s.cluster_name = "value";
	simumax_write_gpu(&r.s);
	plan_text_blank(&r.s.w);
	simumax_write_cluster(&r.s);
	foreign_finish(f);
	return true;
}
