echo 'torchrun train.py --lr 3' >$T/run.sh; planc import megatron $T/run.sh
echo 'ARGS="--num-layers 3' >$T/run.sh; planc import megatron $T/run.sh
echo 'ARGS=(--num-layers 3' >$T/run.sh; planc import megatron $T/run.sh
echo 'if true; then torchrun' >$T/run.sh; planc import megatron $T/run.sh
echo 'torchrun --seq-length 8 pretrain_gpt.py' >$T/run.sh; planc import megatron $T/run.sh
printf 'N=x\nH=0\npython pretrain_gpt.py --num-layers $N --hidden-size $H --num-attention-heads 1.5 --bf16 yes --lr --normalization Batch --seq-length 8 --micro-batch-size 1 --global-batch-size 8 --position-embedding-type $POS\n' >$T/run.sh; planc import megatron $T/run.sh
printf 'python pretrain_gpt.py --num-layers 4 --hidden-size 64 --num-attention-heads 4 --seq-length 8 --micro-batch-size 1 --num-experts 4 --moe-layer-freq "([0]*3" --pipeline-model-parallel-layout "Et|tt|tL" --pipeline-model-parallel-size 2\n' >$T/run.sh; planc import megatron $T/run.sh
printf 'A=aaaaaaaaaaaaaaaa; B=$A$A$A$A$A$A$A$A; C=$B$B$B$B$B$B$B$B; D=$C$C$C$C$C$C$C$C; E=$D$D$D$D$D$D$D$D; F=$E$E$E$E$E$E$E$E; G=$F$F$F$F$F$F$F$F\n' >$T/run.sh; planc import megatron $T/run.sh
printf 'torchrun pretrain_gpt.py --num-layers 4 --split 9\322,1\n' >$T/run.sh; planc import megatron $T/run.sh
printf '\177ELF\2\1' >$T/run.sh; planc import megatron $T/run.sh
: >$T/run.sh; planc import megatron $T/run.sh
planc import megatron $T/none.sh
planc import megatron $T
# Flags that exclude each other.
printf 'python pretrain_gpt.py --num-layers 4 --hidden-size 64 --num-attention-heads 4 --seq-length 8 --max-position-embeddings 8 --micro-batch-size 1 --global-batch-size 8 --pipeline-model-parallel-size 2 --pipeline-model-parallel-layout "Et|ttt|L|" --num-virtual-stages-per-pipeline-rank 2 --recompute-granularity selective --recompute-method uniform --use-torch-fsdp2 --use-distributed-optimizer\n' >$T/run.sh; planc import megatron $T/run.sh
printf 'python pretrain_gpt.py --num-layers 4 --hidden-size 64 --num-attention-heads 4 --seq-length 8 --micro-batch-size 1 --global-batch-size 8 --fp16 --bf16 --recompute-granularity full --recompute-num-layers 1 --exp-avg-dtype fp16 --num-experts 4 --moe-enable-deepep --moe-expert-capacity-factor -1\n' >$T/run.sh; planc import megatron $T/run.sh
# The limit of positions has no default in Megatron; counts of multiprocessors have to agree.
printf 'python pretrain_gpt.py --num-layers 4 --hidden-size 64 --num-attention-heads 4 --seq-length 8 --micro-batch-size 1 --global-batch-size 8\n' >$T/run.sh; planc import megatron $T/run.sh
printf 'python pretrain_gpt.py --num-layers 4 --hidden-size 64 --num-attention-heads 4 --seq-length 8 --max-position-embeddings 8 --micro-batch-size 1 --global-batch-size 8 --num-experts 4 --moe-token-dispatcher-type alltoall --moe-deepep-num-sms 20 --moe-hybridep-num-sms 16\n' >$T/run.sh; planc import megatron $T/run.sh
