planc emit versions.plan -o $T
grep -h layout $T/*.flags | sort | uniq -c
cat $T/much_0.12.flags
diff $T/sharded_0.12.flags $T/sharded_0.20.flags
