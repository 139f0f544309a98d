# What the examples print.
planc report ../../../examples/llama3_8b_a100.plan
planc report ../../../examples/llama3_70b_h100.plan
planc report ../../../examples/gpt3_175b_dgx_a100.plan
planc report ../../../examples/qwen3_8b_h100.plan
planc report ../../../examples/deepseek_v3_h800.plan
planc report ../../../examples/qwen3_8b_grpo.plan learner
