# A mixture with latent attention, one with windows inside a model that also sees, an old model.
planc import huggingface ../../data/huggingface/deepseek_v3.json
planc import huggingface ../../data/huggingface/gemma3_27b.json
planc import huggingface ../../data/huggingface/gpt2_xl.json
# Of every config: parameters of what was imported, without layers for further tokens, and of the library's model.
mkdir $T/lib $T/hf; for f in ../../data/huggingface/*.json; do n=$(basename $f .json); planc import huggingface $f -o $T/hf/$n.plan; m=$(sed -n 's/^model \(.*\) {/\1/p' $T/hf/$n.plan); printf 'edition 1\nimport "std:models" { %s }\n' $n >$T/lib/$n.plan; a=$(planc eval $T/hf/$n.plan "($m with { mtp { depth = 0 } }).parameters"); b=$(planc eval $T/lib/$n.plan $n.parameters 2>/dev/null); if [ "$a" = "$b" ]; then echo "$n: $a, as the library has it"; else echo "$n: $a; library: ${b:-has none}"; fi; done
# Plans that are laid out and sound.
planc fmt --check $T/hf/*.plan && planc ci $T/hf | tail -n 1
