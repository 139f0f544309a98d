planc eval small.plan '61 / 16'
planc eval small.plan '80 GiB + 1 B'
planc eval small.plan '10 ^ 30 + 1'
planc eval small.plan 'twice(ranks)' -p ranks=8
planc eval small.plan 'pretrain.memory.peak / 1 GiB'
planc eval small.plan 'pretrain.strategy'
planc eval small.plan 'halves with { tp = 4 }' | head -n 3
planc eval small.plan '[x * x for x in 1..5]'
planc eval small.plan 'values(recompute)'
planc eval small.plan 'if pretrain.memory.fits then "fits" else "does not"'
planc eval small.plan 'sqrt(2)'
planc eval small.plan 'speeds'
planc eval small.plan --format json '10 ^ 30 + 1 / 4'
planc eval small.plan --format json third
planc eval small.plan --format json '80 GiB'
planc eval small.plan --format json 'pretrain.strategy.zero'
planc eval small.plan --format json 'pretrain.batch'
planc eval small.plan --format json '[(1, "a"), (2, "b")]'
planc eval small.plan --format json 'lookup(speeds, link = nvlink, size = 4 MiB)'
planc eval small.plan --format json 'pretrain.run_tokens'
planc eval small.plan '1 +'
planc eval small.plan 'ranks + 1 s'
planc eval small.plan 'rank'
planc eval small.plan '1 / (ranks - 4)'
planc eval small.plan
planc eval small.plan 1 --format github
planc eval missing.plan 1
