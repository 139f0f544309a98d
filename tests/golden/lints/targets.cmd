planc targets simumax
planc targets megatron --rules | sed -n 1,4p
planc targets --rules
planc targets megatro
planc check ../../../examples/llama3_8b_a100.plan --target megatron@0.14 2>&1 | sed "s,[0-9]* rules hold,rules hold,"
planc check ../../../examples/llama3_8b_a100.plan --target megatron 2>&1 | sed "s,[0-9]* rules hold,rules hold,"
planc check ../../../examples/llama3_8b_a100.plan --target megatron@
planc check ../../../examples/llama3_8b_a100.plan --target megatron@0.11
planc check ../../../examples/llama3_8b_a100.plan --target megatro@0.14
planc check kv_heads.plan --target megatron@0.15
planc check kv_heads.plan --target megatron@0.16 2>&1 | sed "s,[0-9]* rules hold,rules hold,"
