/* llamafactory.c - the YAML of LLaMA-Factory, with the DeepSpeed config that it names, as a job. Keys and
 * defaults: hiyouga/LLaMA-Factory, src/llamafactory/hparams; huggingface/transformers, TrainingArguments. */
#include "runtime/import/deepspeed.h"

#include <inttypes.h>

#include "runtime/import/importer.h"
#include "runtime/import/yaml_read.h"

struct factory {
	struct foreign f;
	struct taken t;
	struct plan_text w;
};

static void line(struct factory *y, const char *field, const char *value)
{
	plan_text_line(&y->w, SPAN_NONE, "%s = %s", field, value);
}

static bool text_is(const struct json *v, const char *word)
{
	return v && v->kind == JSON_STRING && str_is(v->text, word);
}

static void refuse(struct factory *y, const struct json *v, const char *what)
{
	foreign_refuse(&y->f, v->span, "%s", what);
	y->t.fine = false;
}

/* ---- strategy -------------------------------------------------------------------------------- */

static void write_kernels(struct factory *y)
{
	const struct json *flash = taken_find(&y->t, "flash_attn");
	bool liger = taken_bool(&y->t, "enable_liger_kernel", false);
	bool plain = text_is(flash, "disabled") || (flash && flash->kind == JSON_BOOL && !flash->truth);

	plan_text_open(&y->w, SPAN_NONE, "kernels {");
	if (plain)
		line(y, "attention", "unfused");
	if (liger)
		line(y, "cross_entropy", "linear");
	if (taken_bool(&y->t, "torch_compile", false))
		line(y, "compile", "true");
	plan_text_close_full(&y->w, "}");
}

/* Without DeepSpeed every rank keeps everything. */
static void write_sharding(struct factory *y, const struct json *config)
{
	const struct json *named = taken_find(&y->t, "deepspeed"), *fsdp = taken_find(&y->t, "fsdp");

	if (named && !config)
		refuse(y, named, "how states are sharded stands in this file: give it too, behind the YAML");
	else if (fsdp && !(fsdp->kind == JSON_STRING && fsdp->text.n == 0))
		refuse(y, fsdp, "sharding by FSDP is not read");
	else if (config)
		y->t.fine = deepspeed_write_sharding(&y->f, &y->w, config) && y->t.fine;
	else
		line(y, "zero", "off");
}

static void write_strategy(struct factory *y, const struct json *config)
{
	bool pure = taken_bool(&y->t, "pure_bf16", false), bf16 = taken_bool(&y->t, "bf16", false) || pure;
	bool fp16 = taken_bool(&y->t, "fp16", false);

	plan_text_open(&y->w, SPAN_NONE, "strategy spread {");
	write_sharding(y, config);
	line(y, "precision", bf16 ? "bf16" : fp16 ? "fp16" : "fp32");
	line(y, "recompute", taken_bool(&y->t, "disable_gradient_checkpointing", false) ? "off" : "full");
	write_kernels(y);
	plan_text_close(&y->w, "}");
}

/* ---- job ------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *site;
} sites[] = {
	{ "q_proj", "q" }, { "k_proj", "k" }, { "v_proj", "v" }, { "o_proj", "o" },
	{ "gate_proj", "gate" }, { "up_proj", "up" }, { "down_proj", "down" },
	{ "embed_tokens", "embedding" }, { "lm_head", "head" },
};

/* "q_proj,v_proj" or a list of such; "all" is what the language takes anyway. */
static void write_targets(struct factory *y)
{
	const struct json *v = taken_find(&y->t, "lora_target");
	struct out all;

	if (!v || text_is(v, "all"))
		return;
	out_init(&all, y->f.arena);
	for (uint32_t i = 0; i < (v->kind == JSON_ARRAY ? v->count : 1); i++) {
		const struct json *one = v->kind == JSON_ARRAY ? &v->items[i] : v;

		if (one->kind != JSON_STRING) {
			refuse(y, one, "`lora_target` names matrices, such as q_proj");
			return;
		}
		for (uint32_t lo = 0, hi; lo < one->text.n; lo = hi + 1) {
			const char *site = NULL;
			struct str name;

			while (lo < one->text.n && one->text.p[lo] == ' ')
				lo++;
			for (hi = lo; hi < one->text.n && one->text.p[hi] != ','; hi++)
				;
			name = str_slice(one->text, lo, hi);
			for (size_t k = 0; k < PLAN_COUNT(sites); k++)
				site = str_is(name, sites[k].name) ? sites[k].site : site;
			if (!site) {
				refuse(y, one, "a plan knows q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, "
					       "down_proj, embed_tokens and lm_head here");
				return;
			}
			out_printf(&all, "%s%s", all.n ? ", " : "", site);
		}
	}
	plan_text_line(&y->w, v->span, "targets = [%.*s]", (int)all.n, all.n ? all.p : "");
}

