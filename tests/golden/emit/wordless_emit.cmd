planc emit wordless.plan -o $T > /dev/null 2>&1
awk -f not_expressed.awk $T/*.flags
