#!/bin/bash
# Quotes of every kind, words that are glued, a layout, comments that look like flags.
export CUDA_DEVICE_MAX_CONNECTIONS=1
NAME='llama3.1-405b'            # --num-layers 99 is no argument
OUT="${HOME}/runs/${NAME}"
LAYOUT='Et*15|(t*16|)*6t*15L'
args=(
  "--num-layers" '126' --hidden-size=16384 --ffn-hidden-size "53248"
  --num-attention-heads 128 --group-query-attention --num-query-groups 8 --kv-channels 128
  --seq-length 8"192" --max-position-embeddings 131072
  --micro-batch-size 1 --global-batch-size "252"
  --normalization "RMSNorm" --swiglu --disable-bias-linear --untie-embeddings-and-output-weights
  --position-embedding-type rope --rotary-base 500000 --use-rope-scaling --rope-scaling-factor 8.0
  --attention-dropout 0 --hidden-dropout 0
  --tensor-model-parallel-size 8 --sequence-parallel --context-parallel-size 2
  --pipeline-model-parallel-size 8 --pipeline-model-parallel-layout "$LAYOUT"
  --use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather --tp-comm-overlap
  --bf16 --fp8-format e4m3 --fp8-recipe blockwise
  --recompute-granularity full --recompute-method block --recompute-num-layers 2
  --lr 8e-5 --train-iters $'1000' --save "$OUT/ckpt" --save-interval 100 --load "$OUT"/ckpt
  --tokenizer-type HuggingFaceTokenizer --tokenizer-model "meta-llama/Llama-3.1-405B"
  --data-path "${DATA:?}" --wandb-project "$NAME" --wandb-exp-name "${NAME}-${SUFFIX:-base}"
  --vocab-size 128256
)
torchrun --nproc_per_node 8 --nnodes 16 \
  --rdzv_id="$NAME" -- pretrain_gpt.py "${args[@]}" 2>&1 | tee "$OUT/log"
