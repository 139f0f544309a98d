# Sweeps of jobs: the examples, and what the cost model adds.
planc check ../../../examples/llama3_70b_sweep.plan
planc sweep ../../../examples/llama3_70b_sweep.plan | head -n 3
planc sweep ../../../examples/llama3_8b_sweep.plan layouts | head -n 3
planc test ../../../examples/llama3_70b_sweep.plan | sed 's/^ok .*plan:[0-9]*/ok/'
planc why-not ../../../examples/llama3_70b_sweep.plan 'strategy.tpp = 2'
planc emit ../../../examples/llama3_70b_sweep.plan -o $T && sed -n '2s/fnv1a64.*grids (.*),/HASH ... candidate,/p' $T/out/llama3_70b_best.sh
planc sweep tight.plan
planc why-not tight.plan 'pp = 2'
planc report tight.plan
planc sweep ../../../examples/deepseek_v3_h800.plan
planc sweep ../../../examples/qwen3_8b_grpo.plan | head -n 10
