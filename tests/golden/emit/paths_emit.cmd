planc emit paths.plan -o $T
find $T -type f
