planc emit launches.plan -o $T
# + is what the artefact says and the launch leaves to a default: the vocabulary with its padding (the
#   launch takes it from the tokenizer), the optimizer, the loss of the fusion
# the attention backend: `flash` is a choice of the plan, `auto` or nothing that of the framework
# the comma in a layout is for the eye
awk -f arguments.awk ../../data/launch/llama3_8b.args $T/llama3_8b.args
awk -f arguments.awk ../../data/launch/llama3_70b.args $T/llama3_70b.args
awk -f arguments.awk ../../data/launch/llama31_405b.args $T/llama31_405b.args
awk -f arguments.awk ../../data/launch/mixtral_8x7b.args $T/mixtral_8x7b.args
awk -f arguments.awk ../../data/launch/deepseek_v3_671b.args $T/deepseek_v3_671b.args
bash -n $T/run.sh
if command -v shellcheck >/dev/null; then shellcheck $T/run.sh; fi
# the script hands on what the list of arguments has, variables filled in
mkdir $T/bin
printf '#!/bin/sh\nfor i; do case $i in --*) echo; esac; printf "%%s " "$i"; done\n' > $T/bin/torchrun
chmod +x $T/bin/torchrun
PATH=$T/bin:$PATH DATA='my data' MEGATRON=there bash $T/run.sh > $T/handed
awk -f arguments.awk $T/run.args $T/handed
