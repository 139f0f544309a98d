planc emit forge.plan -o $T
bash -n $T/guide.sh
if command -v shellcheck >/dev/null; then shellcheck $T/guide.sh; fi
sed 1,3d $T/guide.sh
diff $T/guide_0.15.flags $T/dense_0.15.flags | grep '^>'
diff $T/dense_0.15.flags $T/sharded_0.15.flags | grep '^[<>]'
diff $T/sharded_0.15.flags $T/tuned_0.15.flags | grep '^[<>]'
