#!/bin/bash
#SBATCH --nodes=48
#SBATCH --gres=gpu:8
# A launcher and a command in variables, joined in single quotes for each rank.
set -x -e
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NNODES=$SLURM_NNODES
MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
MASTER_PORT=6000

TP_SIZE=4
PP_SIZE=12

MICRO_BATCH_SIZE=2
GLOBAL_BATCH_SIZE=2048

NLAYERS=70
NHIDDEN=14336
NHEADS=112
SEQ_LEN=2048
VOCAB=250680

OPTIMIZER_ARGS=" \
    --optimizer adam \
    --adam-beta1 0.9 \
    --adam-beta2 0.95 \
    --adam-eps 1e-8 \
    --lr 6e-5 \
    --min-lr 6e-6 \
    --lr-decay-style cosine \
    --clip-grad 1.0 \
    --weight-decay 1e-1 \
    "
EXIT_OPTS=" \
    --exit-duration-in-mins 5990 \
    "
GPT_ARGS=" \
    --num-layers $NLAYERS \
    --hidden-size $NHIDDEN \
    --num-attention-heads $NHEADS \
    --seq-length $SEQ_LEN \
    --max-position-embeddings $SEQ_LEN \
    --micro-batch-size $MICRO_BATCH_SIZE \
    --global-batch-size $GLOBAL_BATCH_SIZE \
    --train-iters 100000 \
    --vocab-size $VOCAB \
    --tokenizer-type NullTokenizer \
    --init-method-std 0.0048 \
    --bf16 \
    --seed 42 \
    --recompute-granularity full --recompute-method uniform --recompute-num-layers 1 \
    $OPTIMIZER_ARGS \
    $EXIT_OPTS \
    "
OUTPUT_ARGS=" \
    --log-interval 1 \
    --save-interval 250 \
    --eval-interval 1000 \
    --eval-iters 1 \
    --tensorboard-dir ${OUT:?where results go}/tb \
    "
export LAUNCHER="python -u -m torch.distributed.run \
    --nproc_per_node $GPUS_PER_NODE \
    --nnodes $NNODES \
    --rdzv_endpoint $MASTER_ADDR:$MASTER_PORT \
    --rdzv_backend c10d \
    --max_restarts 0 \
    --tee 3 \
    "
export CMD=" \
    `pwd`/pretrain_gpt.py \
    --tensor-model-parallel-size $TP_SIZE \
    --pipeline-model-parallel-size $PP_SIZE \
    --account-for-embedding-in-pipeline-split --account-for-loss-in-pipeline-split \
    $GPT_ARGS \
    $OUTPUT_ARGS \
    --save $OUT/checkpoints \
    --mock-data \
    --distributed-timeout-minutes 120 \
    "
echo $CMD
SRUN_ARGS=" \
    --wait=60 \
    --kill-on-bad-exit=1 \
    "
clear; srun $SRUN_ARGS --jobid $SLURM_JOB_ID bash -c "$LAUNCHER --node_rank \$SLURM_PROCID $CMD" 2>&1 | tee -a $OUT/main_log.txt
