planc emit formats.plan -o $T
cat $T/every/a.json
cat $T/every/a.yaml
cat $T/every/a.toml
cat $T/every/a.py
cat $T/every/a.sh
if command -v python3 >/dev/null; then python3 same.py $T/every/a.json $T/every/a.toml /dev/null; python3 same.py $T/every/a.json $T/every/a.yaml /dev/null; fi
planc emit formats.plan every -o $T
echo mine >$T/every/a.yaml
planc emit formats.plan every -o $T
