/* why_parts.c - results of the cost model taken apart: a step into the parts of its critical rank, memory into
 * the parts of the worst stage, both down to the operators. */
#include "runtime/ask/why_int.h"

/* Parts stand under their heading. */
enum { INDENT = 2 };

static const struct dimension seconds = { .time = 1 }, bytes = { .info = 1 };

static void line(struct out *o, uint32_t indent, const char *name, double x, struct dimension d)
{
	out_repeat(o, ' ', indent);
	out_printf(o, "%s = ", name);
	quantity_print(o, x, d);
	out_char(o, '\n');
}

static void heading(struct out *o, uint32_t indent, const char *text)
{
	out_repeat(o, ' ', indent);
	out_printf(o, "%s\n", text);
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

static void operators(const struct job *j, uint32_t indent, struct out *o, measure *of, struct dimension d)
{
	for (int i = 0; i < j->result.operator_count; i++) {
		const struct engine_operator *op = &j->result.operators[i];

		if (of(op) <= 0)
			continue;
		out_repeat(o, ' ', indent + INDENT);
		out_printf(o, "%s.%s = ", graph_part_name(op->part), op->name);
		quantity_print(o, of(op), d);
		out_char(o, '\n');
	}
}

/* ---- results --------------------------------------------------------------------------------- */

static void step_time(const struct job *j, uint32_t indent, struct out *o)
{
	const struct engine_step *s = &j->result.step;

	heading(o, indent, "exposed on the critical rank; these add up:");
	for (int i = 0; i < STEP_PART_COUNT; i++)
		if (s->part[i] > 0)
			line(o, indent + INDENT, step_part_name((enum step_part)i), s->part[i],
			     seconds);
	heading(o, indent, "computation of one micro-batch on one GPU, operators of a layer once:");
	operators(j, indent, o, compute_of, seconds);
}

static void network(const struct job *j, uint32_t indent, struct out *o)
{
	heading(o, indent, "communication of one micro-batch on one GPU before hiding, operators of a layer once:");
	operators(j, indent, o, network_of, seconds);
}

static void memory_peak(const struct job *j, uint32_t indent, struct out *o)
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

	out_repeat(o, ' ', indent);
	out_printf(o, "on stage %lld; these add up:\n", (long long)m->worst_stage);
	for (size_t i = 0; i < PLAN_COUNT(parts); i++)
		if (parts[i].size > 0)
			line(o, indent + INDENT, parts[i].name, (double)parts[i].size, bytes);
}

static void activations(const struct job *j, uint32_t indent, struct out *o)
{
	heading(o, indent, "kept for backward by one micro-batch on one GPU, operators of a layer once:");
	operators(j, indent, o, kept_of, bytes);
}

static void throughput(const struct job *j, uint32_t indent, struct out *o)
{
	out_repeat(o, ' ', indent);
	out_printf(o, "tokens_per_step = ");
	out_grouped(o, j->result.counts.tokens_per_step);
	out_char(o, '\n');
	line(o, indent, "step.time", j->result.step.time, seconds);
}

static void utilisation(const struct job *j, uint32_t indent, struct out *o)
{
	static const struct dimension rate = { .work = 1, .time = -1 };

	line(o, indent, "model_flops_per_gpu", j->result.throughput.model_flops_per_gpu, rate);
	line(o, indent, "step.time", j->result.step.time, seconds);
}

static const struct {
	const char *schema, *field;
	void (*print)(const struct job *j, uint32_t indent, struct out *o);
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

void parts_print(struct eval *ev, const struct read *r, uint32_t indent, struct out *o)
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
			rows[i].print(r->job, indent, o);
			return;
		}
	}
}
