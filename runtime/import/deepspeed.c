/* deepspeed.c - a DeepSpeed config as a strategy and a job. Fields, defaults and the batch rule: DeepSpeed
 * 0.19 (deepspeedai/DeepSpeed, deepspeed/runtime/config.py, runtime/zero/config.py, offload_config.py);
 * what "auto" stands for: huggingface/transformers, integrations/deepspeed.py.
 *
 * The config says nothing about model, sequence and machines: the plan asks for them, and for what is
 * "auto". */
#include "runtime/import/deepspeed.h"

#include <inttypes.h>

#include "runtime/import/importer.h"

struct deepspeed {
	struct foreign f;
	struct taken root, zero, tensor;
	bool has_zero, has_tensor;
	struct plan_text w;
	int64_t stage, tp, cp, ep;
	struct out params;           /* what is asked for, for the head of the plan */
	bool format_open;            /* bf16 or fp16 is "auto" */
};

static bool is_auto(const struct json *v)
{
	return v && v->kind == JSON_STRING && str_is(v->text, "auto");
}

static bool auto_at(struct taken *t, const char *key)
{
	return is_auto(taken_find(t, key));
}

/* An object inside; false where it is absent. */
static bool enter(struct taken *inner, struct taken *t, const char *key)
{
	const struct json *v = taken_object(t, key);

	if (v)
		taken_init(inner, t->f, v, key);
	return v != NULL;
}

/* A `param` that an assert asks for; its name. */
static const char *ask(struct deepspeed *d, const char *name, const char *why)
{
	out_printf(&d->params, "# %s\nparam %s: int = 0\nassert %s_given: %s > 0\n"
		   "  because \"this plan needs a value: -p %s=...\"\n\n", why, name, name, name, name);
	return name;
}

static void line(struct deepspeed *d, const char *field, const char *value)
{
	plan_text_line(&d->w, SPAN_NONE, "%s = %s", field, value);
}

static const char *whole_text(struct deepspeed *d, const struct json *v)
{
	int64_t n;

	return num_fits_int64(v->number, &n) ? plan_text_int(&d->w, n) : plan_text_number(&d->w, v->number);
}

/* ---- strategy -------------------------------------------------------------------------------- */

static void write_precision(struct deepspeed *d)
{
	struct taken bf16, fp16;
	bool has_bf16 = enter(&bf16, &d->root, "bf16 bfloat16"), has_fp16 = enter(&fp16, &d->root, "fp16");
	bool open = (has_bf16 && auto_at(&bf16, "enabled")) || (has_fp16 && auto_at(&fp16, "enabled"));
	bool is_bf16 = !open && has_bf16 && taken_bool(&bf16, "enabled", false);
	bool is_fp16 = !open && has_fp16 && taken_bool(&fp16, "enabled", false);

	d->root.fine = d->root.fine && (!has_bf16 || bf16.fine) && (!has_fp16 || fp16.fine);
	if (is_bf16 && is_fp16) {
		foreign_refuse(&d->f, foreign_span(d->root.object, "fp16"), "bf16 and fp16 are both enabled");
		d->root.fine = false;
	}
	d->format_open = open;
	line(d, "precision", open ? "if number_format == \"bf16\" then bf16 else if number_format == \"fp16\""
				    " then fp16 else fp32"
			   : is_bf16 ? "bf16" : is_fp16 ? "fp16" : "fp32");
}

static void write_device(struct deepspeed *d, struct taken *t, const char *field, bool ratio)
{
	const struct json *device = taken_text(t, "device"), *share = NULL;
	bool pinned = taken_bool(t, "pin_memory", true);

	if (!device || str_is(device->text, "none"))
		return;
	if (!str_is(device->text, "cpu") && !str_is(device->text, "nvme")) {
		foreign_refuse(&d->f, device->span, "`device` is none, cpu or nvme");
		t->fine = false;
		return;
	}
	plan_text_open(&d->w, device->span, "%s {", field);
	if (ratio)
		share = taken_number(t, "ratio", 0);
	line(d, "fraction", share ? plan_text_number(&d->w, share->number) : "1");
	if (str_is(device->text, "nvme"))
		line(d, "store", "nvme");
	if (!pinned)
		line(d, "pinned", "false");
	plan_text_close(&d->w, "}");
}

static void write_offload(struct deepspeed *d)
{
	struct taken states, weights;
	bool has_states = d->has_zero && enter(&states, &d->zero, "offload_optimizer");
	bool has_weights = d->has_zero && enter(&weights, &d->zero, "offload_param");

	if (!has_states && !has_weights)
		return;
	plan_text_open(&d->w, SPAN_NONE, "offload {");
	if (has_states)
		write_device(d, &states, "optimizer", true);
	if (has_weights)
		write_device(d, &weights, "parameters", false);
	plan_text_close_full(&d->w, "}");
	d->root.fine = d->root.fine && (!has_states || states.fine) && (!has_weights || weights.fine);
}

