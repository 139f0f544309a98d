#!/bin/bash
# A job that writes the command of its nodes by a here-document in a substitution, and an offload by switches.
set -eo pipefail
export CUDA_DEVICE_MAX_CONNECTIONS=1
declare -A PRESET=([small]=12 [large]=48)
SIZE=${SIZE:-large}
declare -i LAYERS=48
OFFLOAD=${OFFLOAD:-1}
FLAGS=()
add() { FLAGS+=("$@"); }
add --num-layers $LAYERS --hidden-size 6144 --num-attention-heads 48 --ffn-hidden-size 24576
add --seq-length 2048 --max-position-embeddings 2048 --micro-batch-size 2 --global-batch-size 512
add --vocab-size 50257 --make-vocab-size-divisible-by 128
if ((OFFLOAD)); then
  add --optimizer-cpu-offload --optimizer-offload-fraction 0.5 --use-precision-aware-optimizer
fi
until [ -z "" ]; do break; done
unset IFS
add --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 --decoder-first-pipeline-num-layers 23
add --bf16 --use-distributed-optimizer --squared-relu --lr 1.2e-4 --train-iters 1000 --mock-data
add --tokenizer-type NullTokenizer --exit-interval 100 --no-gradient-accumulation-fusion
COMMAND=$(cat <<CMD
torchrun --nproc_per_node 8 --nnodes 4 pretrain_gpt.py ${FLAGS[*]}
CMD
)
srun --nodes 4 --ntasks-per-node 1 bash -c "$COMMAND"
