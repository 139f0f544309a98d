/* bind_profile.c - the record of a profile to the engine's struct, field by field from one table. */
#include "runtime/bind/bind_int.h"

#include <assert.h>
#include <stddef.h>

enum profile_kind { AS_REAL, AS_BOOL, AS_INT, AS_VERSION, AS_ENUM };

static const char *const networks[] = { "span", "placement", NULL };
static const char *const sharings[] = { "flows", "divisors", "off", NULL };
static const char *const latencies[] = { "ring", "tree", "eight", NULL };
static const char *const misses[] = { "default", "interpolate", "refuse", NULL };
static const char *const conventions[] = { "causal", "full", NULL };
static const char *const stage_rules[] = { "each", "representative", NULL };

struct profile_row {
	const char *name;
	enum profile_kind kind;
	size_t offset;
	const char *const *values;   /* AS_ENUM, ends with NULL */
};

#define ROW(field, kind) { #field, kind, offsetof(struct profile, field), NULL }
#define ROW_ENUM(field, values) { #field, AS_ENUM, offsetof(struct profile, field), values }

static const struct profile_row rows[] = {
	ROW(reserved, AS_REAL),
	ROW(base_memory, AS_INT),
	ROW_ENUM(network, networks),
	ROW_ENUM(sharing, sharings),
	ROW_ENUM(step_latency, latencies),
	ROW_ENUM(table_miss, misses),
	ROW_ENUM(attention_flops, conventions),
	ROW(hide, AS_REAL),
	ROW(hide_layer, AS_REAL),
	ROW(hide_penalty, AS_REAL),
	ROW(sync_pipeline, AS_BOOL),
	ROW(whole_buckets, AS_BOOL),
	ROW(moe_gather_factor, AS_INT),
	ROW(straggler, AS_REAL),
	ROW_ENUM(stages, stage_rules),
	ROW(in_flight_by_batch, AS_BOOL),
	ROW(dense_first_stage, AS_BOOL),
	ROW(charge_disabled_recompute, AS_BOOL),
	ROW(stored_element, AS_INT),
	ROW(dummy_wgrad, AS_VERSION),
	ROW(saved_cp, AS_VERSION),
	ROW(dummy_grouped, AS_VERSION),
	ROW(launch, AS_REAL),
	ROW(offload_free, AS_BOOL),
	ROW(zero3_traffic, AS_BOOL),
	ROW(fragmentation, AS_REAL),
	ROW(fixed_rates_pcie_only, AS_BOOL),
	ROW(mesh_peers, AS_INT),
	ROW(cross_node_volume, AS_BOOL),
	ROW(bucket_element, AS_INT),
	ROW(bucket_elements, AS_REAL),
	ROW(bucket_per_rank, AS_REAL),
	ROW(shard_on_wire, AS_BOOL),
	ROW(gradient_bucket_gather, AS_BOOL),
	ROW(attention_full_work, AS_BOOL),
	ROW(attention_query_bytes, AS_BOOL),
	ROW(narrow_statistics, AS_BOOL),
	ROW(column_wgrad_weight, AS_BOOL),
	ROW(wgrad_element, AS_INT),
	ROW(embedding_whole_table, AS_BOOL),
	ROW(embedding_sliced, AS_BOOL),
	ROW(activation_backward_short, AS_BOOL),
	ROW(loss_element, AS_INT),
	ROW(glue_traffic, AS_BOOL),
	ROW(cp_not_repeated, AS_BOOL),
	ROW(norm_gradient_reduce, AS_BOOL),
	ROW(tied_reduce, AS_BOOL),
	ROW(adam_state_passes, AS_INT),
	ROW(copy_half_state, AS_BOOL),
	ROW(gelu_cache, AS_INT),
	ROW(lone_recompute_lost, AS_BOOL),
	ROW(scores_copies_cuda, AS_INT),
	ROW(scores_copies_math, AS_INT),
	ROW(scores_copies, AS_INT),
	ROW(scores_before_exchange, AS_BOOL),
	ROW(router_full_tokens, AS_BOOL),
	ROW(grouped_wgrad_one, AS_BOOL),
	ROW(serial_as_grouped, AS_BOOL),
	ROW(all_probabilities, AS_BOOL),
	ROW(combine_unreduced, AS_BOOL),
	ROW(gathered_tokens_lost, AS_BOOL),
	ROW(wide_gather, AS_BOOL),
	ROW(gradient_cast_free, AS_BOOL),
	ROW(narrow_head, AS_BOOL),
	ROW(keys_not_repeated, AS_BOOL),
	ROW(capacity_of_rounded, AS_BOOL),
	ROW(pad_after_gather, AS_BOOL),
	ROW(mixture_inputs_kept, AS_BOOL),
	ROW(narrow_cache_gathered, AS_BOOL),
	ROW(grouped_wgrad_copy, AS_BOOL),
	ROW(grouped_copy_forward, AS_BOOL),
	ROW(offload_kept_only, AS_BOOL),
	ROW(serial_as_dense, AS_BOOL),
	ROW(backward_peak_lost, AS_BOOL),
	ROW(flash_backward_half, AS_BOOL),
	ROW(routing_element, AS_INT),
	ROW(flops_from_hidden, AS_BOOL),
};

