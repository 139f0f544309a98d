planc import deepspeed zero3.json -o $T/zero3.plan; cat $T/zero3.plan
planc import deepspeed zero2.json -o $T/zero2.plan; cat $T/zero2.plan
planc fmt --check $T/*.plan
# What the files leave to others is asked for.
planc check $T/zero2.plan 2>&1 | grep '^error.*value\|^error.*which'
planc eval $T/zero3.plan -p trained=models.llama3_8b -p machines=clusters.dgx_h100 -p train_micro_batch_size_per_gpu=2 -p sequence_length=4096 -p 'number_format="bf16"' '(pretrain.batch.global, pretrain.strategy.bucket, pretrain.strategy.precision.compute)'
planc check $T/zero2.plan -p trained=models.llama3_8b -p machines=clusters.dgx_h100 -p sequence_length=4096 2>&1 | sed 's/[0-9]* rules/all rules/'
# Written and read again: the same file.
planc emit $T/zero2.plan -p trained=models.llama3_8b -p machines=clusters.dgx_h100 -p sequence_length=4096 -o $T/a; planc import deepspeed $T/a/ds_config.json -o $T/again.plan; planc emit $T/again.plan -p trained=models.llama3_8b -p machines=clusters.dgx_h100 -p sequence_length=4096 -o $T/b; diff $T/a/ds_config.json $T/b/ds_config.json && echo the same file
# Damage.
echo '{ "zero_optimization": { "stage": 4 }, "train_batch_size": 8 }' >$T/c.json; planc import deepspeed $T/c.json
echo '{ "bf16": { "enabled": true }, "fp16": { "enabled": true } }' >$T/c.json; planc import deepspeed $T/c.json
echo '{ "train_batch_size": 0, "optimizer": { "type": "OneBitAdam" }, "zero_optimization": { "offload_optimizer": { "device": "disk" }, "overlap_comm": "yes" } }' >$T/c.json; planc import deepspeed $T/c.json
echo '{ "zero_optimization": 3, "tensor_parallel": [] }' >$T/c.json; planc import deepspeed $T/c.json
