#!/bin/bash
#SBATCH --nodes=4
#SBATCH --gres=gpu:h100:8   # eight a node
# A mixture of experts, the way scripts with arrays look.
set -euo pipefail
: "${DATA:?prefix of a data set}"
TP=2 PP=2
export EP=${EP:-8} CUDA_DEVICE_MAX_CONNECTIONS=1
NODES=${SLURM_NNODES:-4}
GPUS=$((NODES * 8))
MICRO=1
GLOBAL=$((GPUS / (TP * PP) * MICRO * 16))   # 128
DEEPEP=0

MODEL=(
  --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336   # Mixtral 8x7B
  --num-attention-heads 32 --group-query-attention --num-query-groups 8
  --seq-length 4096 --max-position-embeddings 32768 --position-embedding-type rope --rotary-base 1000000
  --normalization RMSNorm --swiglu --disable-bias-linear --untie-embeddings-and-output-weights
  --attention-dropout 0.0 --hidden-dropout 0.0 --vocab-size 32000
)
MOE=(--num-experts 8 --moe-router-topk 2 --moe-router-load-balancing-type aux_loss --moe-aux-loss-coeff 1e-2
  --moe-grouped-gemm --moe-permute-fusion --moe-router-dtype fp32)
if [ "$DEEPEP" = 1 ]; then
  MOE+=(--moe-token-dispatcher-type flex --moe-enable-deepep)
else
  MOE+=(--moe-token-dispatcher-type alltoall)
fi
[[ $PP -gt 1 ]] && PIPE="--num-layers-per-virtual-pipeline-stage 4"
if [ -n "$WANDB_KEY" ]; then EXTRA+=(--wandb-project runs); fi
PARALLEL=(
  --tensor-model-parallel-size $TP --sequence-parallel
  --pipeline-model-parallel-size ${PP} $PIPE
  --expert-model-parallel-size "$EP" --expert-tensor-parallel-size 1
  --use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather
)
srun --nodes=$NODES bash -c "python -u pretrain_gpt.py ${MODEL[*]} ${MOE[*]} ${PARALLEL[*]} \
  --micro-batch-size $MICRO --global-batch-size $GLOBAL --train-iters 1000 --lr 3e-4 --bf16 \
  --data-path $DATA --split 99,1,0 --log-throughput --exit-duration-in-mins 220 \
  --tokenizer-type HuggingFaceTokenizer --tokenizer-model $TOKENIZER"
