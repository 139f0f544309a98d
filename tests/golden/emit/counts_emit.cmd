planc emit counts.plan -o $T && grep -A1 -- "--custom-virtual\|--num-virtual" $T/run.args
planc eval counts.plan "[z.layers for z in pretrain.pipeline.stages]"
