/* parts.c - what a job is bound from: the fields that each part reads, the bytes that it writes.
 *
 * A sweep binds a part again only where one of the fields that it reads has moved, so plain fields are
 * parts of their own. */
#include <stddef.h>

#include "runtime/bind/bind_int.h"

static const char *const zero_levels[] = { "off", "optimizer", "gradients", "parameters" };
static const char *const cp_comms[] = { "p2p", "a2a", "a2a_p2p", "all_gather" };
static const char *const schedules[] = { "gpipe", "one_f_one_b", "interleaved", "zb1p",
					 "zb2p", "zbv", "dualpipe", "dualpipe_v", "loop_bfs" };

#define SIZE_OF(member) sizeof(((struct job *)0)->member)
#define FIELD(path, kind, member) { path, kind, NULL, 0, NULL, offsetof(struct job, member), SIZE_OF(member) }
#define CHOICE(path, names, member) \
	{ path, PART_ENUM, names, PLAN_COUNT(names), NULL, offsetof(struct job, member), SIZE_OF(member) }
#define PART(paths, call, member) RANGE(paths, call, member, member)
#define RANGE(paths, call, first, last)                                        \
	{ paths, PART_CALL, NULL, 0, call, offsetof(struct job, first),        \
	  offsetof(struct job, last) + SIZE_OF(last) - offsetof(struct job, first) }
#define TEST(paths, call) { paths, PART_CALL, NULL, 0, call, 0, 0 }

const struct bind_part bind_parts[] = {
	FIELD("headroom", PART_INT, headroom),
	PART("model", bind_model_of, input.model),
	FIELD("model.parameters", PART_INT, parameters),
	FIELD("model.active_parameters", PART_INT, active_parameters),
	PART("profile", bind_profile_of, profile),

	FIELD("gpus", PART_INT, input.parallel.world),
	FIELD("dp", PART_INT, input.parallel.dp),
	FIELD("edp", PART_INT, input.parallel.edp),
	FIELD("dispatch_probs", PART_BOOL, input.parallel.dispatch_probs),
	FIELD("strategy.tp", PART_INT, input.parallel.tp),
	FIELD("strategy.cp", PART_INT, input.parallel.cp),
	FIELD("strategy.pp", PART_INT, input.parallel.pp),
	FIELD("strategy.vpp", PART_INT, input.parallel.vpp),
	FIELD("strategy.ep", PART_INT, input.parallel.ep),
	FIELD("strategy.etp", PART_INT, input.parallel.etp),
	FIELD("strategy.shard_group", PART_OPTIONAL_INT, input.parallel.shard),
	FIELD("strategy.gather_group", PART_OPTIONAL_INT, input.parallel.gather),
	FIELD("strategy.reshard", PART_BOOL, input.parallel.reshard),
	FIELD("strategy.sequence_parallel", PART_BOOL, input.parallel.sequence_parallel),
	FIELD("strategy.cp_inner", PART_OPTIONAL_INT, input.parallel.cp_inner),
	CHOICE("strategy.cp_comm", cp_comms, input.parallel.cp_comm),
	CHOICE("strategy.schedule", schedules, input.parallel.schedule),
	FIELD("strategy.vpp_group", PART_INT, input.parallel.vpp_group),
	CHOICE("strategy.zero", zero_levels, input.parallel.zero),
	FIELD("strategy.bucket", PART_OPTIONAL_INT, input.parallel.bucket),
	PART("strategy.order", bind_order, input.parallel.pp_inside),
	PART("strategy.dispatcher strategy.ep strategy.etp", bind_dispatcher, input.parallel.sent_once),

	FIELD("batch.sequence", PART_INT, input.batch.sequence),
	FIELD("batch.micro", PART_INT, input.batch.micro),
	FIELD("micro_batches", PART_INT, input.batch.micro_batches),
	TEST("batch.token_budget adapter task", check_job),

	PART("optimizer", bind_optimizer, input.optimizer),
	PART("strategy.precision", bind_precision, input.precision),
	PART("strategy.kernels", bind_kernels, input.kernels),
	FIELD("pipeline_overlap", PART_BOOL, input.overlap.pipeline),
	RANGE("strategy.overlap", bind_overlap, input.overlap.gradient_reduce, input.overlap.optimizer_gather),
	PART("strategy.recompute", bind_recompute, input.recompute),
	PART("strategy.offload", bind_offload, input.parallel.offload_expert_input),
	PART("framework.te", bind_framework, input.te),

	RANGE("cluster profile strategy.precision strategy.offload", bind_hardware, hardware, gpu_name),
	RANGE("model.layers model.mtp strategy.pp strategy.vpp strategy.layout strategy.recompute", bind_layout,
	      input.parallel.stages, input.parallel.stage_count),
};

const uint32_t bind_part_count = PLAN_COUNT(bind_parts);

/* The record that the last name of a path belongs to, and that name. */
static struct record *walk_path(struct reader *b, struct record *job, const char *path, const char **name)
{
	char record[64];
	const char *dot = strchr(path, '.');

	*name = path;
	if (dot == NULL)
		return job;
	invariant((size_t)(dot - path) < sizeof record, "the path of a part is too long");
	memcpy(record, path, (size_t)(dot - path));
	record[dot - path] = '\0';
	*name = dot + 1;
	return read_record(b, job, record);
}

bool bind_part(struct reader *b, struct record *job, const struct bind_part *part, struct job *j)
{
	void *at = (char *)j + part->offset;
	const char *name;
	struct record *r;

	if (part->kind == PART_CALL) {
		part->call(b, job, j);
		return b->ok;
	}
	r = walk_path(b, job, part->reads, &name);
	if (!b->ok)
		return false;
	switch (part->kind) {
	case PART_INT:
		*(int64_t *)at = read_int(b, r, name);
		break;
	case PART_OPTIONAL_INT:
		*(int64_t *)at = read_int_or(b, r, name, 0);
		break;
	case PART_BOOL:
		*(bool *)at = read_bool(b, r, name);
		break;
	case PART_ENUM:
		*(unsigned *)at = read_enum(b, r, name, part->names, part->name_count);
		break;
	case PART_CALL:
		break;
	}
	return b->ok;
}
