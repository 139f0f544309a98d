planc emit simumax.plan -o $T
cat $T/files/model.json $T/files/strategy.json $T/files/system.json
# what was emitted is read back and gives the same report
planc report small.plan --format json | sed 's/"job": *"[a-z]*"//' > $T/there
planc report --simumax $T/files/model.json $T/files/strategy.json $T/files/system.json --format json | sed 's/"job": *"[a-z]*"//' > $T/back
cmp $T/there $T/back && echo the same
cat $T/files/.planc-artefacts
