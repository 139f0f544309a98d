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
# Bare arguments.
printf '%s\n' '--num-layers 2' '--hidden-size 64 --num-attention-heads 2' '--seq-length 8 --micro-batch-size 1 --global-batch-size 8 --vocab-size 10' '"--moe-layer-freq" "([1]+[0])" --num-experts 4 --nnodes 2' >$T/args; planc import megatron $T/args
