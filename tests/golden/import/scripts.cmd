# Scripts as people write them against bash: what each hands to Megatron, and what the plan hands on that was read out of
# it. What the second has more are Megatron's defaults, spelt out; what it has less is named in a comment of the plan.
sh scripts.sh arrays "A=1" "ck tb voc mer dat" '-p vocab_size=50257 -p data_path="dat" -p save_path="ck" -p load_path="ck"'
sh scripts.sh options "A=1" "" ""
sh scripts.sh heredoc "TOKENIZER=tok DATA=dat" "" '-p vocab_size=32000 -p save_path="ck"' | sed "s#--save .*/ckpt#--save HERE/ckpt#"
sh scripts.sh launcher "OUT=out SLURM_NNODES=48 SLURM_JOB_ID=3 SLURM_PROCID=0" "" ""
sh scripts.sh functions "A=1" "" ""
sh scripts.sh getopts "A=1" "" "-p tensor_model_parallel_size=2 -p pipeline_model_parallel_size=2 -p global_batch_size=256"
sh scripts.sh loops "A=1" "" ""
sh scripts.sh sourced "HOSTS=2 HEAD=h GBS=64" "" "-p node_count=2 -p global_batch_size=64"
sh scripts.sh quoted "HOME=/h DATA=dat" "" ""
sh scripts.sh nested "A=1" "" ""
cat $T/getopts/getopts.plan | sed -n '/^param/,/because/p;/^emit/,$p'
