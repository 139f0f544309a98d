# Launches as lists of arguments, read and written again: the same arguments, but for a comma in a layout, and for
# defaults that are spelt out.
sh launches.sh llama3_8b 1 128256
sh launches.sh llama3_70b 8 128256
sh launches.sh llama31_405b 128 128256
sh launches.sh mixtral_8x7b 8 32000
sh launches.sh deepseek_v3_671b 32 129280
grep -h -B 1 framework $T/deepseek_v3_671b.plan
