/* bind_hardware.c - the records of a cluster and its GPU to the engine's hardware. */
#include "runtime/bind/bind_int.h"

static const char *const backends[] = { "cuda", "rocm", "musa", "npu", "tpu" };
static const char *const link_kinds[] = { "nvlink", "xgmi", "hccs", "mtlink", "ici",
					  "pcie", "infiniband", "roce", "ethernet", "efa" };
static const char *const topologies[] = { "switch", "mesh", "ring", "torus" };
static const char *const collectives[COLLECTIVE_COUNT] = { "all_reduce", "all_gather",
							   "reduce_scatter", "all_to_all", "p2p" };

static const struct size_value *read_by_size(struct reader *b, struct record *r, const char *field,
					     const char *column, size_t *count)
{
	struct rows rows = read_rows(b, r, field);
	struct size_value *at = ARENA_ARRAY(b->ev->arena, struct size_value, rows.n + 1);

	for (uint32_t i = 0; b->ok && i < rows.n; i++) {
		at[i].size = row_int(&rows, i, "size");
		at[i].value = row_real(&rows, i, column);
	}
	*count = rows.n;
	return at;
}

/* A `T?` field: whether it is there, and its value. */
static bool read_optional(struct reader *b, struct record *r, const char *field, double *value)
{
	struct value v = read_value(b, r, field);

	if (v.kind != VALUE_NUMBER && v.kind != VALUE_REAL)
		return false;
	*value = value_to_double(v);
	return true;
}

static void bind_collective(struct reader *b, struct record *r, struct collective_row *c)
{
	c->has_efficiency = read_optional(b, r, "efficiency", &c->efficiency);
	c->has_latency = read_optional(b, r, "latency", &c->latency);
	c->has_fixed = read_optional(b, r, "fixed", &c->fixed);
	c->scale = read_real(b, r, "scale");
	c->offset = read_real(b, r, "offset");
	c->fixed_at = read_by_size(b, r, "fixed_at", "time", &c->fixed_at_count);
	c->rate_at = read_by_size(b, r, "rate_at", "rate", &c->rate_at_count);
}

static void bind_link(struct reader *b, struct record *r, struct link *l)
{
	l->kind = (enum link_kind)read_enum(b, r, "kind", link_kinds, PLAN_COUNT(link_kinds));
	l->bandwidth = read_real(b, r, "bandwidth");
	l->efficiency = read_real(b, r, "efficiency");
	l->latency = read_real(b, r, "latency");
	l->fixed = read_real(b, r, "fixed");
	l->fixed_at = read_by_size(b, r, "fixed_at", "time", &l->fixed_at_count);
	l->sharp = read_bool(b, r, "sharp");
	l->mesh = read_enum(b, r, "topology", topologies, PLAN_COUNT(topologies)) == 1;
	for (int c = 0; b->ok && c < COLLECTIVE_COUNT; c++) {
		struct record *row = read_record(b, r, collectives[c]);

		if (row != NULL)
			bind_collective(b, row, &l->collectives[c]);
	}
}

static void bind_levels(struct reader *b, struct record *cluster, struct job *j)
{
	struct value v = read_value(b, cluster, "levels");

	if (!b->ok || v.kind != VALUE_LIST)
		return;
	struct level *levels = ARENA_ARRAY(b->ev->arena, struct level, v.list->n + 1);
	struct str *names = ARENA_ARRAY(b->ev->arena, struct str, v.list->n + 1);

	for (uint32_t i = 0; b->ok && i < v.list->n; i++) {
		struct record *r = v.list->at[i].kind == VALUE_RECORD ? v.list->at[i].record : NULL;

		if (r == NULL)
			return;
		struct record *link = read_record(b, r, "link");

		names[i] = read_string(b, r, "name");
		levels[i].size = read_int(b, r, "size");
		levels[i].oversubscription = read_real(b, r, "oversubscription");
		if (link != NULL)
			bind_link(b, link, &levels[i].link);
	}
	j->hardware.levels = levels;
	j->hardware.level_count = v.list->n;
	j->level_names = names;
}

/* Rows of kernels the engine does not know are kept out: nothing would read them. */
static enum kernel row_kernel(const struct rows *rows, uint32_t i)
{
	struct str name = row_string(rows, i, "kernel");

	return kernel_find(name.p, name.n);
}

