/* text.c - errors, shapes and part names in words. */

#include <inttypes.h>

#include "runtime/engine/engine.h"

const char *step_part_name(enum step_part part)
{
	static const char *const names[STEP_PART_COUNT] = {
		"compute",         "recompute",        "bubble",      "straggler",
		"tensor_comm",     "context_comm",     "expert_comm", "pipeline_comm",
		"gradient_reduce", "parameter_gather", "optimizer",   "offload",
		"other",
	};

	return names[part];
}

const char *dtype_name(enum engine_dtype dtype)
{
	static const char *const names[DTYPE_COUNT] = {
		"fp32", "tf32", "bf16", "fp16", "fp8", "mxfp8", "int8", "fp4", "nvfp4", "nf4",
	};

	return names[dtype];
}

static void matmul_text(const struct matmul_point *m, char *text, size_t cap)
{
	static const char *const layouts[] = { "TN", "NN", "NT" };

	snprintf(text, cap,
		 "%s b=%" PRIi64 ", m=%" PRIi64 ", k=%" PRIi64 ", n=%" PRIi64
		 ", layout=%s, accumulate=%s, out_dtype=%s",
		 kernel_name(m->kernel), m->batch, m->m, m->k, m->n, layouts[m->layout],
		 m->accumulate ? "True" : "False", dtype_name(m->out));
}

static void attention_text(const struct attention_point *a, char *text, size_t cap)
{
	snprintf(text, cap,
		 "%s batch=%" PRIi64 ", seq_len=%" PRIi64 ", head_num=%" PRIi64
		 ", kv_head_num=%" PRIi64 ", qk_head_dim=%" PRIi64 ", v_head_dim=%" PRIi64
		 ", qkv_contiguous=%s",
		 kernel_name(a->kernel), a->batch, a->sequence, a->heads, a->kv_heads, a->qk_head,
		 a->v_head, a->contiguous ? "True" : "False");
}

static void grouped_text(const struct grouped_point *g, char *text, size_t cap)
{
	static const char *const stages[] = { "fwd", "bwd_grad_act", "bwd_grad_w" };

	snprintf(text, cap,
		 "%s ng=%" PRIi64 ", M=%" PRIi64 ", N=%" PRIi64 ", K=%" PRIi64
		 ", dtype=%s, out_dtype=%s, main_grad_dtype=%s, stage=%s",
		 kernel_name(g->kernel), g->groups, g->m, g->n, g->k, dtype_name(g->dtype),
		 dtype_name(g->out), dtype_name(g->gradient), stages[g->stage]);
}

void engine_shape_text(const struct engine_shape *shape, char *text, size_t cap)
{
	switch (shape->table) {
	case TABLE_MATMUL:
		matmul_text(&shape->matmul, text, cap);
		break;
	case TABLE_ATTENTION:
		attention_text(&shape->attention, text, cap);
		break;
	case TABLE_GROUPED:
		grouped_text(&shape->grouped, text, cap);
		break;
	}
}

void engine_error_text(const struct engine_error *error, char *text, size_t cap)
{
	char shape[ENGINE_TEXT_MAX];

	switch (error->status) {
	case ENGINE_OK:
		snprintf(text, cap, "no error");
		break;
	case ENGINE_SPLIT:
		algebra_error_text(&error->split, text, cap);
		break;
	case ENGINE_SIZE:
		snprintf(text, cap, "%s is %" PRIi64 "; it must be positive and fit the others",
			 error->what, error->size);
		break;
	case ENGINE_OVERFLOW:
		snprintf(text, cap, "the %s of this job do not fit 63 bits", error->what);
		break;
	case ENGINE_UNSUPPORTED:
		snprintf(text, cap, "the cost engine does not model %s yet", error->what);
		break;
	case ENGINE_LAYOUT:
		snprintf(text, cap, "the pipeline has %s (%" PRIi64 ")", error->what, error->size);
		break;
	case ENGINE_NETWORK:
		snprintf(text, cap, "%s has no level to communicate over", error->what);
		break;
	case ENGINE_MISSING:
		engine_shape_text(&error->miss, shape, sizeof(shape));
		snprintf(text, cap, "no table has the shape %s, and the profile refuses estimates",
			 shape);
		break;
	case ENGINE_SCHEDULE:
		snprintf(text, cap,
			 "the pipeline schedule cannot finish with %" PRIi64 " micro-batches: %s",
			 error->size, error->what);
		break;
	}
}
