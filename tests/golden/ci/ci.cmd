mkdir -p $T/plans/sub $T/plans/.hidden $T/empty
echo 'edition 1' > $T/plans/fine.plan
printf 'edition 1\n\nlet x=3\n' > $T/plans/layout.plan
printf 'edition 1\n\nlet x = y\n' > $T/plans/sub/names.plan
printf 'edition 1\n\nlet x =\n' > $T/plans/sub/syntax.plan
printf 'edition 1\n\ntest "no" { expect 1 == 2 }\n' > $T/plans/test.plan
printf 'edition 1\n\nlet x = y\n' > $T/plans/.hidden/names.plan
ln -s ../plans/sub $T/plans/linked
cp emits.plan $T/plans/a_emits.plan
planc ci $T/plans
planc ci $T/plans/sub
cd $T/plans; rm -rf sub test.plan; planc ci .; planc emit a_emits.plan; planc fmt layout.plan; planc ci .
planc ci $T/empty
planc ci $T/nowhere
planc ci emits.plan
planc ci
