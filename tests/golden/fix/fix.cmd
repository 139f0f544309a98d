cp broken.txt $T/broken.plan
planc fix --dry-run $T/broken.plan
cmp broken.txt $T/broken.plan
planc fix $T/broken.plan
cat $T/broken.plan
planc fix $T/broken.plan
planc fix $T/missing.plan
planc fix
cp foreign.txt $T/foreign.plan
planc fix $T/foreign.plan
cat $T/foreign.plan
