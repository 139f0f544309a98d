planc emit frameworks.plan -o $T
