/*
 * fields_table.h - for every field of a job what another value of it does to the answer; fields_test.c
 * checks the list and that it is complete.
 */
#ifndef PLAN_UNIT_FIELDS_TABLE_H
#define PLAN_UNIT_FIELDS_TABLE_H

/* Jobs that fields are tried on: a dense decoder, a mixture of experts, latent attention. */
enum field_base { DENSE, MIXTURE, LATENT };

enum field_effect {
	CHANGES, /* a figure of the report is another */
	REFUSED, /* a rule, the type or the engine refuses the value */
	IDLE     /* nothing happens; `why` says why that is right */
};

struct field_row {
	const char *field;
	enum field_base base;
	const char *patch; /* put into the job; before a bar, what both jobs of the comparison get */
	enum field_effect effect;
	const char *why;
};

static const struct field_row field_rows[] = {
#define ROW(field, base, patch, effect) { field, base, patch, effect, NULL },
#define FREE(field, base, patch, why) { field, base, patch, IDLE, why },
	/* ---- the job itself */
	ROW("gpus", DENSE, "gpus = 16", CHANGES)
	FREE("silence", DENSE, "silence = [long_sequence]", "advice changes no figure")
	ROW("headroom", DENSE, "headroom = 75 GiB", CHANGES)
	ROW("run_tokens", DENSE, "run_tokens = 1000000000000", CHANGES)
	ROW("task", DENSE, "task = forward", REFUSED)
	ROW("adapter", DENSE, "adapter = lora", REFUSED)
	ROW("optimizer", DENSE, "optimizer = sgd", CHANGES)
	ROW("profile", DENSE, "profile = ideal", CHANGES)
	ROW("framework", DENSE, "framework = megatron", CHANGES)

	/* ---- batch */
	ROW("batch.sequence", DENSE, "batch { sequence = 2048 }", CHANGES)
	ROW("batch.micro", DENSE, "batch { micro = 2 }", CHANGES)
	ROW("batch.global", DENSE, "batch { global = 128 }", CHANGES)
	FREE("batch.packed", DENSE, "batch { packed = true }",
	     "samples of a pack are computed as one long sample")
	FREE("batch.mean", DENSE, "batch { mean = 1000 }",
	     "padding is computed like tokens; real_tokens counts them apart")
	ROW("batch.token_budget", DENSE, "batch { token_budget = 8192 }", REFUSED)

	/* ---- model */
	ROW("model.layers", DENSE, "model { layers = 16 }", CHANGES)
	ROW("model.hidden", DENSE, "model { hidden = 2048 }", CHANGES)
	ROW("model.ffn", DENSE, "model { ffn = 8192 }", CHANGES)
	ROW("model.vocab", DENSE, "model { vocab = 32000 }", CHANGES)
	ROW("model.vocab_multiple", DENSE, "model { vocab_multiple = 10000 }", CHANGES)
	ROW("model.pad_vocab", DENSE, "model { vocab = 32002 } | model { pad_vocab = false }", CHANGES)
	ROW("model.local", DENSE, "model { local { heads = 32, kv_heads = 8, head = 128, window = 64 }, full_every = 2 }", CHANGES)
	FREE("model.full_every", LATENT, "model { full_every = 2 }",
	     "without local layers all are full")
	ROW("model.moe", MIXTURE, "model { moe = none, ffn = 1024 }", REFUSED)
	ROW("model.mtp", DENSE, "model { mtp { depth = 1 } }", CHANGES)
	ROW("model.mtp.depth", DENSE, "model { mtp { depth = 1 } } | model { mtp { depth = 2 } }", CHANGES)
	ROW("model.mtp.shared", DENSE, "model { mtp { depth = 2 } } | model { mtp { shared = true } }", CHANGES)
	FREE("model.mtp.loss_weight", DENSE, "model { mtp { loss_weight = 0.5 } }",
	     "a factor of the loss: no work, no memory")
	ROW("model.pattern", DENSE, "model { pattern = blocks(\"t*32\", t = {}) }", REFUSED)
	ROW("model.activation", DENSE, "model { activation = gelu }", CHANGES)
	ROW("model.norm", DENSE, "model { norm = layernorm }", CHANGES)
	ROW("model.norm_place", DENSE, "model { norm_place = both }", CHANGES)
	ROW("model.tied", DENSE, "model { tied = true }", CHANGES)
	ROW("model.position", DENSE, "model { position = learned }", CHANGES)
	ROW("model.positions", DENSE, "model { position = learned } | model { positions = 9000 }", CHANGES)
	ROW("model.bias", DENSE, "model { bias = [qkv] }", CHANGES)
	ROW("model.dropout", DENSE, "model { dropout = 10% }", CHANGES)
	ROW("model.parallel_block", DENSE, "model { parallel_block = true }", CHANGES)
	ROW("model.streams", DENSE, "model { streams = 4 }", REFUSED)

	/* ---- attention */
	ROW("model.attention.kind", DENSE, "model { attention { kind = linear } }", REFUSED)
	ROW("model.attention.heads", DENSE, "model { attention { heads = 16 } }", CHANGES)
	ROW("model.attention.kv_heads", DENSE, "model { attention { kv_heads = 4 } }", CHANGES)
	ROW("model.attention.head", DENSE, "model { attention { head = 64 } }", CHANGES)
	ROW("model.attention.v_head", DENSE, "model { attention { v_head = 64 } }", CHANGES)
	ROW("model.attention.q_lora", LATENT, "model { attention { q_lora = 512 } }", CHANGES)
	ROW("model.attention.kv_lora", LATENT, "model { attention { kv_lora = 256 } }", CHANGES)
	ROW("model.attention.qk_nope", LATENT, "model { attention { qk_nope = 64 } }", CHANGES)
	ROW("model.attention.qk_rope", LATENT, "model { attention { qk_rope = 32 } }", CHANGES)
	ROW("model.attention.window", DENSE, "model { attention { window = 512 } }", CHANGES)
	ROW("model.attention.window_kind", DENSE, "model { attention { window = 512 } } | model { attention { window_kind = chunked } }", CHANGES)
	ROW("model.attention.qk_norm", DENSE, "model { attention { qk_norm = true } }", CHANGES)
	ROW("model.attention.gate", DENSE, "model { attention { gate = true } }", CHANGES)
	ROW("model.attention.sparsity", DENSE, "model { attention { sparsity = 50% } }", CHANGES)
	ROW("model.attention.index", DENSE, "model { attention { index { heads = 4, head = 64, top_k = 128 } } }", REFUSED)
	FREE("model.attention.key_head", DENSE, "model { attention { key_head = 64 } }",
	     "belongs to linear attention")
	FREE("model.attention.groups", DENSE, "model { attention { groups = 8 } }",
	     "belongs to other kinds of attention")
	FREE("model.attention.state", DENSE, "model { attention { state = 128 } }",
	     "belongs to other kinds of attention")
	FREE("model.attention.conv", DENSE, "model { attention { conv = 8 } }",
	     "belongs to other kinds of attention")
	ROW("model.attention.kv_share", DENSE, "model { attention { kv_share = 2 } }", REFUSED)
	ROW("model.attention.causal", DENSE, "model { attention { causal = false } }", CHANGES)

	/* ---- experts */
	ROW("model.moe.experts", MIXTURE, "model { moe { experts = 16 } }", CHANGES)
	ROW("model.moe.top_k", MIXTURE, "model { moe { top_k = 4 } }", CHANGES)
	ROW("model.moe.ffn", MIXTURE, "model { moe { ffn = 2048 } }", CHANGES)
	ROW("model.moe.shared", MIXTURE, "model { moe { shared = 1 } }", CHANGES)
	ROW("model.moe.shared_ffn", MIXTURE, "model { moe { shared_ffn = 1024 } }", CHANGES)
	ROW("model.moe.shared_gate", MIXTURE, "model { moe { shared = 1 } } | model { moe { shared_gate = true } }", CHANGES)
	ROW("model.moe.first_dense", MIXTURE, "model { moe { first_dense = 4 } }", CHANGES)
	ROW("model.moe.every", MIXTURE, "model { moe { every = 2 } }", CHANGES)
	ROW("model.moe.latent", MIXTURE, "model { moe { latent = 512 } }", REFUSED)
	FREE("model.moe.score", MIXTURE, "model { moe { score = sigmoid } }",
	     "a pointwise function of a few numbers a token, inside the router")
	FREE("model.moe.groups", MIXTURE, "model { moe { groups = 2, group_top_k = 2 } }",
	     "counts where fewer groups are open than tokens would reach: see group_top_k")
	ROW("model.moe.group_top_k", MIXTURE, "strategy { dispatcher = deepep, ep = 16 }, model { moe { experts = 64, top_k = 8, groups = 8, group_top_k = 8 } } | model { moe { group_top_k = 1 } }", CHANGES)
	FREE("model.moe.expert_bias", MIXTURE, "model { moe { expert_bias = true } }",
	     "one number an expert, outside the optimizer")
	FREE("model.moe.balance", MIXTURE, "model { moe { balance = off } }",
	     "its effect on the busiest rank is the assumption imbalance")
	ROW("model.moe.capacity", MIXTURE, "model { moe { capacity = 0.5 } }", CHANGES)
	ROW("model.moe.pad", MIXTURE, "model { moe { capacity = 1.5 } } | model { moe { pad = true } }", CHANGES)
	ROW("model.moe.imbalance", MIXTURE, "model { moe { imbalance = 1.25 } }", CHANGES)

	/* ---- strategy */
	ROW("strategy.tp", DENSE, "strategy { tp = 4 }", CHANGES)
	ROW("strategy.pp", DENSE, "strategy { pp = 4 }", CHANGES)
	ROW("strategy.vpp", DENSE, "strategy { vpp = 2 }", CHANGES)
	ROW("strategy.cp", DENSE, "strategy { cp = 2 }", CHANGES)
	ROW("strategy.ep", MIXTURE, "strategy { ep = 4 }", CHANGES)
	ROW("strategy.etp", MIXTURE, "strategy { etp = 2 }", CHANGES)
	ROW("strategy.sequence_parallel", DENSE, "strategy { sequence_parallel = false }", CHANGES)
	ROW("strategy.cp_comm", DENSE, "strategy { cp = 2 } | strategy { cp_comm = a2a }", CHANGES)
	ROW("strategy.cp_inner", DENSE, "strategy { cp = 4, cp_comm = a2a_p2p, cp_inner = 2 } | strategy { cp_inner = 4 }", CHANGES)
	ROW("strategy.order", DENSE, "cluster { nodes = 8 }, strategy { pp = 8 } | strategy { order = pp_inside }", CHANGES)
	ROW("strategy.zero", DENSE, "strategy { zero = gradients }", CHANGES)
	ROW("strategy.shard_group", DENSE, "strategy { shard_group = 4 }", CHANGES)
	ROW("strategy.gather_group", DENSE, "strategy { zero = parameters, pp = 1 } | strategy { gather_group = 4 }", CHANGES)
	ROW("strategy.reshard", DENSE, "strategy { zero = parameters, pp = 1 } | strategy { reshard = false }", CHANGES)
	ROW("strategy.bucket", DENSE, "strategy { bucket = 1000000 }", CHANGES)
	ROW("strategy.layout", DENSE, "strategy { layout = ends(first = 14) }", CHANGES)
	ROW("strategy.schedule", DENSE, "strategy { schedule = gpipe }", REFUSED)
	ROW("strategy.vpp_group", DENSE, "strategy { vpp = 2 } | strategy { vpp_group = 8 }", CHANGES)
	ROW("strategy.dispatcher", MIXTURE, "strategy { ep = 2 } | strategy { dispatcher = deepep }", CHANGES)
	FREE("strategy.dispatcher_sms", MIXTURE, "strategy { dispatcher = deepep, overlap { dispatch = true }, pp = 1 } | strategy { dispatcher_sms = 20 }",
	     "what a dispatcher takes from other kernels is part of profile.hide_penalty")
	ROW("strategy.dispatch_probs", MIXTURE, "strategy { dispatch_probs = false }", CHANGES)

	/* ---- precision */
	FREE("strategy.precision.compute", DENSE, "strategy { precision { compute = fp16 } }",
	     "fp16 costs what bf16 costs")
	ROW("strategy.precision.linear", DENSE, "strategy { precision { linear = fp8 } }", CHANGES)
	FREE("strategy.precision.scaling", DENSE, "strategy { precision { linear = fp8 } } | strategy { precision { scaling = delayed } }",
	     "casts of all recipes move the same bytes; scales are a hundredth of them")
	FREE("strategy.precision.format", DENSE, "strategy { precision { linear = fp8 } } | strategy { precision { format = e4m3 } }",
	     "both formats have eight bits")
	ROW("strategy.precision.weights", DENSE, "strategy { precision { linear = fp8 } } | strategy { precision { weights = fp8 } }", CHANGES)
	ROW("strategy.precision.weight_gradient", DENSE, "strategy { precision { linear = fp8 } } | strategy { precision { weight_gradient = false } }", REFUSED)
	ROW("strategy.precision.head", DENSE, "strategy { precision { linear = fp8 } } | strategy { precision { head = true } }", REFUSED)
	ROW("strategy.precision.first_high", DENSE, "strategy { precision { linear = fp8 } } | strategy { precision { first_high = 1 } }", REFUSED)
	ROW("strategy.precision.last_high", DENSE, "strategy { precision { linear = fp8 } } | strategy { precision { last_high = 1 } }", REFUSED)
	ROW("strategy.precision.transposed", DENSE, "strategy { precision { linear = fp8 } } | strategy { precision { transposed = true } }", REFUSED)
	ROW("strategy.precision.keep_grouped_input", MIXTURE, "strategy { precision { linear = fp8 }, recompute { granularity = selective, modules = [moe] } } | strategy { precision { keep_grouped_input = true } }", CHANGES)
	ROW("strategy.precision.dispatch", MIXTURE, "strategy { precision { dispatch = fp8 } }", CHANGES)
	ROW("strategy.precision.residual", DENSE, "strategy { precision { residual = fp32 } }", REFUSED)
	FREE("strategy.precision.router", MIXTURE, "strategy { precision { router = bf16 } }",
	     "the product of the router is priced in the compute format, a thousandth of the work")

	/* ---- recompute */
	ROW("strategy.recompute.granularity", DENSE, "strategy { recompute { granularity = full } }", CHANGES)
	ROW("strategy.recompute.method", DENSE, "strategy { recompute { granularity = full } } | strategy { recompute { method = block, layers = 8 } }", CHANGES)
	ROW("strategy.recompute.layers", DENSE, "strategy { recompute { granularity = full } } | strategy { recompute { layers = 4 } }", CHANGES)
	ROW("strategy.recompute.modules", DENSE, "strategy { recompute { granularity = selective } } | strategy { recompute { modules = [mlp] } }", CHANGES)
	ROW("strategy.recompute.module_layers", DENSE, "strategy { recompute { granularity = selective } } | strategy { recompute { module_layers = 3 } }", CHANGES)
	ROW("strategy.recompute.per_rank", DENSE, "strategy { vpp = 2, recompute { granularity = full, method = block, layers = 6 } } | strategy { recompute { per_rank = true } }", CHANGES)
	ROW("strategy.recompute.ranks", DENSE, "strategy { recompute { granularity = full, method = block, layers = 8 } } | strategy { recompute { ranks = [2, 4] } }", CHANGES)
	ROW("strategy.recompute.early_stop", DENSE, "strategy { recompute { granularity = selective, modules = [mlp] } } | strategy { recompute { early_stop = true } }", CHANGES)
	ROW("strategy.recompute.distribute", DENSE, "strategy { sequence_parallel = false, recompute { granularity = full } } | strategy { recompute { distribute = true } }", REFUSED)
	ROW("strategy.recompute.enabled", DENSE, "strategy { recompute { granularity = full } } | strategy { recompute { enabled = false } }", CHANGES)

	/* ---- off-load */
	ROW("strategy.offload.optimizer.fraction", DENSE, "strategy { offload { optimizer { fraction = 50% } } }", REFUSED)
	FREE("strategy.offload.optimizer.step", DENSE, "strategy { offload { optimizer { step = device } } }",
	     "states on the host are refused")
	FREE("strategy.offload.optimizer.store", DENSE, "strategy { offload { optimizer { store = nvme } } }",
	     "states on the host are refused")
	FREE("strategy.offload.optimizer.pieces", DENSE, "strategy { offload { optimizer { pieces = 4 } } }",
	     "states on the host are refused")
	FREE("strategy.offload.optimizer.pinned", DENSE, "strategy { offload { optimizer { pinned = false } } }",
	     "states on the host are refused")
	ROW("strategy.offload.gradients", DENSE, "strategy { offload { gradients { fraction = 50% } } }", REFUSED)
	ROW("strategy.offload.parameters", DENSE, "strategy { zero = parameters, pp = 1, offload { parameters { fraction = 50% } } }", REFUSED)
	ROW("strategy.offload.activations.modules", MIXTURE, "strategy { offload { activations { modules = [expert_fc1] } } }", CHANGES)
	ROW("strategy.offload.activations.modules", MIXTURE, "strategy { precision { linear = fp8 } } | strategy { offload { activations { modules = [expert_fc1] } } }", CHANGES)
	ROW("strategy.offload.activations.tensors", DENSE, "strategy { offload { activations { tensors = [dispatched_input] } } }", REFUSED)
	ROW("strategy.offload.activations.fraction", MIXTURE, "strategy { offload { activations { modules = [expert_fc1] } } } | strategy { offload { activations { fraction = 50% } } }", REFUSED)
	ROW("strategy.offload.activations.min_size", MIXTURE, "strategy { offload { activations { modules = [expert_fc1] } } } | strategy { offload { activations { min_size = 1 TiB } } }", REFUSED)
	ROW("strategy.offload.activations.layers", MIXTURE, "strategy { pp = 1, offload { activations { modules = [expert_fc1] } } } | strategy { offload { activations { layers = 1 } } }", REFUSED)
	ROW("strategy.offload.activations.in_flight", MIXTURE, "strategy { offload { activations { modules = [expert_fc1] } } } | strategy { offload { activations { in_flight = 1 } } }", REFUSED)
	ROW("strategy.offload.activations.rank_step", MIXTURE, "strategy { offload { activations { modules = [expert_fc1] } } } | strategy { offload { activations { rank_step = 1 GiB } } }", REFUSED)

	/* ---- overlap */
	ROW("strategy.overlap.gradient_reduce", DENSE, "strategy { overlap { gradient_reduce = true } }", CHANGES)
	ROW("strategy.overlap.parameter_gather", DENSE, "strategy { overlap { gradient_reduce = true } } | strategy { overlap { parameter_gather = true } }", CHANGES)
	ROW("strategy.overlap.optimizer_gather", DENSE, "model { layers = 4 }, strategy { vpp = 2, overlap { gradient_reduce = true, parameter_gather = true } }, batch { sequence = 128 } | strategy { overlap { optimizer_gather = true } }", CHANGES)
	ROW("strategy.overlap.tensor", DENSE, "strategy { overlap { tensor = true } }", CHANGES)
	ROW("strategy.overlap.context", DENSE, "strategy { cp = 2 } | strategy { overlap { context = true } }", CHANGES)
	ROW("strategy.overlap.pipeline", DENSE, "strategy { overlap { pipeline = true } }", CHANGES)
	FREE("strategy.overlap.pipeline_ends", DENSE, "strategy { vpp = 2 } | strategy { overlap { pipeline_ends = true } }",
	     "messages of warm-up and flush travel like the others")
	ROW("strategy.overlap.dispatch", MIXTURE, "strategy { pp = 1 } | strategy { overlap { dispatch = true } }", CHANGES)
	ROW("strategy.overlap.dispatch_wgrad", MIXTURE, "strategy { overlap { dispatch_wgrad = true } }", CHANGES)
	ROW("strategy.overlap.dispatch_layer", MIXTURE, "strategy { overlap { dispatch_layer = true } }", REFUSED)
	ROW("strategy.overlap.shared_expert", LATENT, "strategy { overlap { shared_expert = true } }", CHANGES)
	FREE("strategy.overlap.early_release", MIXTURE, "strategy { pp = 1, overlap { dispatch = true } } | strategy { overlap { early_release = true } }",
	     "memory under overlap.dispatch is that of one micro-batch at a time")
	ROW("strategy.overlap.delay_wgrad", MIXTURE, "cluster { inter { kind = infiniband, bandwidth = 1 GB/s } }, strategy { pp = 1, ep = 8, etp = 2, overlap { dispatch = true } } | strategy { overlap { delay_wgrad = true } }", CHANGES)
	ROW("strategy.overlap.head_wgrad", DENSE, "strategy { overlap { head_wgrad = true } }", REFUSED)
	FREE("strategy.overlap.optimizer_transfer", DENSE, "strategy { overlap { optimizer_transfer = true } }",
	     "states on the host are refused")
	ROW("strategy.overlap.recompute", DENSE, "strategy { recompute = full } | strategy { overlap { recompute = true } }", REFUSED)

	/* ---- kernels */
	ROW("strategy.kernels.attention", DENSE, "strategy { kernels { attention = unfused } }", CHANGES)
	ROW("strategy.kernels.cross_entropy", DENSE, "strategy { kernels { cross_entropy = te } }", CHANGES)
	FREE("strategy.kernels.vocab_chunk", DENSE, "strategy { kernels { vocab_chunk = 1024 } }",
	     "the chunked loss it belongs to is refused")
	ROW("strategy.kernels.fused_norm", DENSE, "strategy { kernels { fused_norm = false } }", CHANGES)
	ROW("strategy.kernels.fused_activation", DENSE, "strategy { kernels { fused_activation = false } }", CHANGES)
	ROW("strategy.kernels.fused_rope", DENSE, "strategy { kernels { fused_rope = false } }", CHANGES)
	ROW("strategy.kernels.fused_softmax", DENSE, "strategy { kernels { attention = unfused } } | strategy { kernels { fused_softmax = false } }", CHANGES)
	ROW("strategy.kernels.fused_permute", MIXTURE, "strategy { dispatch_probs = false } | strategy { kernels { fused_permute = false } }", CHANGES)
	FREE("strategy.kernels.fused_router", MIXTURE, "strategy { kernels { fused_router = true } }",
	     "a few launches a layer")
	ROW("strategy.kernels.fused_accumulation", DENSE, "strategy { kernels { fused_accumulation = false } }", CHANGES)
	ROW("strategy.kernels.in_place_weight", DENSE, "strategy { kernels { in_place_weight = false } }", CHANGES)
	ROW("strategy.kernels.grouped", MIXTURE, "cluster = tabled, strategy { ep = 2 } | strategy { kernels { grouped = false } }", CHANGES)
	FREE("strategy.kernels.op_fuser", DENSE, "strategy { kernels { op_fuser = true } }",
	     "saves launches")
	ROW("strategy.kernels.mlp_chunks", DENSE, "strategy { kernels { mlp_chunks = 2 } }", REFUSED)
	ROW("strategy.kernels.graphs", DENSE, "profile = standard with { launch = 9 ms } | strategy { kernels { graphs = full } }", CHANGES)
	FREE("strategy.kernels.graph_modules", DENSE, "strategy { kernels { graphs = te } } | strategy { kernels { graph_modules = [\"attn\"] } }",
	     "with any graphs no launch counts")
	ROW("strategy.kernels.compile", DENSE, "strategy { kernels { fused_norm = false } } | strategy { kernels { compile = true } }", CHANGES)

	/* ---- optimizer */
	ROW("optimizer.kind", DENSE, "optimizer = muon", CHANGES)
	ROW("optimizer.master", DENSE, "optimizer { master = bf16 }", CHANGES)
	ROW("optimizer.moments", DENSE, "optimizer { moments = bf16 }", CHANGES)
	ROW("optimizer.variance", DENSE, "optimizer { variance = bf16 }", CHANGES)
	ROW("optimizer.gradient", DENSE, "optimizer { gradient = bf16 }", CHANGES)
	ROW("optimizer.reduce", DENSE, "optimizer { reduce = bf16 }", CHANGES)
	ROW("optimizer.single_copy", DENSE, "optimizer { single_copy = true }", CHANGES)
	ROW("optimizer.clip", DENSE, "optimizer { clip = false }", CHANGES)
	FREE("optimizer.per_token_loss", DENSE, "optimizer { per_token_loss = true }",
	     "one more number in the reduction of the loss")

	/* ---- framework */
	FREE("framework.name", DENSE, "framework { name = megatron }",
	     "decides rules, not costs")
	ROW("framework.te", DENSE, "framework { te = none }", CHANGES)
	FREE("framework.version", DENSE, "framework { version = \"2\" }", "decides rules, not costs")
	FREE("framework.core", MIXTURE, "framework { core = \"0.16\" }", "decides rules and dispatch_probs")
	FREE("framework.torch", DENSE, "framework { torch = \"2.8\" }", "decides rules, not costs")

	/* ---- cluster */
	ROW("cluster.gpus_per_node", DENSE, "cluster { gpus_per_node = 4, nodes = 8 }", CHANGES)
	ROW("cluster.nodes", DENSE, "cluster { nodes = 8 }", CHANGES)
	ROW("cluster.intra", DENSE, "cluster { intra { kind = nvlink, bandwidth = 100 GB/s } }", CHANGES)
	ROW("cluster.inter", DENSE, "cluster { inter { kind = infiniband, bandwidth = 10 GB/s } }", CHANGES)
	ROW("cluster.levels", DENSE, "cluster { levels = [{ name = \"all\", size = 32, link = { kind = nvlink, bandwidth = 99 GB/s } }] }", CHANGES)
	FREE("cluster.host_memory", DENSE, "cluster { host_memory = 1 GiB }",
	     "memory.host is reported beside it")
	ROW("cluster.price", DENSE, "run_tokens = 1000000000000 | cluster { price = 2 USD/h }", CHANGES)
	ROW("cluster.gpu.memory", DENSE, "cluster { gpu { memory = 10 GiB } }", CHANGES)
	ROW("cluster.gpu.memory_bandwidth", DENSE, "cluster { gpu { memory_bandwidth = 1 TB/s } }", CHANGES)
	ROW("cluster.gpu.memory_efficiency", DENSE, "cluster { gpu { memory_efficiency = 50% } }", CHANGES)
	ROW("cluster.gpu.memory_latency", DENSE, "cluster { gpu { memory_latency = 50 us } }", CHANGES)
	ROW("cluster.gpu.peak", DENSE, "cluster { gpu { peak { bf16 = 500 TFLOP/s } } }", CHANGES)
	ROW("cluster.gpu.efficiency", DENSE, "cluster { gpu { efficiency = 30% } }", CHANGES)
	ROW("cluster.gpu.compute", DENSE, "cluster { gpu { compute = [{ kernel = \"matmul\", rate = 100 TFLOP/s, efficiency = 50% }] } }", CHANGES)
	ROW("cluster.gpu.traffic", DENSE, "cluster { gpu { traffic = [{ kernel = \"ce\", bandwidth = 100 GB/s, efficiency = 50%, latency = 1 us }] } }", CHANGES)
	ROW("cluster.gpu.matmul", DENSE, "cluster = tabled", CHANGES)
	ROW("cluster.gpu.grouped", MIXTURE, "cluster = tabled", CHANGES)
	ROW("cluster.gpu.core_attention", DENSE, "cluster = tabled", CHANGES)
	ROW("cluster.gpu.roofline", DENSE, "cluster { gpu { memory_bandwidth = 100 GB/s } } | cluster { gpu { roofline = false } }", CHANGES)
	ROW("cluster.gpu.backend", DENSE, "strategy { kernels { attention = math } } | cluster { gpu { backend = musa } }", CHANGES)
	FREE("cluster.gpu.capability", DENSE, "cluster { gpu { capability = 8.0 } }", "decides rules, not costs")
	ROW("cluster.gpu.host_link", MIXTURE, "strategy { offload { activations { modules = [expert_fc1] } } } | cluster { gpu { host_link { kind = pcie, bandwidth = 1 GB/s } } }", CHANGES)
	ROW("cluster.gpu.power", DENSE, "run_tokens = 1000000000000 | cluster { gpu { power = 300 W } }", CHANGES)

	/* ---- links, tried on the one inside a node */
#define LINK(field, value, effect) \
	ROW("cluster.intra." field, DENSE, "gpus = 8 | cluster { intra { " value " } }", effect)
	LINK("latency", "latency = 50 us", CHANGES)
	LINK("efficiency", "efficiency = 20%", CHANGES)
	LINK("fixed", "fixed = 1 ms", CHANGES)
	LINK("fixed_at", "fixed_at = [{ size = 2, time = 1 ms }]", CHANGES)
	LINK("topology", "topology = mesh", CHANGES)
	ROW("cluster.intra.sharp", DENSE, "gpus = 8, strategy { tp = 4, sequence_parallel = false } | cluster { intra { sharp = true } }", CHANGES)
	LINK("all_reduce", "all_reduce { scale = 5 }", CHANGES)
	LINK("all_gather", "all_gather { scale = 5 }", CHANGES)
	LINK("reduce_scatter", "reduce_scatter { scale = 5 }", CHANGES)
	ROW("cluster.intra.all_to_all", MIXTURE, "cluster { intra { all_to_all { scale = 5 } } }", CHANGES)
	LINK("p2p", "p2p { scale = 50 }", CHANGES)
#undef LINK
#undef ROW
#undef FREE
};

#endif