/* The block says how DeepSpeed's checkpoint function keeps its inputs; a script that has it calls that. */
static void write_recompute(struct deepspeed *d)
{
	struct taken kept;

	if (!enter(&kept, &d->root, "activation_checkpointing"))
		return;
	plan_text_open(&d->w, kept.object->span, "recompute {");
	line(d, "granularity", "full");
	if (taken_bool(&kept, "partition_activations", false))
		line(d, "distribute", "true");
	plan_text_close(&d->w, "}");
	if (taken_bool(&kept, "cpu_checkpointing", false))
		plan_text_comment(&d->w, "cpu_checkpointing, which sends those inputs to the host, is left out.");
	d->root.fine = d->root.fine && kept.fine;
}

/* What is gathered early with stage 3, and reduced beside backward where overlap_comm is on. */
static void write_overlap(struct deepspeed *d)
{
	bool three = d->stage == 3, known = d->has_zero && !auto_at(&d->zero, "overlap_comm");
	bool overlap = known ? taken_bool(&d->zero, "overlap_comm", three) : three;

	plan_text_open(&d->w, SPAN_NONE, "overlap {");
	if (overlap)
		line(d, "gradient_reduce", "true");
	if (overlap && three)
		line(d, "parameter_gather", "true");
	plan_text_close_full(&d->w, "}");
}

/* Trainer puts the square of the hidden width for "auto". */
static void write_buckets(struct deepspeed *d)
{
	const struct json *v;

	if (auto_at(&d->zero, "reduce_bucket_size")) {
		plan_text_comment(&d->w, "\"auto\": Hugging Face's Trainer takes the square of the width.");
		line(d, "bucket", "trained.hidden ^ 2");
	} else if ((v = taken_int(&d->zero, "reduce_bucket_size", 1))) {
		plan_text_line(&d->w, v->span, "bucket = %s", whole_text(d, v));
	} else {
		line(d, "bucket", "500_000_000");
	}
}

static void write_groups(struct deepspeed *d)
{
	int64_t mics = taken_count(&d->zero, "mics_shard_size", -1, -1);
	int64_t second = taken_count(&d->zero, "zero_hpz_partition_size", 1, 1);

	if (mics > 0)
		plan_text_line(&d->w, SPAN_NONE, "shard_group = %" PRIi64, mics);
	if (second > 1)
		plan_text_line(&d->w, SPAN_NONE, "gather_group = %" PRIi64, second);
}

static void write_zero(struct deepspeed *d)
{
	static const char *const cuts[] = { "off", "optimizer", "gradients", "parameters" };

	line(d, "zero", cuts[d->stage]);
	if (d->has_zero)
		write_buckets(d);
	if (d->has_zero && d->stage == 3)
		write_groups(d);
}

static void write_strategy(struct deepspeed *d)
{
	plan_text_open(&d->w, SPAN_NONE, "strategy spread {");
	if (d->tp > 1) {
		plan_text_line(&d->w, SPAN_NONE, "tp = %" PRIi64, d->tp);
		line(d, "sequence_parallel", "false");
	}
	if (d->cp > 1) {
		plan_text_line(&d->w, SPAN_NONE, "cp = %" PRIi64, d->cp);
		line(d, "cp_comm", "a2a");
	}
	if (d->ep > 1)
		plan_text_line(&d->w, SPAN_NONE, "ep = %" PRIi64, d->ep);
	write_zero(d);
	write_precision(d);
	write_recompute(d);
	write_offload(d);
	write_overlap(d);
	plan_text_close(&d->w, "}");
}

/* ---- job ------------------------------------------------------------------------------------- */

