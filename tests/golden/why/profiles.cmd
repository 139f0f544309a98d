planc why chain.plan plain.step.time --profiles
planc why chain.plan plain.memory.reserved --profiles
planc why chain.plan plain.mfu --profiles
planc why chain.plan plain.tokens_per_second --profiles --profile ideal
planc why chain.plan plain.memory.peak --profiles --format json | sed -n 1,16p
planc why chain.plan pretrain.dp --profiles
planc why chain.plan plain.memory.fits --profiles
planc why chain.plan plain.step.time --profiles --profile best
planc why chain.plan plain.step.time --profile ideal
planc debug profile simumax | sed -n 1,12p
planc debug profile chain.plan | tail -n 8
planc debug profile standard --format json | sed -n 1,9p
planc debug profile best
planc debug ir chain.plan --format json
