# Memory: how many GPUs it would take.
planc suggest --model llama31_405b --cluster dgx_h100 --gpus 64
planc suggest --model llama3_8b --cluster dgx_h100 --gpus 1
planc suggest --model deepseek_v3 --cluster pcie_a100 --gpus 8
planc suggest --model llama31_8b --cluster dgx_a100_40 --gpus 8 --sequence 131072 --global-batch 1 | sed -n '3,15p'
# Other reasons.
planc suggest --model llama3_70b --cluster dgx_h100 --gpus 64 --sequence 16384
planc suggest --model llama3_70b --cluster dgx_h100 --gpus 256 --global-batch 3 | sed -n '3,15p'
planc suggest --model nemotron_h_8b --cluster dgx_h100
planc suggest --model qwen3_30b_a3b --cluster dgx_h100 --target simumax
planc suggest --model llama3_8b --cluster dgx_h100 --target megatron@0.99
# Names.
planc suggest --model llama3_7b --cluster dgx_h100
planc suggest --model dgx_h100 --cluster dgx_h100
planc suggest --model ours.plan:theirs --cluster dgx_h100
planc suggest --model ours.plan:deep --cluster dgx_h100
planc suggest --model 'x} job y {' --cluster dgx_h100
planc suggest --model llama3_8b --cluster dgx_h10
planc suggest --model there.plan:ours --cluster dgx_h100
planc suggest --model broken.plan:ours --cluster dgx_h100
planc suggest --model llama3_8b --cluster dgx_h100 --profile standart
planc suggest --model llama3_8b --cluster dgx_h100 --target megatorn
# The command line.
planc suggest --model llama3_8b
planc suggest --cluster dgx_h100 --model ''
planc suggest --model llama3_8b --cluster dgx_h100 --gpus 0
planc suggest --model llama3_8b --cluster dgx_h100 --gpus many
planc suggest --model llama3_8b --cluster dgx_h100 --sequence 1.5
planc suggest llama3_8b --cluster dgx_h100
planc suggest --model ../suggest/ours.plan:ours --cluster dgx_h100