static void write_adapter(struct factory *y)
{
	const struct json *type = taken_text(&y->t, "finetuning_type");
	int64_t rank = taken_count(&y->t, "lora_rank", 1, 8), alpha = taken_count(&y->t, "lora_alpha", 1, 2 * rank);
	int64_t bits = taken_count(&y->t, "quantization_bit", 1, 16);

	if (text_is(type, "full"))
		return;
	if (type && !text_is(type, "lora")) {
		refuse(y, type, "a plan trains everything (full) or an adapter (lora)");
		return;
	}
	plan_text_open(&y->w, SPAN_NONE, "adapter {");
	plan_text_line(&y->w, SPAN_NONE, "rank = %" PRIi64, rank);
	plan_text_line(&y->w, SPAN_NONE, "alpha = %" PRIi64, alpha);
	write_targets(y);
	if (bits == 4)
		line(y, "base", "nf4");
	plan_text_close(&y->w, "}");
}

static void write_task(struct factory *y)
{
	static const char *const tasks[][2] = { { "pt", "pretrain" }, { "sft", "sft" }, { "rm", "reward" }, { "dpo", "dpo" } };
	const struct json *stage = taken_text(&y->t, "stage");
	const char *task = stage ? NULL : "sft";

	for (size_t i = 0; stage && i < PLAN_COUNT(tasks); i++)
		task = text_is(stage, tasks[i][0]) ? tasks[i][1] : task;
	if (task)
		line(y, "task", task);
	else
		refuse(y, stage, "no task of a plan is this stage: pt, sft, rm and dpo are");
}

static void write_optimizer(struct factory *y)
{
	const struct json *kind = taken_text(&y->t, "optim"), *clip = taken_number(&y->t, "max_grad_norm", 0);
	bool pure = foreign_bool(y->t.object, "pure_bf16", false), muon = taken_bool(&y->t, "use_muon", false);

	if (kind && !str_starts(kind->text, "adamw") && !text_is(kind, "sgd"))
		refuse(y, kind, "a plan knows adamw_* and sgd here");
	plan_text_open(&y->w, SPAN_NONE, "optimizer {");
	line(y, "kind", muon ? "muon" : text_is(kind, "sgd") ? "sgd" : "adamw");
	if (pure) {
		line(y, "master", "bf16");
		line(y, "moments", "bf16");
	}
	line(y, "gradient", "spread.precision.compute");
	if (clip && num_sign(clip->number) == 0)
		line(y, "clip", "false");
	plan_text_close(&y->w, "}");
}

static void write_batch(struct factory *y)
{
	int64_t micro = taken_count(&y->t, "per_device_train_batch_size", 1, 8);
	int64_t steps = taken_count(&y->t, "gradient_accumulation_steps", 1, 1);

	plan_text_open(&y->w, SPAN_NONE, "batch {");
	plan_text_line(&y->w, SPAN_NONE, "sequence = %s",
		       plan_text_int(&y->w, taken_count(&y->t, "cutoff_len", 1, 2048)));
	plan_text_line(&y->w, SPAN_NONE, "micro = %" PRIi64, micro);
	plan_text_line(&y->w, SPAN_NONE, "global = %" PRIi64 " * %" PRIi64 " * machines.gpus", micro, steps);
	if (taken_bool(&y->t, "packing", false))
		line(y, "packed", "true");
	plan_text_close(&y->w, "}");
}

static void write_job(struct factory *y)
{
	plan_text_open(&y->w, SPAN_NONE, "job tuning {");
	line(y, "model", "trained");
	line(y, "cluster", "machines");
	line(y, "strategy", "spread");
	line(y, "framework", "llamafactory");
	write_task(y);
	write_adapter(y);
	write_optimizer(y);
	write_batch(y);
	plan_text_close(&y->w, "}");
}

/* ---- options of the target ------------------------------------------------------------------- */

static void write_text(struct factory *y, const struct json *v, const char *option)
{
	struct out o;

	if (!v || v->kind != JSON_STRING)
		return;
	out_init(&o, y->f.arena);
	for (uint32_t i = 0; i < v->text.n; i++) {
		if (strchr("\"\\{}", v->text.p[i]) && v->text.p[i])
			out_char(&o, '\\');
		if ((unsigned char)v->text.p[i] >= 0x20 && (unsigned char)v->text.p[i] < 0x7f)
			out_char(&o, v->text.p[i]);
	}
	plan_text_line(&y->w, v->span, "%s = \"%.*s\"", option, (int)o.n, o.n ? o.p : "");
}

/* Sizes in DeepSpeed's file that no field of a plan stands for. */
static void write_sizes(struct factory *y, const struct json *config)
{
	static const char *const sizes[][2] = {
		{ "sub_group_size", "sub_group" },
		{ "stage3_prefetch_bucket_size", "prefetch_bucket" },
		{ "stage3_param_persistence_threshold", "persistence_threshold" },
	};
	const struct json *zero = config ? foreign_get(config, "zero_optimization") : NULL, *v;

	if (!zero || zero->kind != JSON_OBJECT)
		return;
	for (size_t i = 0; i < PLAN_COUNT(sizes); i++)
		if ((v = foreign_get(zero, sizes[i][0])) && v->kind == JSON_NUMBER)
			line(y, sizes[i][1], plan_text_number(&y->w, v->number));
}

