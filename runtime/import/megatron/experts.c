/* experts.c - the flags of a mixture of experts as a record of schema `moe`. */
#include "runtime/import/megatron/megatron_int.h"

#include <inttypes.h>

enum { LAYERS_MAX = 10000 };

/* Python's lists of 0 and 1 with `+`, `*` and brackets, or a distance: which layers are mixtures. */
struct frequency {
	struct str text;
	uint32_t i, depth, n;
	bool mixture[LAYERS_MAX];
};

static char next(struct frequency *q)
{
	while (q->i < q->text.n && q->text.p[q->i] == ' ')
		q->i++;
	return q->i < q->text.n ? q->text.p[q->i] : '\0';
}

static bool natural(struct frequency *q, uint32_t *n)
{
	uint32_t digits = 0;

	*n = 0;
	for (next(q); q->i < q->text.n && q->text.p[q->i] >= '0' && q->text.p[q->i] <= '9'; q->i++, digits++) {
		*n = *n * 10 + (uint32_t)(q->text.p[q->i] - '0');
		if (*n > LAYERS_MAX)
			return false;
	}
	return digits > 0;
}

static bool sum(struct frequency *q);

static bool list(struct frequency *q)
{
	uint32_t n;

	q->i++;
	do {
		if (!natural(q, &n) || n > 1 || q->n >= LAYERS_MAX)
			return false;
		q->mixture[q->n++] = n == 1;
	} while (next(q) == ',' && ++q->i);
	if (next(q) != ']')
		return false;
	q->i++;
	return true;
}

static bool product(struct frequency *q)
{
	uint32_t from = q->n, times, part;

	if (next(q) == '(') {
		q->i++;
		if (q->depth++ >= 16 || !sum(q) || next(q) != ')')
			return false;
		q->depth--;
		q->i++;
	} else if (next(q) != '[' || !list(q)) {
		return false;
	}
	while (next(q) == '*') {
		q->i++;
		part = q->n - from;
		if (!natural(q, &times) || (uint64_t)part * times + from > LAYERS_MAX)
			return false;
		if (times == 0)
			q->n = from;
		for (uint32_t k = 1; k < times; k++, q->n += part)
			memmove(q->mixture + q->n, q->mixture + from, part);
	}
	return true;
}

static bool sum(struct frequency *q)
{
	if (!product(q))
		return false;
	while (next(q) == '+') {
		q->i++;
		if (!product(q))
			return false;
	}
	return true;
}

/* The short form, where it says these layers: `first_dense` at the start, then each `every`-th. */
static bool short_form(const struct frequency *q, uint32_t *dense, uint32_t *every)
{
	uint32_t first = 0, second;

	while (first < q->n && !q->mixture[first])
		first++;
	second = first + 1;
	while (second < q->n && !q->mixture[second])
		second++;
	*every = second < q->n ? second - first : 1;
	if (first == q->n || first + 1 < *every)
		return false;
	*dense = first + 1 - *every;
	for (uint32_t i = 0; i < q->n; i++)
		if (q->mixture[i] != (i >= *dense && (i - *dense + 1) % *every == 0))
			return false;
	return true;
}

/* Layers one by one, equal neighbours together. */
static void write_pattern(struct megatron *m, const struct frequency *q)
{
	struct out o;

	out_init(&o, m->f.arena);
	for (uint32_t i = 0, n; i < q->n; i += n) {
		for (n = 1; i + n < q->n && q->mixture[i + n] == q->mixture[i]; n++)
			;
		out_printf(&o, "%s%c", i ? " " : "", q->mixture[i] ? 'E' : 'd');
		if (n > 1)
			out_printf(&o, "*%u", n);
	}
	plan_text_line(&m->w, SPAN_NONE, "pattern = blocks(\"%.*s\", E = { mlp = moe }, d = { mlp = dense })",
		       (int)o.n, o.p);
}

