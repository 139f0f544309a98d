planc emit versions.plan -o $T
awk -f known_flags.awk ../../data/megatron_flags.txt $T/*.flags
grep -h layout $T/*.flags | sort | uniq -c
cat $T/much_0.12.flags
diff $T/sharded_0.12.flags $T/sharded_0.20.flags
