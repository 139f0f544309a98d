#!/bin/sh
# A dense model, the way older scripts look: arguments as strings, values from outside.
GPUS_PER_NODE=8
NNODES=$1
WORLD_SIZE=$(($GPUS_PER_NODE*$NNODES))
HIDDEN=4096
case $HIDDEN in
  2048|4096) HEADS=$(( HIDDEN / 128 )) ;;
  *) HEADS=8 ;;
esac
DISTRIBUTED_ARGS="
    --nproc_per_node $GPUS_PER_NODE \
    --nnodes $NNODES \
    --master_port 6000
"
cat <<END >/dev/null
--num-layers 99 is a text here, and "so is this
END
GPT_ARGS="
    --num-layers 24 \
    --hidden-size ${HIDDEN} --num-attention-heads $HEADS \
    --seq-length 2048 --max-position-embeddings 2048 \
    --micro-batch-size 4 --global-batch-size $GBS \
    --lr 0.00015 --min-lr 1.0e-5 --train-iters 500000 \
    --recompute-activations --vocab-size 50257 --fp16
"
for i in 1 2 3; do RETRY=$i; done
ulimit -c 0 || exit 1
cd "$(dirname "$0")/.." && torchrun $DISTRIBUTED_ARGS pretrain_gpt.py \
    $GPT_ARGS $DATA_ARGS \
    --tensor-model-parallel-size 2 \
    --distributed-backend nccl 2>&1 | tee log.txt
