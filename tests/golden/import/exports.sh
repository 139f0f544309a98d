#!/bin/bash
# Variables of the environment, the ways scripts set them.
export CUDA_DEVICE_MAX_CONNECTIONS=${CUDA_DEVICE_MAX_CONNECTIONS:-1}
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True NCCL_IB_HCA="mlx5_0,mlx5_1"
NVTE_FLASH_ATTN=1
export NVTE_FLASH_ATTN
NVTE_FLASH_ATTN=0
declare -x NCCL_DEBUG=$LEVEL
export TORCH_HOME=$(pwd)/cache MASTER_ADDR=node0 NCCL_ALGO=Ring
unset NCCL_ALGO
NCCL_SOCKET_IFNAME=eth0 true
NOT_EXPORTED=1 NCCL_TIMEOUT=9
NCCL_GRAPH_REGISTER=0 env OMP_NUM_THREADS=4 torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py \
  --num-layers 8 --hidden-size 1024 --num-attention-heads 8 --max-position-embeddings 2048 --seq-length 2048 \
  --micro-batch-size 1 --global-batch-size 16 --vocab-size 1000 --bf16 \
  --tensor-model-parallel-size 2 --sequence-parallel --use-distributed-optimizer
export NVTE_FLASH_ATTN=1
