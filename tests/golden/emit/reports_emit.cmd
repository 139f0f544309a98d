planc emit reports.plan -o $T
planc emit reports.plan -o $T --check
cat $T/out/sizes.csv
head -n 1 $T/out/sizes.jsonl
cat $T/out/sizes.md
head -n 8 $T/out/sizes.svg
head -n 6 $T/out/sizes.html
head -n 12 $T/out/base.md
cut -c 1-20 $T/out/.planc-artefacts