static void bind_kernel_rows(struct reader *b, struct record *gpu, struct hardware *h)
{
	struct rows compute = read_rows(b, gpu, "compute"), traffic = read_rows(b, gpu, "traffic");

	for (uint32_t i = 0; b->ok && i < compute.n; i++) {
		enum kernel k = row_kernel(&compute, i);

		if (k != KERNEL_COUNT)
			h->compute[k] = (struct compute_row){ true, row_real(&compute, i, "rate"),
							      row_real(&compute, i, "efficiency") };
	}
	for (uint32_t i = 0; b->ok && i < traffic.n; i++) {
		enum kernel k = row_kernel(&traffic, i);

		if (k != KERNEL_COUNT)
			h->traffic[k] = (struct traffic_row){ true, row_real(&traffic, i, "bandwidth"),
							      row_real(&traffic, i, "efficiency"),
							      row_real(&traffic, i, "latency") };
	}
}

static enum matmul_layout layout_of(struct str s)
{
	return str_is(s, "NN") ? LAYOUT_NN : str_is(s, "NT") ? LAYOUT_NT : LAYOUT_TN;
}

static void bind_matmul(struct reader *b, struct record *gpu, struct hardware *h)
{
	struct rows rows = read_rows(b, gpu, "matmul");
	struct matmul_point *at = ARENA_ARRAY(b->ev->arena, struct matmul_point, rows.n + 1);
	size_t n = 0;

	for (uint32_t i = 0; b->ok && i < rows.n; i++) {
		enum kernel k = row_kernel(&rows, i);

		if (k == KERNEL_COUNT)
			continue;
		at[n++] = (struct matmul_point){
			.kernel = k,
			.batch = row_int(&rows, i, "batch"),
			.m = row_int(&rows, i, "m"),
			.k = row_int(&rows, i, "k"),
			.n = row_int(&rows, i, "n"),
			.layout = layout_of(row_string(&rows, i, "layout")),
			.accumulate = row_bool(&rows, i, "accumulate"),
			.out = (enum engine_dtype)row_enum(&rows, i, "out", dtype_names, DTYPE_COUNT),
			.efficiency = row_real(&rows, i, "efficiency"),
		};
	}
	h->matmul = at;
	h->matmul_count = n;
}

static void bind_core_attention(struct reader *b, struct record *gpu, struct hardware *h)
{
	struct rows rows = read_rows(b, gpu, "core_attention");
	struct attention_point *at = ARENA_ARRAY(b->ev->arena, struct attention_point, rows.n + 1);
	size_t n = 0;

	for (uint32_t i = 0; b->ok && i < rows.n; i++) {
		enum kernel k = row_kernel(&rows, i);

		if (k == KERNEL_COUNT)
			continue;
		at[n++] = (struct attention_point){
			.kernel = k,
			.batch = row_int(&rows, i, "batch"),
			.sequence = row_int(&rows, i, "sequence"),
			.heads = row_int(&rows, i, "heads"),
			.kv_heads = row_int(&rows, i, "kv_heads"),
			.qk_head = row_int(&rows, i, "qk_head"),
			.v_head = row_int(&rows, i, "v_head"),
			.contiguous = row_bool(&rows, i, "contiguous"),
			.efficiency = row_real(&rows, i, "efficiency"),
		};
	}
	h->attention = at;
	h->attention_count = n;
}

static enum grouped_stage stage_named(struct str s)
{
	if (str_is(s, "bwd_grad_w"))
		return GROUPED_DW;
	return str_is(s, "bwd_grad_act") ? GROUPED_DX : GROUPED_FWD;
}

static void bind_grouped(struct reader *b, struct record *gpu, struct hardware *h)
{
	struct rows rows = read_rows(b, gpu, "grouped");
	struct grouped_point *at = ARENA_ARRAY(b->ev->arena, struct grouped_point, rows.n + 1);
	size_t n = 0;

	for (uint32_t i = 0; b->ok && i < rows.n; i++) {
		enum kernel k = row_kernel(&rows, i);

		if (k == KERNEL_COUNT)
			continue;
		at[n++] = (struct grouped_point){
			.kernel = k,
			.groups = row_int(&rows, i, "groups"),
			.m = row_int(&rows, i, "m"),
			.n = row_int(&rows, i, "n"),
			.k = row_int(&rows, i, "k"),
			.dtype = (enum engine_dtype)row_enum(&rows, i, "dtype", dtype_names,
							     DTYPE_COUNT),
			.out = (enum engine_dtype)row_enum(&rows, i, "out", dtype_names, DTYPE_COUNT),
			.gradient = (enum engine_dtype)row_enum(&rows, i, "gradient", dtype_names,
								DTYPE_COUNT),
			.stage = stage_named(row_string(&rows, i, "stage")),
			.efficiency = row_real(&rows, i, "efficiency"),
		};
	}
	h->grouped = at;
	h->grouped_count = n;
}

/* The rate of a format in the GPU's `peak` record; 0 where the device has none. */
static double peak_of(struct reader *b, struct record *gpu, const char *format)
{
	struct record *peak = read_record(b, gpu, "peak");
	double rate = 0;

	if (peak == NULL || !has_field(b, peak, format) || !read_optional(b, peak, format, &rate))
		return 0;
	return rate;
}