static void write_optimizer(struct deepspeed *d)
{
	static const char *const kinds[][2] = { { "adam", "adamw" }, { "adamw", "adamw" }, { "sgd", "sgd" },
						{ "lion", "lion" },  { "muon", "muon" } };
	const struct json *clip = auto_at(&d->root, "gradient_clipping")
					  ? NULL : taken_number(&d->root, "gradient_clipping", 0);
	const struct json *type = NULL;
	struct taken optimizer, types;
	const char *kind = NULL;

	plan_text_open(&d->w, SPAN_NONE, "optimizer {");
	if (enter(&optimizer, &d->root, "optimizer"))
		type = taken_text(&optimizer, "type");
	for (size_t i = 0; type && i < PLAN_COUNT(kinds); i++) {
		bool same = type->text.n == strlen(kinds[i][0]);

		for (uint32_t k = 0; same && k < type->text.n; k++)
			same = (type->text.p[k] | 0x20) == kinds[i][0][k];
		kind = same ? kinds[i][1] : kind;
	}
	if (type && !kind) {
		foreign_refuse(&d->f, type->span, "no update rule of a plan is \"%.*s\"",
			       (int)(type->text.n > 40 ? 40 : type->text.n), type->text.p);
		d->root.fine = false;
	}
	line(d, "kind", kind ? kind : "adamw");
	/* Gradients are accumulated in the format of the model unless data_types says otherwise. */
	if (enter(&types, &d->root, "data_types") && (type = taken_text(&types, "grad_accum_dtype")) &&
	    (str_is(type->text, "fp32") || str_is(type->text, "bf16") || str_is(type->text, "fp16")))
		plan_text_line(&d->w, type->span, "gradient = %.*s", (int)type->text.n, type->text.p);
	else
		line(d, "gradient", "spread.precision.compute");
	if ((type = taken_text(&d->root, "communication_data_type")) &&
	    (str_is(type->text, "fp32") || str_is(type->text, "bf16") || str_is(type->text, "fp16")))
		plan_text_line(&d->w, type->span, "reduce = %.*s", (int)type->text.n, type->text.p);
	if (clip && num_sign(clip->number) == 0)
		line(d, "clip", "false");
	plan_text_close(&d->w, "}");
}

/* One of the three numbers of the batch rule: its text, a `param` for "auto", NULL where it is absent. */
static const char *batch_part(struct deepspeed *d, const char *key, bool asked)
{
	const struct json *v;

	if (auto_at(&d->root, key))
		return asked ? ask(d, key, "\"auto\" in the config: it comes from the command line.") : NULL;
	v = taken_int(&d->root, key, 1);
	return v ? whole_text(d, v) : NULL;
}

/* train_batch_size = train_micro_batch_size_per_gpu * gradient_accumulation_steps * replicas: two of them
 * give the third, one alone means no accumulation. */
static void write_batch(struct deepspeed *d)
{
	const char *whole = batch_part(d, "train_batch_size", false);
	const char *micro = batch_part(d, "train_micro_batch_size_per_gpu", true);
	const char *steps = batch_part(d, "gradient_accumulation_steps", !whole);
	int64_t group = d->tp * d->cp;
	struct out replicas;

	out_init(&replicas, d->f.arena);
	if (group > 1)
		out_printf(&replicas, "(machines.gpus div %" PRIi64 ")", group);
	else
		out_text(&replicas, "machines.gpus");
	out_char(&replicas, '\0');
	if (!whole && !micro) {
		if (!d->root.fine)
			return;
		foreign_refuse(&d->f, foreign_span(d->root.object, ""),
			       "the config has neither `train_batch_size` nor `train_micro_batch_size_per_gpu`");
		d->root.fine = false;
		return;
	}
	plan_text_open(&d->w, SPAN_NONE, "batch {");
	line(d, "sequence", ask(d, "sequence_length", "The config does not say how long a sample is."));
	if (micro)
		line(d, "micro", micro);
	else
		plan_text_line(&d->w, SPAN_NONE, "micro = %s / (%s * %s)", whole, steps ? steps : "1", replicas.p);
	if (whole)
		line(d, "global", whole);
	else
		plan_text_line(&d->w, SPAN_NONE, "global = %s * %s * %s", micro, steps ? steps : "1", replicas.p);
	plan_text_close(&d->w, "}");
}

static void write_job(struct deepspeed *d)
{
	plan_text_open(&d->w, SPAN_NONE, "job pretrain {");
	line(d, "model", "trained");
	line(d, "cluster", "machines");
	line(d, "strategy", "spread");
	line(d, "framework", "deepspeed");
	write_optimizer(d);
	write_batch(d);
	plan_text_close(&d->w, "}");
}

/* The options with which the target writes the file again. */
static void write_emit(struct deepspeed *d)
{
	static const char *const rows[][2] = { { "lr", "lr" }, { "eps", "epsilon" }, { "weight_decay", "weight_decay" } };
	static const char *const sizes[][2] = {
		{ "allgather_bucket_size", "gather_bucket" },
		{ "sub_group_size", "sub_group" },
		{ "stage3_prefetch_bucket_size", "prefetch_bucket" },
		{ "stage3_param_persistence_threshold", "persistence_threshold" },
		{ "stage3_max_live_parameters", "max_live" },
		{ "stage3_max_reuse_distance", "max_reuse" },
	};
	struct taken optimizer, params;
	bool has = enter(&optimizer, &d->root, "optimizer");
	const struct json *v;

	plan_text_open(&d->w, SPAN_NONE, "emit deepspeed from pretrain to \"ds_config.json\" {");
	if (!has)
		line(d, "makes_optimizer", "false");
	if (has && enter(&params, &optimizer, "params"))
		for (size_t i = 0; i < PLAN_COUNT(rows); i++)
			if (!auto_at(&params, rows[i][0]) && (v = taken_number(&params, rows[i][0], 0)))
				line(d, rows[i][1], plan_text_number(&d->w, v->number));
	for (size_t i = 0; d->has_zero && i < PLAN_COUNT(sizes); i++)
		if (!auto_at(&d->zero, sizes[i][0]) && (v = taken_int(&d->zero, sizes[i][0], 0)))
			line(d, sizes[i][1], whole_text(d, v));
	if (d->has_zero && !taken_bool(&d->zero, "stage3_gather_16bit_weights_on_model_save", true))
		line(d, "gather_on_save", "false");
	plan_text_close(&d->w, "}");
}

