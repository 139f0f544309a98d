/* parts.c - results of the cost model taken apart: a step into the parts of its critical rank, memory into
 * the parts of the worst stage, both down to the operators. */
#include "runtime/ask/why/why_int.h"

static const struct dimension seconds = { .time = 1 }, bytes = { .info = 1 }, none = { 0 };

/* ---- lines ----------------------------------------------------------------------------------- */

static void json_part(struct parts *p, const char *name, double x, struct dimension d)
{
	struct type t = { .kind = TYPE_NUMBER, .dim = d, .exactness = EXACT_REAL };
	struct out text;

	out_init(&text, p->o->arena);
	quantity_print(&text, x, d);
	json_begin_object(p->json, NULL);
	json_text(p->json, "name", name);
	json_real(p->json, "value", x);
	json_str(p->json, "unit", type_base_unit(p->o->arena, &t));
	json_str(p->json, "text", out_view(&text));
	json_end(p->json);
}

static void line(struct parts *p, const char *name, double x, struct dimension d)
{
	if (p->json) {
		json_part(p, name, x, d);
		return;
	}
	out_repeat(p->o, ' ', p->indent);
	out_printf(p->o, "%s = ", name);
	if (dim_is_one(d))
		out_grouped(p->o, (int64_t)x);
	else
		quantity_print(p->o, x, d);
	out_char(p->o, '\n');
}

/* Lines up to group_end belong together. */
static void group_begin(struct parts *p, const char *about)
{
	if (p->json) {
		json_begin_object(p->json, NULL);
		json_text(p->json, "about", about);
		json_begin_array(p->json, "parts");
		return;
	}
	out_repeat(p->o, ' ', p->indent);
	out_printf(p->o, "%s:\n", about);
	p->indent += INDENT;
}

static void group_end(struct parts *p)
{
	if (p->json) {
		json_end(p->json);
		json_end(p->json);
		return;
	}
	p->indent -= INDENT;
}

/* ---- operators ------------------------------------------------------------------------------- */

static double compute_of(const struct engine_operator *op)
{
	double sum = 0;

	for (int i = 0; i < PHASE_COUNT; i++)
		sum += op->compute[i];
	return sum;
}

static double network_of(const struct engine_operator *op)
{
	double sum = 0;

	for (int i = 0; i < PHASE_COUNT; i++)
		for (int k = 0; k < TRAFFIC_COUNT; k++)
			sum += op->network[i][k];
	return sum;
}

static double kept_of(const struct engine_operator *op)
{
	return (double)op->keep;
}

typedef double measure(const struct engine_operator *op);

static void operators(const struct job *j, struct parts *p, const char *about, measure *of, struct dimension d)
{
	group_begin(p, about);
	for (int i = 0; i < j->result.operator_count; i++) {
		const struct engine_operator *op = &j->result.operators[i];

		struct out name;

		if (of(op) <= 0)
			continue;
		out_init(&name, p->o->arena);
		out_printf(&name, "%s.%s", graph_part_name(op->part), op->name);
		line(p, str_copy(p->o->arena, out_view(&name)).p, of(op), d);
	}
	group_end(p);
}

/* ---- results --------------------------------------------------------------------------------- */

static void step_time(const struct job *j, struct parts *p)
{
	const struct engine_step *s = &j->result.step;

	group_begin(p, "exposed on the critical rank; these add up");
	for (int i = 0; i < STEP_PART_COUNT; i++)
		if (s->part[i] > 0)
			line(p, step_part_name((enum step_part)i), s->part[i], seconds);
	group_end(p);
	operators(j, p, "computation of one micro-batch on one GPU, operators of a layer once", compute_of,
		  seconds);
}

static void network(const struct job *j, struct parts *p)
{
	operators(j, p,
		  "communication of one micro-batch on one GPU before hiding, operators of a layer once",
		  network_of, seconds);
}

static void memory_peak(const struct job *j, struct parts *p)
{
	const struct engine_memory *m = &j->result.memory;
	const struct {
		const char *name;
		int64_t size;
	} parts[] = {
		{ "weights", m->weights },         { "gradients", m->gradients },
		{ "optimizer", m->optimizer },     { "activations", m->activations },
		{ "logits", m->logits },           { "buffers", m->buffers },
	};

	struct out about;

	out_init(&about, p->o->arena);
	out_printf(&about, "on stage %lld; these add up", (long long)m->worst_stage);
	group_begin(p, str_copy(p->o->arena, out_view(&about)).p);
	for (size_t i = 0; i < PLAN_COUNT(parts); i++)
		if (parts[i].size > 0)
			line(p, parts[i].name, (double)parts[i].size, bytes);
	group_end(p);
}

static void activations(const struct job *j, struct parts *p)
{
	operators(j, p, "kept for backward by one micro-batch on one GPU, operators of a layer once", kept_of,
		  bytes);
}

static void throughput(const struct job *j, struct parts *p)
{
	line(p, "tokens_per_step", (double)j->result.counts.tokens_per_step, none);
	line(p, "step.time", j->result.step.time, seconds);
}

static void utilisation(const struct job *j, struct parts *p)
{
	static const struct dimension rate = { .work = 1, .time = -1 };

	line(p, "model_flops_per_gpu", j->result.throughput.model_flops_per_gpu, rate);
	line(p, "step.time", j->result.step.time, seconds);
}

static const struct {
	const char *schema, *field;
	void (*print)(const struct job *j, struct parts *p);
} rows[] = {
	{ "step_result", "time", step_time },
	{ "step_result", "compute", step_time },
	{ "step_result", "tensor_comm", network },
	{ "step_result", "expert_comm", network },
	{ "step_result", "context_comm", network },
	{ "memory_result", "peak", memory_peak },
	{ "memory_result", "reserved", memory_peak },
	{ "memory_result", "activations", activations },
	{ "job", "tokens_per_second", throughput },
	{ "job", "tokens_per_second_per_gpu", throughput },
	{ "job", "mfu", utilisation },
	{ "job", "hfu", utilisation },
};

void parts_print(struct eval *ev, const struct read *r, struct parts *parts)
{
	const struct ir_program *p = ev->program;
	const struct ir_schema *schema = &p->schemas.at[r->record->schema];
	struct str field = sym_str(p->names, schema->fields[r->slot].name);

	if (!r->job)
		return;
	for (size_t i = 0; i < PLAN_COUNT(rows); i++) {
		uint32_t wanted = ir_find_schema(p, rows[i].schema);

		if (wanted != IR_NONE && ir_schema_extends(p, r->record->schema, wanted) &&
		    str_is(field, rows[i].field)) {
			rows[i].print(r->job, parts);
			return;
		}
	}
}
