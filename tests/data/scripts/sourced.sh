#!/bin/sh
# Settings from a file beside it and from the environment; what neither gives has no default.
. ./cluster.env
export NCCL_IB_TIMEOUT=22
MODEL="--num-layers 16 --hidden-size 2048 --num-attention-heads 16 --ffn-hidden-size 8192 --seq-length 2048"
MODEL="${MODEL} --max-position-embeddings 2048 --vocab-size 50304 --position-embedding-type rope --swiglu"
if [ -n "${FP8:-}" ]; then
  PRECISION="--bf16 --fp8-format hybrid"
else
  PRECISION="--bf16"
fi
test "${PROFILE:-0}" = 1 && PROF="--profile --profile-step-start 10 --profile-step-end 12"
exec torchrun --nproc_per_node "${GPUS:-8}" --nnodes "${HOSTS}" --master_addr "${HEAD}" \
  pretrain_gpt.py $MODEL $PRECISION ${PROF:-} \
  --tensor-model-parallel-size ${TP:-1} --micro-batch-size "${MBS:-4}" --global-batch-size "${GBS}" \
  --lr 1e-3 --train-iters "${STEPS:=500}" --mock-data --tokenizer-type NullTokenizer
