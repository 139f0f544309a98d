cp broken.txt $T/broken.plan
planc fix --dry-run $T/broken.plan
cmp broken.txt $T/broken.plan
planc fix $T/broken.plan
cat $T/broken.plan
planc fix $T/broken.plan
planc fix $T/missing.plan
planc fix
cp foreign.txt $T/foreign.plan
planc fix $T/foreign.plan
cat $T/foreign.plan
printf 'edition 1\nimport "parts.plan" as parts\nlet a: int = parts.a\nlet b = parts.c && true\n' > $T/whole.plan
printf 'edition 1\nlet a = 3 secs\nlet c = true || false\nlet d = e\n' > $T/parts.plan
cd $T && planc fix --dry-run whole.plan parts.plan
cd $T && planc fix whole.plan parts.plan
cat $T/whole.plan $T/parts.plan
cd $T && planc fix whole.plan
