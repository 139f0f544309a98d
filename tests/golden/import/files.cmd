# Never over a file that says something else; the same again is no change.
planc import huggingface ../../data/huggingface/gemma_2b.json -o $T/gemma.plan && echo written
planc import huggingface ../../data/huggingface/gemma_2b.json -o $T/gemma.plan && echo the same
echo '# mine' >>$T/gemma.plan; planc import huggingface ../../data/huggingface/gemma_2b.json -o $T/gemma.plan; tail -n 1 $T/gemma.plan
planc import huggingface ../../data/huggingface/gemma_2b.json -o $T/no/gemma.plan
# The command line.
planc import
planc import hugginface x.json
planc import simumax model.json
planc import huggingface nowhere.json
planc import simumax ../simumax/model.json ../simumax/strategy.json ../simumax/system.json -o $T/sx.plan; planc report $T/sx.plan >$T/a; planc report --simumax ../simumax/model.json ../simumax/strategy.json ../simumax/system.json >$T/b; diff $T/a $T/b && echo the same report
