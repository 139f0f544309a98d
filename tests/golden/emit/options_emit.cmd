planc emit options.plan -o $T
