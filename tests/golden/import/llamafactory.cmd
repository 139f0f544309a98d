sed /hpz/d zero3.json >$T/zero3.json; planc import llamafactory tuning.yaml $T/zero3.json -o $T/tuning.plan; cat $T/tuning.plan
planc fmt --check $T/tuning.plan; planc check $T/tuning.plan -p trained=models.qwen25_7b -p machines=clusters.dgx_h100 | sed 's/[0-9]* rules/all rules/'
# Written and read again: the same files.
printf 'model_name_or_path: x\nstage: pt\nfinetuning_type: full\ncutoff_len: 2048\nper_device_train_batch_size: 1\nbf16: true\n' >$T/full.yaml; planc import llamafactory $T/full.yaml -o $T/full.plan && planc emit $T/full.plan -p trained=models.qwen25_7b -p machines=clusters.dgx_h100 -o $T/a >/dev/null; planc import llamafactory $T/a/tuning/train.yaml -o $T/again.plan; planc emit $T/again.plan -p trained=models.qwen25_7b -p machines=clusters.dgx_h100 -o $T/b >/dev/null; diff $T/a/tuning/train.yaml $T/b/tuning/train.yaml | grep -v '^[<>] # planc\|^1c1\|^---' || echo the same file
# The launch that the target is compared with, read and written again: but for the name of its other file, the same keys.
planc import llamafactory ../targets/given_llamafactory.yaml ../targets/given_deepspeed.json -o $T/given.plan; sed -n '/^emit/,$p' $T/given.plan; planc emit $T/given.plan -p trained=models.llama3_8b -p machines=clusters.dgx_h100 -o $T/g
printf '! deepspeed "ds_z3_offload_llama3_8b.json" "deepspeed.json"\n' >$T/renamed; if command -v python3 >/dev/null; then python3 ../targets/same.py ../targets/given_llamafactory.yaml $T/g/tuning/train.yaml $T/renamed; python3 ../targets/same.py ../targets/given_deepspeed.json $T/g/tuning/deepspeed.json /dev/null; fi
# Damage.
planc import llamafactory tuning.yaml
printf 'stage: sft\n  bf16: true\n' >$T/c.yaml; planc import llamafactory $T/c.yaml
printf 'a: &x 1\nb: *x\n' >$T/c.yaml; planc import llamafactory $T/c.yaml
printf 'stage: sft\nstage: dpo\n' >$T/c.yaml; planc import llamafactory $T/c.yaml
printf -- '- a\n- b\n' >$T/c.yaml; planc import llamafactory $T/c.yaml
: >$T/c.yaml; planc import llamafactory $T/c.yaml
printf 'stage: ppo\nfinetuning_type: freeze\ncutoff_len: long\nper_device_train_batch_size: 1.5\nbf16: 1\noptim: adafactor\nfsdp: full_shard\n' >$T/c.yaml; planc import llamafactory $T/c.yaml
printf 'lora_target: [q_proj, wide]\n# grüße\nstage: "grüße", bf16: x\n' >$T/c.yaml; planc import llamafactory $T/c.yaml
printf 'stage: sft\n---\nstage: dpo\n' >$T/c.yaml; planc import llamafactory $T/c.yaml
