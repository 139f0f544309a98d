planc emit torchtitan.plan -o $T
cat $T/wide.toml
if command -v python3 >/dev/null; then python3 same.py keys ../../data/torchtitan_keys.txt $T/*.toml; fi
if command -v python3 >/dev/null; then python3 same.py same given_torchtitan.toml $T/given.toml torchtitan.differs; fi
