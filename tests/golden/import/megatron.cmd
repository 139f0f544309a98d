planc import megatron arrays.sh -o $T/arrays.plan; cat $T/arrays.plan
planc import megatron strings.sh -o $T/strings.plan; cat $T/strings.plan
# What is open is asked for; with it the plans are sound.
planc check $T/arrays.plan 2>&1 | grep '^error'
planc check $T/strings.plan -p machines=clusters.dgx_h100 2>&1 | grep '^error.*value'
planc check $T/arrays.plan -p machines=clusters.dgx_h100 | sed 's/[0-9]* rules/all rules/'
planc check $T/strings.plan -p machines=clusters.dgx_a100 -p node_count=2 -p global_batch_size=64 | sed 's/[0-9]* rules/all rules/'
planc fmt --check $T/arrays.plan $T/strings.plan
# Written again and read again: the same plan, but for its first comment.
planc emit $T/arrays.plan -p machines=clusters.dgx_h100 -o $T; planc import megatron $T/pretrain.sh -o $T/again.plan; diff $T/arrays.plan $T/again.plan
# Arguments without a field are handed on; the rules of Megatron hold for them.
printf '%s\n' '--num-layers 8 --hidden-size 64 --num-attention-heads 2 --max-position-embeddings 8' '--seq-length 8 --micro-batch-size 1 --global-batch-size 16 --vocab-size 10 --bf16 --pipeline-model-parallel-size 2' '--pipeline-model-parallel-layout "Et*8|*3L" --nproc_per_node 8 --nnodes 1 --node_rank 0' '--use-torch-fsdp2 --torch-fsdp2-no-reshard-after-forward --train-iters 5 --rampup-batch-size 8 8 1000' >$T/fsdp2; planc import megatron $T/fsdp2 -o $T/fsdp2.plan; sed -n '/^strategy/,$p' $T/fsdp2.plan; planc check $T/fsdp2.plan --target megatron@0.17 -p machines=clusters.dgx_h100 2>&1 | grep '^error\|also'
# What does nothing without another argument is left out; Megatron-FSDP that cuts only the optimizer's states is an option.
printf '%s\n' '--num-layers 8 --hidden-size 64 --num-attention-heads 2 --max-position-embeddings 8 --seq-length 8 --micro-batch-size 1 --global-batch-size 16 --vocab-size 10 --bf16 --nproc_per_node 8 --nnodes 1' '--use-megatron-fsdp --data-parallel-sharding-strategy optim --ckpt-format fsdp_dtensor --recompute-method block --recompute-num-layers 2 --moe-shared-expert-overlap' >$T/idle; planc import megatron $T/idle -o $T/idle.plan; grep '^ *#.*left out\|zero\|fsdp\|recompute' $T/idle.plan
# Bare arguments.
printf '%s\n' '--num-layers 2' '--hidden-size 64 --num-attention-heads 2' '--seq-length 8 --micro-batch-size 1 --global-batch-size 8 --vocab-size 10' '"--moe-layer-freq" "([1]+[0])" --num-experts 4 --nnodes 2' >$T/args; planc import megatron $T/args