/* Formats that share the units of another one for their rate. */
static const char *rate_format(enum engine_dtype d)
{
	switch (d) {
	case DTYPE_MXFP8:
		return "fp8";
	case DTYPE_NVFP4:
		return "fp4";
	case DTYPE_NF4:
		return "bf16";
	case DTYPE_FP32:
	case DTYPE_TF32:
	case DTYPE_BF16:
	case DTYPE_FP16:
	case DTYPE_FP8:
	case DTYPE_INT8:
	case DTYPE_FP4:
	case DTYPE_COUNT:
		break;
	}
	return d == DTYPE_COUNT ? "bf16" : dtype_names[d];
}

/* A GPU described by its peaks alone runs quantised products at the peak of their format. */
static void bind_narrow_rows(struct reader *b, struct record *gpu, struct job *j)
{
	static const enum kernel kernels[] = { KERNEL_FP8_MATMUL, KERNEL_FP8_GROUP_MATMUL };
	double rate = peak_of(b, gpu, rate_format(j->input.precision.linear));
	struct hardware *h = &j->hardware;

	if (!b->ok || rate <= 0 || dtype_bits(j->input.precision.linear) != 8 ||
	    read_rows(b, gpu, "compute").n > 0)
		return;
	for (size_t i = 0; i < PLAN_COUNT(kernels); i++)
		h->compute[kernels[i]] =
			(struct compute_row){ true, rate, read_real(b, gpu, "efficiency") };
}

static void bind_default_rows(struct reader *b, struct record *job, struct record *gpu, struct job *j)
{
	struct hardware *h = &j->hardware;
	const char *format = rate_format(j->input.precision.compute);
	struct record *profile = read_record(b, job, "profile");

	if (profile == NULL)
		return;
	enum engine_dtype mfu = (enum engine_dtype)read_enum(b, profile, "mfu_dtype", dtype_names,
							     DTYPE_COUNT);

	h->peak = peak_of(b, gpu, rate_format(mfu));
	double rate = peak_of(b, gpu, format);

	if (b->ok && !h->compute[KERNEL_DEFAULT].present)
		h->compute[KERNEL_DEFAULT] = (struct compute_row){ true, rate > 0 ? rate : h->peak,
								   read_real(b, gpu, "efficiency") };
	if (b->ok && !h->traffic[KERNEL_DEFAULT].present)
		h->traffic[KERNEL_DEFAULT] =
			(struct traffic_row){ true, read_real(b, gpu, "memory_bandwidth"),
					      read_real(b, gpu, "memory_efficiency"),
					      read_real(b, gpu, "memory_latency") };
	if (b->ok && h->compute[KERNEL_DEFAULT].rate <= 0) {
		diag_report(b->ev->sink, E2008, b->at, "`%.*s` has no rate for %s",
			    (int)j->gpu_name.n, j->gpu_name.p, format);
		b->ok = false;
	}
}

/* What leaves the device needs a way to the host, unless the profile takes it for free. */
static void bind_host(struct reader *b, struct record *gpu, struct job *j)
{
	struct record *link = read_record(b, gpu, "host_link");

	if (link != NULL)
		j->hardware.host_bandwidth =
			read_real(b, link, "bandwidth") * read_real(b, link, "efficiency");
	else if (j->input.parallel.offload_expert_input && !j->profile.offload_free)
		reader_unsupported(b, gpu, "host_link",
				   "activations on the host of a GPU that states no link to it");
}

void bind_hardware(struct reader *b, struct record *job, struct job *j)
{
	struct record *cluster = read_record(b, job, "cluster");
	struct record *gpu = cluster == NULL ? NULL : read_record(b, cluster, "gpu");
	struct hardware *h = &j->hardware;

	if (gpu == NULL)
		return;
	*h = (struct hardware){ 0 };
	j->gpu_name = record_known_as(b->ev->program, gpu);
	h->memory = read_int(b, gpu, "memory");
	h->gpus_per_node = read_int(b, cluster, "gpus_per_node");
	h->roofline = read_bool(b, gpu, "roofline");
	h->contiguous = true;
	h->backend = (enum engine_backend)read_enum(b, gpu, "backend", backends, PLAN_COUNT(backends));
	bind_kernel_rows(b, gpu, h);
	bind_default_rows(b, job, gpu, j);
	bind_narrow_rows(b, gpu, j);
	bind_matmul(b, gpu, h);
	bind_core_attention(b, gpu, h);
	bind_grouped(b, gpu, h);
	bind_host(b, gpu, j);
	bind_levels(b, cluster, j);
	if (b->ok)
		hardware_index(h, b->ev->arena);
}
