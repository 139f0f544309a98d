#!/usr/bin/env bash
# Functions with local names, a case by size, arrays that grow.
set -euo pipefail
export CUDA_DEVICE_MAX_CONNECTIONS=1

readonly NODES="${NODES:-2}"
readonly GPUS=8

model_args() {
  local size=$1
  case "$size" in
    7b|7B)
      MODEL+=(--num-layers 28 --hidden-size 3584 --ffn-hidden-size 18944 --num-attention-heads 28)
      MODEL+=(--group-query-attention --num-query-groups 4)
      ;;
    72b)
      MODEL+=(--num-layers 80 --hidden-size 8192 --ffn-hidden-size 29568 --num-attention-heads 64)
      MODEL+=(--group-query-attention --num-query-groups 8)
      ;;
    *)
      echo "unknown size $size" >&2
      exit 2
      ;;
  esac
  MODEL+=(
    --normalization RMSNorm --norm-epsilon 1e-6 --swiglu
    --position-embedding-type rope --rotary-base 1000000
    --disable-bias-linear --add-qkv-bias
    --untie-embeddings-and-output-weights
    --attention-dropout 0.0 --hidden-dropout 0.0
    --max-position-embeddings 32768
    --make-vocab-size-divisible-by 1 --vocab-size 152064
  )
}

parallel_args() {
  local tp=$1 pp=$2 cp=${3:-1}
  PARALLEL=(--tensor-model-parallel-size "$tp" --pipeline-model-parallel-size "$pp" --context-parallel-size "$cp")
  if (( tp > 1 )); then
    PARALLEL+=(--sequence-parallel)
  fi
  (( cp > 1 )) && PARALLEL+=(--cp-comm-type p2p)
  PARALLEL+=(--use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather)
}

train() {
  torchrun --nproc-per-node="$GPUS" --nnodes="$NODES" --rdzv-backend=c10d --rdzv-endpoint="${HEAD:-localhost}:29500" \
    pretrain_gpt.py "${MODEL[@]}" "${PARALLEL[@]}" "$@"
}

MODEL=()
model_args 7b
parallel_args 2 2 2
train --seq-length=8192 --micro-batch-size=1 --global-batch-size=$(( NODES * GPUS / 8 * 64 )) \
  --train-iters 2000 --lr 2e-4 --min-lr 2e-5 --lr-warmup-iters 100 --bf16 \
  --tokenizer-type NullTokenizer --mock-data --no-rope-fusion \
  --recompute-granularity selective --recompute-modules core_attn mlp \
  --cross-entropy-loss-fusion --cross-entropy-fusion-impl te
