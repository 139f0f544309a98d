planc emit llamafactory.plan -o $T
cat $T/given/train.yaml
cat $T/given/run.sh
cat $T/adapted/train.yaml
cat $T/ascend/train.yaml
cat $T/ascend/run.sh
if command -v python3 >/dev/null; then python3 same.py given_llamafactory.yaml $T/given/train.yaml llamafactory.differs; fi
if command -v python3 >/dev/null; then python3 same.py given_deepspeed.json $T/given/deepspeed.json given_deepspeed.differs; fi
for f in $T/*/run.sh; do bash -n $f; done
if command -v shellcheck >/dev/null; then shellcheck -S warning $T/*/run.sh; fi