/* The flag's list; for a number n, the layers 0, n, 2n, ... */
static bool read_frequency(struct megatron *m, const struct shell_text *v, struct frequency *q)
{
	uint32_t n;

	q->text = shell_view(v);
	if (next(q) == '[' || next(q) == '(') {
		if (!sum(q) || next(q) != '\0') {
			megatron_refuse(m, v, "`--moe-layer-freq` is a number, or a list such as ([0]*3+[1]*58)");
			return false;
		}
	} else {
		if (!natural(q, &n) || n == 0 || next(q) != '\0') {
			megatron_refuse(m, v, "`--moe-layer-freq` is a number, or a list such as ([0]*3+[1]*58)");
			return false;
		}
		for (uint32_t i = 0; i < (uint32_t)(m->layers > LAYERS_MAX ? 0 : m->layers); i++)
			q->mixture[q->n++] = i % n == 0;
	}
	if (m->layers > 0 && q->n != m->layers) {
		megatron_refuse(m, v, "`--moe-layer-freq` speaks of %u layers, `--num-layers` of %" PRIi64, q->n,
				m->layers);
		return false;
	}
	return true;
}

static const char *balance(struct megatron *m)
{
	static const struct megatron_word words[] = {
		{ "aux_loss", "aux_loss" },
		{ "seq_aux_loss", "seq_aux_loss" },
		{ "global_aux_loss", "global_aux_loss" },
		{ "sinkhorn", "sinkhorn" },
		{ "quantile_balancing", "quantile" },
		{ "none", "off" },
	};

	return megatron_choice(m, "--moe-router-load-balancing-type", words, PLAN_COUNT(words), NULL);
}

static void write_router(struct megatron *m)
{
	const char *capacity = megatron_number(m, "--moe-expert-capacity-factor", NULL);
	static const struct megatron_word scores[] = { { "softmax", "softmax" },
						       { "sigmoid", "sigmoid" },
						       { "sqrtsoftplus", "sqrtsoftplus" } };

	megatron_line(m, "score",
		      megatron_choice(m, "--moe-router-score-function", scores, PLAN_COUNT(scores), NULL));
	megatron_line(m, "groups", megatron_int(m, "--moe-router-num-groups", 1, NULL));
	megatron_line(m, "group_top_k", megatron_int(m, "--moe-router-group-topk", 1, NULL));
	if (megatron_has(m, "--moe-router-enable-expert-bias"))
		megatron_line(m, "expert_bias", "true");
	megatron_line(m, "balance", balance(m));
	/* Below 0 nothing is dropped. */
	if (capacity && capacity[0] != '-')
		megatron_line(m, "capacity", capacity);
	if (megatron_has(m, "--moe-pad-expert-input-to-capacity"))
		megatron_line(m, "pad", "true");
}

void megatron_write_experts(struct megatron *m)
{
	struct frequency *q = arena_alloc(m->f.arena, sizeof *q);
	const struct shell_text *v = megatron_text(m, "--moe-layer-freq");
	const char *shared;
	uint32_t dense = 0, every = 1;
	bool is_short = true;

	memset(q, 0, sizeof *q);
	if (v && read_frequency(m, v, q) && q->n > 0)
		is_short = short_form(q, &dense, &every);
	plan_text_open(&m->w, SPAN_NONE, "moe {");
	megatron_line(m, "experts", megatron_int(m, "--num-experts", 1, NULL));
	megatron_line(m, "top_k", megatron_int(m, "--moe-router-topk", 1, "2"));
	megatron_line(m, "ffn", megatron_int(m, "--moe-ffn-hidden-size", 1, m->ffn));
	shared = megatron_int(m, "--moe-shared-expert-intermediate-size", 1, NULL);
	if (shared)
		megatron_line(m, "shared", "1");
	megatron_line(m, "shared_ffn", shared);
	if (megatron_has(m, "--moe-shared-expert-gate"))
		megatron_line(m, "shared_gate", "true");
	megatron_line(m, "latent", megatron_int(m, "--moe-latent-size", 1, NULL));
	if (dense > 0)
		plan_text_line(&m->w, SPAN_NONE, "first_dense = %u", dense);
	if (every > 1)
		plan_text_line(&m->w, SPAN_NONE, "every = %u", every);
	write_router(m);
	plan_text_close(&m->w, "}");
	if (!is_short)
		write_pattern(m, q);
}