/* An evaluation each so many steps. */
static void write_evaluation(struct factory *y)
{
	const struct json *steps;

	if (!taken_same(&y->t, "eval_strategy", "steps"))
		return;
	steps = taken_int(&y->t, "eval_steps", 1);
	if (steps)
		line(y, "eval_every", plan_text_number(&y->w, steps->number));
	(void)taken_same(&y->t, "per_device_eval_batch_size", "1");
}

/* What the target says unasked cannot be handed on besides; another value is named. */
static void write_unasked(struct factory *y)
{
	static const char *const unasked[][2] = {
		{ "do_train", "true" },	      { "overwrite_output_dir", "true" }, { "report_to", "none" },
		{ "ddp_timeout", "180000000" }, { "neat_packing", "true" },
	};

	for (size_t i = 0; i < PLAN_COUNT(unasked); i++)
		if (foreign_get(y->t.object, unasked[i][0]) && !taken_same(&y->t, unasked[i][0], unasked[i][1])) {
			plan_text_comment(&y->w, "%s is %s here.", unasked[i][0], unasked[i][1]);
			(void)taken_find(&y->t, unasked[i][0]);
		}
}

static void write_emit(struct factory *y, const struct json *config)
{
	static const char *const texts[][2] = {
		{ "model_name_or_path", "model_path" }, { "template", "template" }, { "dataset", "dataset" },
		{ "dataset_dir", "data" }, { "output_dir", "output" }, { "lr_scheduler_type", "lr_decay" },
	};
	static const char *const numbers[][2] = {
		{ "learning_rate", "lr" }, { "weight_decay", "weight_decay" }, { "max_steps", "iterations" },
		{ "num_train_epochs", "epochs" }, { "warmup_steps", "warmup" }, { "warmup_ratio", "warmup_ratio" },
		{ "save_steps", "save_every" }, { "logging_steps", "log_every" }, { "seed", "seed" },
		{ "preprocessing_num_workers", "processes" }, { "val_size", "validation" },
		{ "lora_dropout", "lora_dropout" },
	};
	const struct json *v;

	plan_text_open(&y->w, SPAN_NONE, "emit llamafactory from tuning to \"tuning\" {");
	for (size_t i = 0; i < PLAN_COUNT(texts); i++)
		write_text(y, taken_find(&y->t, texts[i][0]), texts[i][1]);
	for (size_t i = 0; i < PLAN_COUNT(numbers); i++)
		if ((v = taken_number(&y->t, numbers[i][0], 0)))
			line(y, numbers[i][1], plan_text_number(&y->w, v->number));
	write_sizes(y, config);
	write_evaluation(y);
	write_unasked(y);
	taken_hand_on(&y->t, &y->w);
	plan_text_close(&y->w, "}");
}

static void write_head(struct factory *y)
{
	const struct json *name = taken_text(&y->t, "model_name_or_path");

	out_text(&y->w.text->text,
		 "edition 1\n\nimport \"std:clusters\" as clusters\nimport \"std:models\"   as models\n\n");
	plan_text_comment(&y->w, "The file names the model without its shape, and no machines:");
	if (name)
		plan_text_comment(&y->w, "%.*s", (int)(name->text.n > 80 ? 80 : name->text.n), name->text.p);
	out_text(&y->w.text->text,
		 "param trained: model = {}\nparam machines: cluster = {}\n"
		 "assert machines_given: len(machines.levels) > 0\n"
		 "  because \"which model, which machines? -p trained=models.llama3_8b -p "
		 "machines=clusters.dgx_h100\"\n\n");
}

bool import_llamafactory(const struct import_input *in, struct import_text *result)
{
	struct factory y = { .f = { .arena = in->arena, .sink = in->sink, .program = "LLaMA-Factory" },
			     .w = { .arena = in->arena, .text = result } };
	const struct json *root, *config = NULL;

	memset(result, 0, sizeof *result);
	out_init(&result->text, in->arena);
	root = yaml_load(&y.f, in->sources, str_of(in->paths[0]), "configuration");
	if (in->count > 1)
		config = foreign_load(in->arena, in->sources, in->sink, str_of(in->paths[1]), "DeepSpeed config");
	if (!root || (in->count > 1 && !config))
		return false;
	taken_init(&y.t, &y.f, root, "the configuration");
	write_head(&y);
	write_strategy(&y, config);
	plan_text_blank(&y.w);
	write_job(&y);
	plan_text_blank(&y.w);
	write_emit(&y, config);
	plan_text_blank(&y.w);
	taken_rest(&y.t, &y.w, "No counterpart here:");
	return y.t.fine;
}
