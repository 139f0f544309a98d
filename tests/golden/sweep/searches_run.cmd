# The searches of SimuMax and calculon as examples.
planc sweep ../../../examples/search_llama3_8b_a100.plan
planc why-not ../../../examples/search_llama3_8b_a100.plan 'tp = 1, pp = 1, layers = 3' grids
planc sweep ../../../examples/search_deepseek_v3_a100.plan
planc why-not ../../../examples/search_deepseek_v3_a100.plan 'pp = 16, ep = 8, granularity = off' grids
planc sweep ../../../examples/search_gpt3_175b.plan theirs
