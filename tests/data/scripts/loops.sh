#!/bin/bash
# Loops and arithmetic that make arguments, a data blend, trailing comments behind continued words.
set -u
GPUS_PER_NODE=${GPUS_PER_NODE:-8}
NNODES=${NNODES:-${SLURM_NNODES:-16}}
let WORLD=GPUS_PER_NODE*NNODES
EP=${EP:-$(( WORLD >= 64 ? 32 : 8 ))}
BLEND=""
for part in web code books; do
  BLEND="$BLEND 1.0 /data/${part}_text_document"
done

MOE_ARGS=(
  --num-experts 64                         # fine-grained
  --moe-ffn-hidden-size 1408
  --moe-router-topk $(( 2 * 3 ))
  --moe-shared-expert-intermediate-size $((1408*2))
  --moe-layer-freq "([0]*1+[1]*27)"
  --moe-router-load-balancing-type seq_aux_loss
  --moe-token-dispatcher-type alltoall
  --moe-grouped-gemm --moe-permute-fusion
  --moe-router-score-function softmax --moe-router-dtype fp32
)
MLA_ARGS="--multi-latent-attention --kv-lora-rank 512 --qk-head-dim 128 --qk-pos-emb-head-dim 64 --v-head-dim 128 --qk-layernorm"

launch="torchrun --nproc_per_node=$GPUS_PER_NODE --nnodes=$NNODES"
$launch pretrain_gpt.py \
  --num-layers 28 --hidden-size 2048 --ffn-hidden-size 10944 --num-attention-heads 16 \
  --seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 \
  --global-batch-size $((WORLD*8)) \
  --tensor-model-parallel-size 1 --pipeline-model-parallel-size 1 --expert-model-parallel-size $EP \
  ${MLA_ARGS} "${MOE_ARGS[@]}" --rope-type rope --position-embedding-type rope \
  --swiglu --normalization RMSNorm --disable-bias-linear --untie-embeddings-and-output-weights \
  --attention-dropout 0.0 --hidden-dropout 0.0 --make-vocab-size-divisible-by 3200 --vocab-size 102400 \
  --use-distributed-optimizer --overlap-grad-reduce --bf16 --lr 4.2e-4 --train-iters 1000 \
  --no-rope-fusion --tokenizer-type NullTokenizer --data-path $BLEND --split 1,0,0
