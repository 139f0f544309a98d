# Whole plans of many parts. What the cost model cannot price yet (experts' traffic with other kernels, states on
# the host, adapters, rounds) is refused when it is asked for; the rest of such a plan is as good as any.
planc fmt --check *.plan
planc check racks.plan
planc test racks.plan
planc check state_space.plan
planc test state_space.plan
planc check dense_8b.plan
planc test dense_8b.plan
planc sweep dense_8b.plan | head -n 8
planc emit dense_8b.plan -o $T && test -s $T/out/llama3_8b.sh
planc check deepseek_relief.plan
planc eval deepseek_relief.plan '[pretrain.gpus, pretrain.dp, pretrain.edp, pretrain.min_gpus, pretrain.micro_batches]'
planc eval deepseek_relief.plan '[v3.layout.stages, v3.layout.layers, v3.layout.mtp]'
planc eval deepseek_relief.plan 'relief' 
planc why-not deepseek_relief.plan 'ep = 24' relief
planc check lora_grpo.plan
planc eval lora_grpo.plan '[grpo.mini, grpo.updates, grpo.replicas, learner.dp, sft.dp]'
planc eval lora_grpo.plan grpo.kv_per_token
planc eval lora_grpo.plan grpo.rollout.decode
planc eval lora_grpo.plan grpo.iteration
