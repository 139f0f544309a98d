/* table.c - the keys of SimuMax's efficiency tables as rows of the prelude's point
 * schemas.
 *
 * SimuMax looks a shape up by its text, so a key counts only in the one spelling it builds
 * itself: "b=1, m=4096, k=5120, n=1536, layout=TN, accumulate=False, out_dtype=bf16". Anything
 * else would never be found and is refused.
 */
#include "runtime/import/simumax/simumax_int.h"

enum part_kind { PART_INT, PART_BOOL, PART_FORMAT, PART_LAYOUT, PART_STAGE, PART_IMPLIED };

struct part {
	const char *key;
	const char *field; /* NULL: follows from the stage, not kept */
	enum part_kind kind;
};

static const struct part matmul[] = {
	{ "b", "batch", PART_INT },
	{ "m", "m", PART_INT },
	{ "k", "k", PART_INT },
	{ "n", "n", PART_INT },
	{ "layout", "layout", PART_LAYOUT },
	{ "accumulate", "accumulate", PART_BOOL },
	{ "out_dtype", "out", PART_FORMAT },
	{ NULL, NULL, PART_INT },
};

static const struct part grouped[] = {
	{ "ng", "groups", PART_INT },
	{ "M", "m", PART_INT },
	{ "N", "n", PART_INT },
	{ "K", "k", PART_INT },
	{ "dtype", "dtype", PART_FORMAT },
	{ "out_dtype", "out", PART_FORMAT },
	{ "main_grad_dtype", "gradient", PART_FORMAT },
	{ "stage", "stage", PART_STAGE },
	{ "grad", NULL, PART_IMPLIED },
	{ "accumulate", NULL, PART_IMPLIED },
	{ "use_split_accumulator", NULL, PART_IMPLIED },
	{ "single_output", NULL, PART_IMPLIED },
	{ NULL, NULL, PART_INT },
};

static const struct part attention[] = {
	{ "batch", "batch", PART_INT },
	{ "seq_len", "sequence", PART_INT },
	{ "head_num", "heads", PART_INT },
	{ "kv_head_num", "kv_heads", PART_INT },
	{ "qk_head_dim", "qk_head", PART_INT },
	{ "v_head_dim", "v_head", PART_INT },
	{ "qkv_contiguous", "contiguous", PART_BOOL },
	{ NULL, NULL, PART_INT },
};

static const char *const stages[] = { "fwd", "bwd_grad_act", "bwd_grad_w" };
/* grad, accumulate, use_split_accumulator, single_output of each stage */
static const bool implied[3][4] = {
	{ false, false, false, true },
	{ true, false, true, false },
	{ true, true, true, false },
};

static bool holds(struct str s, const char *part)
{
	size_t n = strlen(part);

	for (uint32_t i = 0; i + n <= s.n; i++)
		if (memcmp(s.p + i, part, n) == 0)
			return true;
	return false;
}

enum simumax_table simumax_table_of(struct str op)
{
	return str_starts(op, "sdp") ? SIMUMAX_ATTENTION
	       : holds(op, "group")  ? SIMUMAX_GROUPED
				     : SIMUMAX_MATMUL;
}

/* Takes "KEY=VALUE" and the ", " behind it from the front of *rest. */
static bool take(struct str *rest, const char *key, struct str *value)
{
	uint32_t n = (uint32_t)strlen(key), end;

	if (!str_starts(*rest, key) || rest->n <= n || rest->p[n] != '=')
		return false;
	for (end = n + 1; end < rest->n && rest->p[end] != ','; end++)
		continue;
	*value = str_slice(*rest, n + 1, end);
	if (end == rest->n) {
		*rest = str_slice(*rest, end, end);
		return true;
	}
	if (end + 2 >= rest->n || rest->p[end + 1] != ' ')
		return false;
	*rest = str_slice(*rest, end + 2, rest->n);
	return true;
}

/* A positive whole number without leading zeros, small enough for a size. */
static bool is_size(struct str s)
{
	if (s.n == 0 || s.n > 12 || s.p[0] < '1' || s.p[0] > '9')
		return false;
	for (uint32_t i = 1; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return true;
}

static bool is_one_of(struct str s, const char *const *texts, size_t count, size_t *which)
{
	for (size_t i = 0; i < count; i++)
		if (str_is(s, texts[i])) {
			*which = i;
			return true;
		}
	return false;
}

/* One value in the plan's spelling; `stage` remembers the stage of a grouped row. */
static bool write_part(struct out *o, const struct part *p, struct str v, size_t nth, size_t *stage)
{
	static const char *const formats[] = { "bf16", "fp32", "fp16", "fp8" };
	static const char *const layouts[] = { "TN", "NN", "NT" };
	static const char *const truths[] = { "False", "True" };
	size_t which = 0;

	switch (p->kind) {
	case PART_INT:
		if (!is_size(v))
			return false;
		out_printf(o, ", %s = %.*s", p->field, (int)v.n, v.p);
		return true;
	case PART_FORMAT:
		if (!is_one_of(v, formats, PLAN_COUNT(formats), &which))
			return false;
		out_printf(o, ", %s = %s", p->field, formats[which]);
		return true;
	case PART_LAYOUT:
		if (!is_one_of(v, layouts, PLAN_COUNT(layouts), &which))
			return false;
		out_printf(o, ", %s = \"%s\"", p->field, layouts[which]);
		return true;
	case PART_STAGE:
		if (!is_one_of(v, stages, PLAN_COUNT(stages), stage))
			return false;
		out_printf(o, ", %s = \"%s\"", p->field, stages[*stage]);
		return true;
	case PART_BOOL:
		if (!is_one_of(v, truths, PLAN_COUNT(truths), &which))
			return false;
		out_printf(o, ", %s = %s", p->field, which == 1 ? "true" : "false");
		return true;
	case PART_IMPLIED:
		return is_one_of(v, truths, PLAN_COUNT(truths), &which) &&
		       (which == 1) == implied[*stage][nth];
	}
	return false;
}

const char *simumax_row(struct arena *a, enum simumax_table table, struct str key)
{
	const struct part *p = table == SIMUMAX_MATMUL    ? matmul
			       : table == SIMUMAX_GROUPED ? grouped
							  : attention;
	struct out o;
	struct str rest = key, value;
	size_t stage = 0, nth = 0;

	out_init(&o, a);
	for (; p->key; p++) {
		if (!take(&rest, p->key, &value))
			return NULL;
		if (!write_part(&o, p, value, nth, &stage))
			return NULL;
		nth += p->kind == PART_IMPLIED;
	}
	if (rest.n > 0)
		return NULL;
	out_char(&o, '\0');
	return o.p;
}
