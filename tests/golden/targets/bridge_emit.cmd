planc emit bridge.plan -o $T
cat $T/small/run.sh
diff $T/small/run.sh $T/small/smoke.sh
cat $T/large/run.sh
diff $T/large/run.sh $T/large/smoke.sh
cat $T/large/overrides.py
if command -v python3 >/dev/null; then for f in small large; do python3 same.py $T/$f/overrides.py $T/$f/overrides.py /dev/null; done; fi
for f in $T/*/*.sh; do bash -n $f; done
if command -v shellcheck >/dev/null; then shellcheck -S warning $T/*/*.sh; fi
