# launches.sh NAME NODES VOCABULARY: the arguments in tests/data/launch/NAME.args as a plan, and the plan's.
# `-` has the launch only, `+` the plan.
sed "s/^\(--[a-z-]*\) \(.*[(|].*\)/\1 '\2'/" "../../data/launch/$1.args" >"$T/$1.args"
planc import megatron "$T/$1.args" -o "$T/$1.plan" || exit 1
sed 's/^emit megatron from pretrain to "pretrain.sh" {/&\
  artefact = "flags"/' "$T/$1.plan" >"$T/flags.plan"
planc emit "$T/flags.plan" -p machines=clusters.dgx_h100 -p vocab_size="$3" -p node_count="$2" -p node_gpus=8 \
	-o "$T/$1" >/dev/null && awk -f ../emit/arguments.awk "../../data/launch/$1.args" "$T/$1/pretrain.sh"
