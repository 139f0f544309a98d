planc emit slurm.plan -o $T
cat $T/node.sbatch
cat $T/gpu.sbatch
for f in $T/*.sbatch; do bash -n $f; done
if command -v shellcheck >/dev/null; then shellcheck -S warning $T/*.sbatch; fi
