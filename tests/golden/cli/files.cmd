# Files that cannot be read are exit 4; output that cannot be written is as well.
planc check missing.plan
planc report missing.plan
planc debug ast missing.plan
planc check .
planc report --simumax no.json such.json files.json
planc --help >/dev/full
planc check two.plan >/dev/full
planc check two.plan --stdlib nowhere
