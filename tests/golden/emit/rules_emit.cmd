planc emit rules.plan -o $T
find $T -type f
