# Plans, their launch scripts, the scripts as plans: the same results, and the same scripts again.
planc emit round.plan -o $T
for n in dense:dgx_h100 latent:dgx_h100 mixture:dgx_a100 old:dgx_a100; do j=${n%:*}; planc import megatron $T/$j.sh -o $T/$j.plan; for f in memory.reserved step.time tokens_per_second; do a=$(planc eval round.plan $j.$f); b=$(planc eval $T/$j.plan -p machines=clusters.${n#*:} pretrain.$f); [ "$a" = "$b" ] && echo "$j.$f the same: $a" || echo "$j.$f: $a before, $b after"; done; planc emit $T/$j.plan -p machines=clusters.${n#*:} -o $T/again >/dev/null; diff $T/$j.sh $T/again/pretrain.sh | grep -v '^[<>] # planc\|^2c2\|^---'; rm $T/again/pretrain.sh; done
for n in next graphs; do planc import megatron $T/$n.sh -o $T/$n.plan; planc emit $T/$n.plan -p machines=clusters.dgx_h100 -o $T/again >/dev/null; diff $T/$n.sh $T/again/pretrain.sh; rm $T/again/pretrain.sh; done
planc import megatron $T/sent.sh | sed -n '/offload {/,/^  }/p'
