# The target of docs/targets.md, as a reader would copy it: what it writes is what the page shows.
awk '/^```plan$/ { on = 1; next } /^```/ { on = 0 } on' ../../../docs/targets.md >$T/page.plan
planc fmt --check $T/page.plan
planc test $T/page.plan
planc emit $T/page.plan -o $T
for f in yaml sh; do awk -v f=$f '$0 == "```" f { on = 1; next } /^```/ { on = 0 } on && !/header names/' ../../../docs/targets.md | sed '/./,$!d' >$T/page.$f; done
sed '1,/^# Changes/d; /^set /d' $T/out/train.yaml | sed '/./,$!d' | diff $T/page.yaml -
sed '1,/^# Changes/d; /^set /d' $T/out/start.sh | sed '/./,$!d' | diff $T/page.sh -
bash -n $T/out/start.sh
planc emit --check $T/page.plan -o $T
