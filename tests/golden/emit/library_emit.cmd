# every model of the library, on eight GPUs: what Megatron-LM cannot say of it, and that it takes the rest
awk -f library.awk ../../../stdlib/models.plan > $T/all.plan
planc emit $T/all.plan 2>/dev/null | grep -v '^wrote'
awk -f not_expressed.awk $T/*.flags
