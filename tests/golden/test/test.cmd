planc test sizes.plan
planc test sweeps.plan
planc test wrong.plan
planc test wrong.plan --filter fine
planc test wrong.plan --filter nothing
planc test wrong.plan --filter xyz
planc test unsound.plan sizes.plan
planc test missing.plan
planc test sizes.plan wrong.plan unsound.plan --junit $T/junit.xml >/dev/null 2>&1
cat $T/junit.xml
planc check wrong.plan
planc debug ir wrong.plan | sed -n '/^test "numbers"/,/^test "nothing/p'
planc test emits.plan
