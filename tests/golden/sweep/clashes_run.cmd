planc check clashes.plan 2>/dev/null
planc sweep clashes.plan odd
planc sweep clashes.plan half
planc sweep clashes.plan broken
planc sweep clashes.plan large 2>&1 | head -n 12
planc check heads_clash.plan
planc sweep heads_clash.plan depths
