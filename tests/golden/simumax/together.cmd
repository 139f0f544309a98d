planc report --simumax model.json heads_strategy.json system.json
planc report --simumax model.json gpus_strategy.json system.json
planc report --simumax layers_model.json strategy.json system.json
planc report --simumax model.json ends_strategy.json system.json
planc report --simumax model.json tokens_strategy.json system.json
planc report --simumax model.json recompute_strategy.json system.json
planc report --simumax model.json inter_strategy.json lonely_system.json
planc report --simumax ffn_model.json strategy.json system.json
planc report --simumax model.json unread_strategy.json system.json | head -n 3
