planc trace small.plan pretrain --detail passes | grep -v '"ph":"C"'
planc trace small.plan pretrain -o $T/step.json
planc trace small.plan pretrain | cmp - $T/step.json
planc trace small.plan pretrain --detail operators --output=$T/step.json
grep -c . $T/step.json
# A file that planc did not write stays as it is.
echo mine >$T/notes.json
planc trace small.plan pretrain -o $T/notes.json
cat $T/notes.json
planc trace small.plan pretrain -o $T/missing/step.json
planc trace small.plan pretrain -o $T
ln -s step.json $T/link.json
planc trace small.plan pretrain -o $T/link.json
# What cannot be shown.
planc trace small.plan
planc trace small.plan third
planc trace small.plan second --profile standard
planc trace small.plan pretrain --detail operators --limit events=100
planc trace small.plan pretrain --detail layers
planc trace small.plan pretrain --profile best
planc trace small.plan pretrain --limit events=0
