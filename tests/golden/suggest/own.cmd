planc suggest --model ours.plan:ours --cluster ours.plan:lab > $T/out
sed -n '3,7p; /^import/,/^$/p; /tensor_parallel/,/tp .*=/p' $T/out
planc suggest --model ours.plan:pretrain --cluster dgx_a100_40 --gpus 8 | sed -n '/^import/,/^  strategy/p'
planc suggest --model ours.plan:ours --cluster ours.plan:desk --gpus 3 --profile simumax | sed -n '/^import/,/^  strategy/p'
# Nothing between the nodes.
planc suggest --model ours.plan:ours --cluster ours.plan:desk --gpus 8
# A plan can only import what lies below its folder.
planc suggest --model ours.plan:ours --cluster dgx_h100 --gpus 8 -o $T/there.plan
mkdir $T/below && cp ours.plan $T/below
planc suggest --model $T/below/ours.plan:ours --cluster dgx_h100 --gpus 8 -o $T/there.plan && grep '^import' $T/there.plan
planc check $T/there.plan | sed -E "s|$T|T|; s|[0-9]+ rules|N rules|"
# No condition of it is idle.
planc sweep $T/there.plan > $T/swept
