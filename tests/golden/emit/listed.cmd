# Every flag that a target of the Megatron family can write is in a list of options, of some version; --nnodes is torchrun's.
cd ../../../stdlib/targets && cut -d, -f1 ../options/megatron.csv ../options/loongforge.csv ../options/mindspeed_llm.csv | sort -u >$T/known
cd ../../../stdlib/targets && for f in megatron loongforge mindspeed_llm; do grep -oh '"--[a-z0-9-]*"' $f.plan $(ls $f/*.plan 2>/dev/null) | tr -d '"' | sort -u | grep -v -x -e --nnodes | comm -23 - $T/known | sed "s/^/$f: /"; done
# Nothing is listed twice, and a row's last version is not before its first.
cd ../../../stdlib/options && for f in *.csv; do cut -d, -f1 $f | sort | uniq -d | sed "s/^/$f: /"; awk -F, -v f=$f 'FNR > 1 && $3 != "" && $2 > $3 { print f ": " $0 }' $f; done