/* Every enum of struct profile has the size of an unsigned int. */
static void store_enum(struct reader *b, struct record *r, const struct profile_row *row, void *at)
{
	uint32_t count = 0;

	while (row->values[count] != NULL)
		count++;
	unsigned value = read_enum(b, r, row->name, row->values, count);

	memcpy(at, &value, sizeof(value));
}

static void store(struct reader *b, struct record *r, const struct profile_row *row, void *at)
{
	switch (row->kind) {
	case AS_REAL:
		*(double *)at = read_real(b, r, row->name);
		break;
	case AS_BOOL:
		*(bool *)at = read_bool(b, r, row->name);
		break;
	case AS_INT:
		*(int64_t *)at = read_int_or(b, r, row->name, 0);
		break;
	case AS_VERSION:
		*(struct version *)at = version_read(read_string(b, r, row->name));
		break;
	case AS_ENUM:
		store_enum(b, r, row, at);
		break;
	}
}

static size_t size_of(enum profile_kind kind)
{
	switch (kind) {
	case AS_REAL: return sizeof(double);
	case AS_BOOL: return sizeof(bool);
	case AS_INT: return sizeof(int64_t);
	case AS_VERSION: return sizeof(struct version);
	case AS_ENUM: return sizeof(unsigned);
	}
	return 0;
}

uint32_t profile_field_count(void)
{
	return PLAN_COUNT(rows);
}

const char *profile_field_name(uint32_t field)
{
	return rows[field].name;
}

bool profile_field_equal(uint32_t field, const struct profile *a, const struct profile *b)
{
	size_t at = rows[field].offset;

	return memcmp((const char *)a + at, (const char *)b + at, size_of(rows[field].kind)) == 0;
}

void profile_field_copy(uint32_t field, struct profile *to, const struct profile *from)
{
	size_t at = rows[field].offset;

	memcpy((char *)to + at, (const char *)from + at, size_of(rows[field].kind));
}

void bind_profile(struct reader *b, struct record *profile, struct profile *p)
{
	static_assert(sizeof(enum profile_network) == sizeof(unsigned), "enums are stored as unsigned");
	profile_init(p, PROFILE_STANDARD);
	for (size_t i = 0; b->ok && i < PLAN_COUNT(rows); i++)
		store(b, profile, &rows[i], (char *)p + rows[i].offset);
}

struct version version_read(struct str text)
{
	struct version v = { { 0, 0, 0 } };
	uint32_t i = 0;

	for (int part = 0; part < 3; part++) {
		while (i < text.n && (text.p[i] < '0' || text.p[i] > '9'))
			i++;
		for (; i < text.n && text.p[i] >= '0' && text.p[i] <= '9'; i++)
			if (v.part[part] < 1000000)
				v.part[part] = v.part[part] * 10 + (text.p[i] - '0');
	}
	return v;
}
