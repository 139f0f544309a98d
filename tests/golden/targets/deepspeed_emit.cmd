planc emit deepspeed.plan -o $T
cat $T/second.json
cat $T/third.json
if command -v python3 >/dev/null; then python3 same.py given_deepspeed.json $T/auto.json deepspeed.differs; fi