/* ---- entry ----------------------------------------------------------------------------------- */

static void write_head(struct deepspeed *d, struct out *o)
{
	out_text(o, "edition 1\n\nimport \"std:clusters\" as clusters\nimport \"std:models\"   as models\n\n");
	out_text(o, "# The config says neither which model is trained nor on which machines.\n"
		    "param trained: model = {}\nparam machines: cluster = {}\n"
		    "assert machines_given: len(machines.levels) > 0\n"
		    "  because \"which model, which machines? -p trained=models.llama3_8b -p "
		    "machines=clusters.dgx_h100\"\n\n");
	out_str(o, out_view(&d->params));
	if (d->format_open)
		out_text(o, "# \"auto\" in the config: bf16, fp16 or fp32.\n"
			    "param number_format: string = \"\"\n"
			    "assert number_format_given: number_format in [\"bf16\", \"fp16\", \"fp32\"]\n"
			    "  because \"this plan needs a value: -p 'number_format=\\\"bf16\\\"'\"\n\n");
}

static bool read_degrees(struct deepspeed *d)
{
	struct taken experts;

	d->has_zero = enter(&d->zero, &d->root, "zero_optimization");
	d->has_tensor = enter(&d->tensor, &d->root, "tensor_parallel");
	d->stage = d->has_zero ? taken_count(&d->zero, "stage", 0, 0) : 0;
	d->tp = d->has_tensor ? taken_count(&d->tensor, "autotp_size", 0, 1) : 1;
	d->cp = taken_count(&d->root, "sequence_parallel_size", 1, 1);
	d->ep = enter(&experts, &d->root, "expert_parallel") && taken_bool(&experts, "enabled", false)
			? taken_count(&experts, "autoep_size", 1, 1)
			: 1;
	if (d->stage > 3) {
		foreign_refuse(&d->f, foreign_span(d->zero.object, "stage"), "`stage` is 0, 1, 2 or 3");
		return false;
	}
	if (d->tp > 1000000 || d->cp > 1000000) {
		foreign_refuse(&d->f, d->root.object->span, "no machine has so many ranks");
		return false;
	}
	d->tp = d->tp < 1 ? 1 : d->tp;
	return true;
}

static bool is_fine(const struct deepspeed *d)
{
	return d->root.fine && (!d->has_zero || d->zero.fine) && (!d->has_tensor || d->tensor.fine);
}

bool deepspeed_write_sharding(struct foreign *f, struct plan_text *w, const struct json *config)
{
	struct deepspeed d = { .f = *f, .w = *w };

	taken_init(&d.root, &d.f, config, "the DeepSpeed config");
	if (!read_degrees(&d))
		return false;
	write_zero(&d);
	write_offload(&d);
	write_overlap(&d);
	return is_fine(&d);
}

bool import_deepspeed(const struct import_input *in, struct import_text *result)
{
	struct import_text body;
	struct deepspeed d = { .f = { .arena = in->arena, .sink = in->sink, .program = "DeepSpeed" },
			       .w = { .arena = in->arena, .text = &body } };
	const struct json *root;

	memset(result, 0, sizeof *result);
	memset(&body, 0, sizeof body);
	out_init(&result->text, in->arena);
	out_init(&body.text, in->arena);
	out_init(&d.params, in->arena);
	root = foreign_load(in->arena, in->sources, in->sink, str_of(in->paths[0]), "config");
	if (!root)
		return false;
	taken_init(&d.root, &d.f, root, "the config");
	if (!read_degrees(&d))
		return false;
	write_strategy(&d);
	plan_text_blank(&d.w);
	write_job(&d);
	plan_text_blank(&d.w);
	write_emit(&d);
	plan_text_blank(&d.w);
	taken_rest(&d.root, &d.w, "No counterpart here:");
	if (d.has_zero)
		taken_rest(&d.zero, &d.w, "No counterpart of zero_optimization here:");
	write_head(&d, &result->text);
	out_str(&result->text, out_view(&body.text));
	return is_fine(&d);
}
