planc suggest --model llama3_70b --cluster dgx_h100 --gpus 64 --sequence 8192 --global-batch 512
planc suggest --model llama3_70b --cluster dgx_h100 --gpus 64 --sequence 8192 --global-batch 512 -o $T/llama.plan
planc check $T/llama.plan | sed -E "s|$T|T|; s|[0-9]+ rules|N rules|"
planc fmt --check $T/llama.plan
planc report $T/llama.plan | sed -n '1,11p'
planc sweep $T/llama.plan | sed -n "s|$T|T|; 1p; /feasible/p"
planc test $T/llama.plan | sed "s|$T|T|"
# The same once more changes nothing; another answer is not written over it.
planc suggest --model llama3_70b --cluster dgx_h100 --gpus 64 --sequence 8192 --global-batch 512 -o $T/llama.plan
planc suggest --model llama3_8b --cluster dgx_h100 --gpus 8 -o $T/llama.plan 2>&1 | sed "s|$T|T|"
planc suggest --model llama3_8b --cluster dgx_h100 --gpus 8 -o $T/none/llama.plan 2>&1 | sed "s|$T|T|"
# The answer does not depend on threads.
planc suggest --model llama3_70b --cluster dgx_h100 --gpus 64 --sequence 8192 --global-batch 512 -j 1 | diff $T/llama.plan -
planc suggest --model llama3_70b --cluster dgx_h100 --gpus 64 --sequence 8192 --global-batch 512 -j 5 | diff $T/llama.plan -
# What docs/suggest.md quotes.
planc suggest --model llama3_70b --cluster dgx_h100 --gpus 256 | sed -n '/# pipeline/,/vpp = /p' > $T/said
sed -n '/^    # pipeline/,/^    vpp = /p' ../../../docs/suggest.md | diff $T/said -
