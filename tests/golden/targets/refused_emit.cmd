planc emit refused.plan -o $T
head -n 6 $T/h.toml
cat $T/.planc-artefacts
