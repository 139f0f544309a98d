# Inverse questions about jobs.
planc solve ../../../examples/llama3_70b_sweep.plan cluster.nodes --min --such-that 'tokens_per_second >= 100_000 / 1 s'
planc solve ../../../examples/llama3_70b_sweep.plan node_count --min --such-that 'tokens_per_second >= 100_000 / 1 s'
planc solve ../../../examples/llama3_70b_sweep.plan batch.sequence --max
planc solve ../../../examples/llama3_70b_sweep.plan batch.micro --max
planc solve ../../../examples/llama3_70b_sweep.plan winner.cluster.inter.bandwidth --min --such-that 'mfu >= 40%'
planc solve ../../../examples/llama3_70b_sweep.plan tokens --max --such-that 'length < 100 d'
planc solve ../../../examples/llama3_70b_sweep.plan pod.nodes --min --such-that 'mfu >= 140%'
planc solve ../../../examples/llama3_70b_sweep.plan strategy.recompute --min
# A value that may be absent has to be there; once it is, and once it is not.
planc solve ../../../examples/deepseek_v3_h800.plan cluster.nodes --min --such-that 'days <= 90 d'
planc solve ../../../examples/llama3_70b_sweep.plan cluster.nodes --min --such-that 'days <= 90 d or mfu > 2'
# Conditions of the plan are rules, too: here they let one number of nodes through.
planc solve ../../../examples/llama3_8b_a100.plan cluster.nodes --min --such-that 'step.time <= 3 s'
