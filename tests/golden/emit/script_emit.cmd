planc emit script.plan -o $T
cat $T/train.sh
cat $T/train.flags
bash -n $T/train.sh
if command -v shellcheck >/dev/null; then shellcheck -S warning $T/train.sh; fi
find $T -perm -u+x -type f
