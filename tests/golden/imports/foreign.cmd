# Files of other programs as values: SimuMax's three files, and a config.json.
mkdir $T/f && cp foreign_*.plan ../simumax/comma_model.json $T/f; for k in model strategy system; do cp ../simumax/$k.json $T/f; done; cp ../../data/huggingface/qwen3_8b.json $T/f
cd $T/f && planc check foreign_values.plan
cd $T/f && planc eval foreign_values.plan qwen.parameters 2>/dev/null
cd $T/f && planc why foreign_values.plan whole.strategy.tp 2>/dev/null
# What the strategy file leaves to the job stands in the plan: the same figures as of the three files.
cd $T/f && planc report foreign_values.plan --format json 2>/dev/null | grep -v -e '"job"' -e '"warnings"' >plan.json; planc report --simumax model.json strategy.json system.json --format json | grep -v -e '"job"' -e '"warnings"' >files.json; cmp plan.json files.json && echo the same
# An alias is the file's own name: others import it.
cd $T/f && printf 'edition 1\nimport "foreign_values.plan" { qwen }\nimport "foreign_values.plan" as there\nassert same: qwen.layers == there.qwen.layers\nimport "foreign_values.plan" { qwn }\n' >uses.plan; planc check uses.plan
# A cluster by itself has the nodes that the plan gives it.
cd $T/f && planc eval foreign_values.plan '(machine with { nodes = 4 }).gpus' 2>/dev/null
# Another kind, no file, no JSON, JSON that is no config, a value that breaks a rule of the library.
cd $T/f && printf '{ "model_type": "llama", "hidden_size": 4096,\n  "num_hidden_layers": -2, "vocab_size": 32000, "num_attention_heads": 32, "intermediate_size": 11008 }\n' >bad.json; printf '{ "model_type": "llama", "hidden_size": 4096, "num_key_value_heads": 5,\n  "num_hidden_layers": 2, "vocab_size": 32000, "num_attention_heads": 32, "intermediate_size": 11008 }\n' >odd.json; printf '[1]' >list.json; planc check foreign_refused.plan
cd $T/f && planc check foreign_odd.plan
cd $T/f && planc set foreign_values.plan whole.model.layers=4 && grep layers foreign_values.plan
