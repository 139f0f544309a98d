/* gpu.c - SimuMax's `accelerator` as a record of schema `gpu`. tflops counts 1e12 FLOP/s,
 * gbps counts 2^30 bytes per second, mem_gbs counts 2^30 bytes. */
#include "runtime/import/simumax/simumax_int.h"

static const char *number_of(struct simumax *s, const struct json *object, const char *key)
{
	return plan_text_number(&s->w, foreign_number(object, key, 0));
}

/* The driver's bytes are whole; a fraction of a GiB that is not loses its last part of a byte. */
static void write_memory(struct simumax *s, const struct json *gpu)
{
	const struct json *v = foreign_get(gpu, "mem_gbs");
	struct num bytes;

	(void)num_mul(s->in->arena, v->number, num_int(INT64_C(1) << 30), &bytes);
	if (num_is_int(bytes))
		plan_text_line(&s->w, v->span, "memory = %s",
			       plan_text_quantity(&s->w, v->number, "GiB"));
	else
		plan_text_line(&s->w, v->span, "memory = %s",
			       plan_text_quantity(&s->w, num_floor(s->in->arena, bytes), "B"));
}

/* SimuMax prices every format by the same row, so the format of the job has that peak as well. */
static void write_peak(struct simumax *s, const struct json *ops)
{
	const struct json *row = foreign_get(ops, "default"), *fp8 = foreign_get(ops, "fp8_matmul");
	const struct json *dtype = foreign_get(s->strategy, "dtype");
	const char *rate = number_of(s, row, "tflops");

	plan_text_open(&s->w, foreign_span(row, "tflops"), "peak {");
	plan_text_line(&s->w, foreign_span(row, "tflops"), "bf16 = %s TFLOPS", rate);
	if (dtype && !str_is(dtype->text, "bf16"))
		plan_text_line(&s->w, foreign_span(row, "tflops"), "%.*s = %s TFLOPS",
			       (int)dtype->text.n, dtype->text.p, rate);
	if (fp8)
		plan_text_line(&s->w, foreign_span(fp8, "tflops"), "fp8 = %s TFLOPS",
			       number_of(s, fp8, "tflops"));
	plan_text_close(&s->w, "}");
	plan_text_line(&s->w, foreign_span(row, "efficient_factor"), "efficiency = %s",
		       number_of(s, row, "efficient_factor"));
}

static const char *quoted(struct simumax *s, struct str text)
{
	struct out o;

	out_init(&o, s->in->arena);
	for (uint32_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (c == '"' || c == '\\' || c == '{' || c == '}')
			out_char(&o, '\\');
		out_char(&o, (unsigned char)c < 0x20 ? '_' : c);
	}
	out_char(&o, '\0');
	return o.p;
}

static void write_compute(struct simumax *s, const struct json *ops)
{
	plan_text_open(&s->w, ops->span, "compute = [");
	for (uint32_t i = 0; i < ops->count; i++)
		if (!str_is(ops->keys[i], "default"))
			plan_text_line(&s->w, ops->key_spans[i],
				       "{ kernel = \"%s\", rate = %s TFLOPS, efficiency = %s },",
				       quoted(s, ops->keys[i]),
				       number_of(s, &ops->items[i], "tflops"),
				       number_of(s, &ops->items[i], "efficient_factor"));
	plan_text_close(&s->w, "]");
}

static void write_traffic(struct simumax *s, const struct json *rows)
{
	plan_text_open(&s->w, rows->span, "traffic = [");
	for (uint32_t i = 0; i < rows->count; i++)
		if (!str_is(rows->keys[i], "default"))
			plan_text_line(&s->w, rows->key_spans[i],
				       "{ kernel = \"%s\", bandwidth = %s GiB/s, efficiency = %s, "
				       "latency = %s us },",
				       quoted(s, rows->keys[i]),
				       number_of(s, &rows->items[i], "gbps"),
				       number_of(s, &rows->items[i], "efficient_factor"),
				       number_of(s, &rows->items[i], "latency_us"));
	plan_text_close(&s->w, "]");
}

/* All measured shapes that belong into one field of the gpu; nothing when there are none. */
static void write_points(struct simumax *s, const struct json *ops, enum simumax_table table,
			 const char *field)
{
	bool opened = false;

	for (uint32_t i = 0; i < ops->count; i++) {
		const struct json *rows = foreign_get(&ops->items[i], "accurate_efficient_factor");

		if (simumax_table_of(ops->keys[i]) != table || !rows)
			continue;
		for (uint32_t r = 0; r < rows->count; r++) {
			if (!opened)
				plan_text_open(&s->w, ops->span, "%s = [", field);
			opened = true;
			plan_text_line(&s->w, rows->key_spans[r],
				       "{ kernel = \"%s\"%s, efficiency = %s },",
				       quoted(s, ops->keys[i]),
				       simumax_row(s->in->arena, table, rows->keys[r]),
				       plan_text_number(&s->w, rows->items[r].number));
		}
	}
	if (opened)
		plan_text_close(&s->w, "]");
}

void simumax_write_gpu(struct simumax *s)
{
	const struct json *gpu = foreign_get(s->system, "accelerator");
	const struct json *ops = foreign_get(gpu, "op"), *rows = foreign_get(gpu, "bandwidth");
	const struct json *hbm = foreign_get(rows, "default"),
			  *backend = foreign_get(gpu, "backend");

	plan_text_open(&s->w, foreign_span(s->system, "sys_name"), "gpu %s {", s->gpu_name);
	write_memory(s, gpu);
	plan_text_line(&s->w, foreign_span(hbm, "gbps"), "memory_bandwidth = %s GiB/s",
		       number_of(s, hbm, "gbps"));
	plan_text_line(&s->w, foreign_span(hbm, "efficient_factor"), "memory_efficiency = %s",
		       number_of(s, hbm, "efficient_factor"));
	plan_text_line(&s->w, foreign_span(hbm, "latency_us"), "memory_latency = %s us",
		       number_of(s, hbm, "latency_us"));
	write_peak(s, ops);
	plan_text_line(&s->w, foreign_span(gpu, "mode"), "roofline = %s",
		       foreign_text_is(gpu, "mode", "roofline") ? "true" : "false");
	plan_text_line(&s->w, backend->span, "backend = %.*s", (int)backend->text.n,
		       backend->text.p);
	write_compute(s, ops);
	write_traffic(s, rows);
	write_points(s, ops, SIMUMAX_MATMUL, "matmul");
	write_points(s, ops, SIMUMAX_GROUPED, "grouped");
	write_points(s, ops, SIMUMAX_ATTENTION, "core_attention");
	plan_text_close(&s->w, "}");
}
