/* json.c - the report for programs. docs/report.schema.json describes the object field by field. */
#include "runtime/report/report.h"

#include "runtime/io/json_write.h"

static void model(struct json_writer *w, const struct job *j)
{
	json_begin_object(w, "model");
	json_int(w, "parameters", j->parameters);
	json_int(w, "active_parameters", j->active_parameters);
	json_real(w, "flops_per_token", j->result.counts.flops_per_token);
	json_end(w);
}

static void parallel(struct json_writer *w, const struct job *j)
{
	static const char *const groups[GROUP_COUNT] = {
		[GROUP_TP] = "tp", [GROUP_CP] = "cp",   [GROUP_PP] = "pp",   [GROUP_DP] = "dp",
		[GROUP_EP] = "ep", [GROUP_ETP] = "etp", [GROUP_EDP] = "edp",
	};
	const struct engine_parallel *p = &j->input.parallel;
	const struct engine_batch *b = &j->input.batch;

	json_begin_object(w, "parallel");
	json_int(w, "world", p->world);
	json_int(w, "tp", p->tp);
	json_int(w, "cp", p->cp);
	json_int(w, "pp", p->pp);
	json_int(w, "vpp", p->vpp);
	json_int(w, "dp", p->dp);
	json_int(w, "ep", p->ep);
	json_int(w, "etp", p->etp);
	json_int(w, "edp", p->edp);
	json_int(w, "micro_batch", b->micro);
	json_int(w, "micro_batches", b->micro_batches);
	json_int(w, "global_batch", b->micro * b->micro_batches * p->dp);
	json_begin_object(w, "network");
	for (int g = 0; g < GROUP_COUNT; g++)
		json_str(w, groups[g], job_level_name(j, (enum engine_group)g));
	json_end(w);
	json_end(w);
}

static void step(struct json_writer *w, const struct engine_step *s)
{
	json_begin_object(w, "step");
	json_real(w, "time_s", s->time);
	json_real(w, "pipeline_s", s->pipeline);
	json_real(w, "bubble_s", s->part[STEP_BUBBLE]);
	json_real(w, "straggler_s", s->part[STEP_STRAGGLER]);
	json_real(w, "optimizer_s", s->part[STEP_OPTIMIZER]);
	json_real(w, "gradient_reduce_s", s->part[STEP_GRADIENT_REDUCE]);
	json_real(w, "parameter_gather_s", s->part[STEP_PARAMETER_GATHER]);
	json_end(w);
}

static void throughput(struct json_writer *w, const struct engine_throughput *t)
{
	json_begin_object(w, "throughput");
	json_real(w, "tokens_per_s", t->tokens_per_s);
	json_real(w, "tokens_per_s_per_gpu", t->tokens_per_s_per_gpu);
	json_real(w, "model_flops_per_s_per_gpu", t->model_flops_per_gpu);
	json_real(w, "mfu", t->mfu);
	json_end(w);
}

/* Layers of one pipeline rank: those of all its virtual stages. */
static void rank_layers(struct json_writer *w, const struct engine_result *r, int64_t rank)
{
	int64_t layers = 0, further = 0;

	for (int64_t i = 0; i < r->stage_count; i++) {
		if (r->stages[i].rank != rank && r->stages[i].mirror != rank)
			continue;
		layers += r->stages[i].layers;
		further += r->stages[i].mtp;
	}
	json_int(w, "layers", layers);
	json_int(w, "mtp_layers", further);
}

static void memory(struct json_writer *w, const struct job *j)
{
	const struct engine_result *r = &j->result;

	json_begin_object(w, "memory");
	json_int(w, "peak_bytes", r->memory.peak);
	json_int(w, "peak_reserved_bytes", r->memory.reserved);
	json_int(w, "worst_stage", r->memory.worst_stage);
	json_bool(w, "fits", j->fits);
	json_begin_array(w, "stages");
	for (int64_t i = 0; i < r->stage_count; i++) {
		const struct engine_stage *s = &r->stages[i];

		/* The memory of a rank stands in its first chunk. */
		if (s->chunk != 0)
			continue;
		json_begin_object(w, NULL);
		json_int(w, "stage", s->rank);
		rank_layers(w, r, s->rank);
		json_int(w, "weights_bytes", s->weights);
		json_int(w, "gradients_bytes", s->gradients);
		json_int(w, "optimizer_bytes", s->optimizer);
		json_int(w, "other_static_bytes", s->other_static);
		json_int(w, "activations_per_microbatch_bytes", s->activations);
		json_int(w, "microbatches_in_flight", s->in_flight);
		json_int(w, "activation_peak_bytes", s->activation_peak);
		json_int(w, "peak_bytes", s->peak);
		json_end(w);
	}
	json_end(w);
	json_end(w);
}

static void stages(struct json_writer *w, const struct engine_result *r)
{
	json_begin_array(w, "stages");
	for (int64_t i = 0; i < r->stage_count; i++) {
		const struct engine_stage *s = &r->stages[i];

		json_begin_object(w, NULL);
		json_int(w, "stage", s->stage);
		json_int(w, "chunk", s->chunk);
		json_real(w, "forward_compute_s", s->forward_compute);
		json_real(w, "forward_network_s", s->forward_network);
		json_real(w, "backward_compute_s", s->backward_compute);
		json_real(w, "backward_network_s", s->backward_network);
		json_real(w, "recompute_s", s->recompute);
		json_real(w, "p2p_s", s->p2p);
		json_real(w, "optimizer_s", s->optimizer_step);
		json_real(w, "data_parallel_s", s->data_parallel);
		json_end(w);
	}
	json_end(w);
}

static void efficiency(struct json_writer *w, const struct engine_efficiency *e)
{
	char text[ENGINE_TEXT_MAX];

	json_begin_object(w, "efficiency");
	json_int(w, "shapes_hit", e->hit);
	json_begin_array(w, "shapes_missed");
	for (int64_t i = 0; i < e->missed_count; i++) {
		engine_shape_text(&e->missed[i], text, sizeof text);
		json_text(w, NULL, text);
	}
	json_end(w);
	json_end(w);
}

static void write_warnings(struct json_writer *w, const struct diag_sink *sink)
{
	json_begin_array(w, "warnings");
	for (uint32_t i = 0; i < sink->diags.n; i++) {
		const struct diag *d = sink->diags.at[i];
		struct out text;

		if (d->severity != DIAG_WARNING)
			continue;
		out_init(&text, w->arena);
		out_printf(&text, "%s: ", diag_info(d->code)->name);
		out_str(&text, d->message);
		json_str(w, NULL, out_view(&text));
	}
	json_end(w);
}

void report_json(const struct job *j, const struct diag_sink *warnings, struct out *o)
{
	struct json_writer w;

	json_writer_init(&w, o->arena);
	json_begin_object(&w, NULL);
	json_text(&w, "schema", "planc.report/1");
	json_str(&w, "job", j->name);
	json_str(&w, "profile", j->profile_name);
	model(&w, j);
	parallel(&w, j);
	step(&w, &j->result.step);
	throughput(&w, &j->result.throughput);
	memory(&w, j);
	stages(&w, &j->result);
	efficiency(&w, &j->result.efficiency);
	write_warnings(&w, warnings);
	json_end(&w);
	json_print(&w, o, true);
	out_char(o, '\n');
}
