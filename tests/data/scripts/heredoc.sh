#!/bin/bash
#SBATCH --job-name=moe
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
# The arguments in a here-document, srun for the ranks.
DIR=$(pwd)
DATETIME=$(date +'date_%y-%m-%d_time_%H-%M-%S')
mkdir -p $DIR/logs

: ${TP:=1} ${PP:=4} ${EP:=8}
NUM_LAYERS=32

read -r -d '' options <<EOM || true
    --num-layers ${NUM_LAYERS} --hidden-size 4096 --ffn-hidden-size 14336 \
    --num-attention-heads 32 --group-query-attention --num-query-groups 8 \
    --seq-length 4096 --max-position-embeddings 32768 \
    --num-experts 8 --moe-router-topk 2 --moe-aux-loss-coeff 1e-2 --moe-router-load-balancing-type aux_loss \
    --moe-grouped-gemm --moe-token-dispatcher-type alltoall --overlap-param-gather --overlap-grad-reduce \
    --micro-batch-size 1 --global-batch-size 256 --train-samples 1000000 \
    --tensor-model-parallel-size ${TP} --pipeline-model-parallel-size ${PP} --num-layers-per-virtual-pipeline-stage 2 \
    --expert-model-parallel-size ${EP} --use-distributed-optimizer --sequence-parallel --bf16 \
    --normalization RMSNorm --swiglu --disable-bias-linear --untie-embeddings-and-output-weights \
    --position-embedding-type rope --rotary-base 1000000 --no-masked-softmax-fusion --attention-dropout 0 --hidden-dropout 0 \
    --lr 1e-4 --min-lr 1e-5 --tokenizer-type Llama2Tokenizer --tokenizer-model ${TOKENIZER} \
    --data-path ${DATA} --split 99990,8,2 --save $DIR/ckpt --save-interval 1000 --log-throughput
EOM

run_cmd="python -u ${DIR}/pretrain_gpt.py ${options}"
srun -l --container-image "image.sqsh" --output=$DIR/logs/%x_%j_$DATETIME.log sh -c "${run_cmd}"
