planc emit wordless.plan -o $T > /dev/null 2>&1
awk -f not_expressed.awk $T/*.flags
# what is left is still what the version takes
awk -f known_flags.awk ../../data/megatron_flags.txt $T/*.flags | grep -v ' 0 refused'
