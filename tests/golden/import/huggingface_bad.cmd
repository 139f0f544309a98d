echo '{ "model_type": "lama", "hidden_size": 8 }' >$T/config.json; planc import huggingface $T/config.json
echo '[1, 2]' >$T/config.json; planc import huggingface $T/config.json
echo '{ "hidden_size": 8, }' >$T/config.json; planc import huggingface $T/config.json
echo '{ "model_type": "llama", "hidden_size": "4096", "num_hidden_layers": 0, "num_attention_heads": 1.5, "vocab_size": 10, "intermediate_size": -1 }' >$T/config.json; planc import huggingface $T/config.json
echo '{ "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 2, "num_attention_heads": 3, "vocab_size": 10, "intermediate_size": 8, "hidden_act": "tanh" }' >$T/config.json; planc import huggingface $T/config.json
echo '{ "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 2, "num_attention_heads": 32 }' >$T/config.json; planc import huggingface $T/config.json
echo '{ "model_type": "gpt_oss", "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "vocab_size": 10, "intermediate_size": 8, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 8, "layer_types": ["sliding_attention", "full_attention", "full_attention"] }' >$T/config.json; planc import huggingface $T/config.json
echo '{ "model_type": "deepseek_v3", "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "vocab_size": 10, "intermediate_size": 8, "n_routed_experts": 4, "num_experts_per_tok": 2, "scoring_func": "cosine" }' >$T/config.json; planc import huggingface $T/config.json
echo '{ "model_type": 3 }' >$T/config.json; planc import huggingface $T/config.json
echo '{ "model_type": "llama", "text_config": 1 }' >$T/config.json; planc import huggingface $T/config.json
