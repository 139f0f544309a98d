#!/bin/bash
# Values from options of the script, with defaults in front; what is not given keeps its default.
TP=2
PP=2
MBS=1
GBS=256
SEQ=4096
EXTRA=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --tp) TP="$2"; shift 2 ;;
    --pp) PP="$2"; shift 2 ;;
    --gbs) GBS="$2"; shift 2 ;;
    --) shift; EXTRA=("$@"); break ;;
    *) echo "what is $1?"; exit 1 ;;
  esac
done

WORLD=$(( ${SLURM_JOB_NUM_NODES:-4} * 8 ))
DP=$(( WORLD / TP / PP ))
GAS=$(( GBS / (MBS * DP) ))
if [[ $(( MBS * DP * GAS )) -ne $GBS ]]; then
  echo "the batch does not divide" >&2
fi

ARGS="--tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP"
ARGS="$ARGS --num-layers 40 --hidden-size 5120 --num-attention-heads 40 --ffn-hidden-size 13824"
ARGS+=" --seq-length $SEQ --max-position-embeddings $SEQ --micro-batch-size $MBS --global-batch-size $GBS"
ARGS+=" --swiglu --normalization RMSNorm --position-embedding-type rope --disable-bias-linear"
ARGS+=" --untie-embeddings-and-output-weights --hidden-dropout 0 --attention-dropout 0 --bf16 --use-distributed-optimizer"
[ "$TP" -gt 1 ] && ARGS+=" --sequence-parallel"
ARGS+=" --lr 3.0e-4 --min-lr 3.0e-5 --weight-decay 1e-1 --train-samples 250000000 --lr-warmup-samples 2000"
ARGS+=" --tokenizer-type SentencePieceTokenizer --tokenizer-model /models/llama2/tokenizer.model"
ARGS+=" --vocab-size 32000 --data-path 0.3 /data/a_text_document 0.7 /data/b_text_document"

torchrun --nproc_per_node 8 --nnodes ${SLURM_JOB_NUM_NODES:-4} --node_rank ${SLURM_NODEID:-0} \
  --master_addr ${MASTER_ADDR:-127.0.0.1} pretrain_gpt.py $ARGS "${EXTRA[@]}"
