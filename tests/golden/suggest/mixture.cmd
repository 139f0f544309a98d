# Two meshes, a framework and its rules.
planc suggest --model deepseek_v3 --cluster hgx_h800 --gpus 256 --target megatron@0.14 | sed -n '/^## What was searched/,$!p'
planc suggest --model qwen3_30b_a3b --cluster gb200_nvl72 --sequence 16384 -o $T/qwen.plan
sed -n '3,20p' $T/qwen.plan
planc check $T/qwen.plan | sed -E "s|$T|T|; s|[0-9]+ rules|N rules|"
planc check $T/qwen.plan --target megatron@0.14 | sed -E "s|$T|T|; s|[0-9]+ rules|N rules|"
