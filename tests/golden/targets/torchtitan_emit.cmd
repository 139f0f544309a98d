planc emit torchtitan.plan -o $T
cat $T/wide.toml
if command -v python3 >/dev/null; then python3 same.py given_torchtitan.toml $T/given.toml torchtitan.differs; fi
