planc eval counts.plan huge.parameters
planc eval counts.plan wide.parameters
planc eval counts.plan 'endless.parameters'
planc eval counts.plan 'broad.step.time'
planc eval counts.plan 'flops_per_token(wide, sequence = 1)'
planc eval counts.plan 'flops_per_token(llama3_8b)'
planc eval counts.plan 'flops_per_token(llama3_8b, sequence = 0)'
planc eval counts.plan 'flops_per_token(llama3_8b, sequence = 4096, profile = simumax)'
planc eval counts.plan '[1, 2] + [] + [3]'
planc eval counts.plan '(recompute.selective with { modules = [core_attn] + [mlp] }).modules'
planc eval counts.plan 'len((0..600_000) + (0..600_000))'
planc sweep counts.plan
