planc why chain.plan pretrain.dp
planc why chain.plan pretrain.dp -p ranks=2
planc why chain.plan square.area
planc why chain.plan word
planc why chain.plan total
planc why chain.plan rate
planc why chain.plan pretrain.strategy.vpp
planc why chain.plan pretrain.strategy.zero
planc why chain.plan pretrain.strategy
planc why chain.plan 'square.area + ranks'
planc why chain.plan plain.step.time
planc why chain.plan plain.memory.peak
planc why chain.plan plain.memory.activations
planc why chain.plan plain.step.tensor_comm
planc why chain.plan plain.tokens_per_second
planc why chain.plan plain.mfu
planc why chain.plan llama3_8b.parameters
planc why chain.plan pretrain.dq
planc why chain.plan '1 / (ranks - 4)'
planc why chain.plan pretrain.dp --format json
planc why chain.plan plain.memory.peak --format json
planc why chain.plan plain.dq --format json
planc why chain.plan plain.dp --format csv
