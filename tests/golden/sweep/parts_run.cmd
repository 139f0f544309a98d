# Parts: searched one by one, joined, and refused by name where they do not belong together.
cp boxes.plan forms.plan $T
planc sweep boxes.plan sizes --shard 1/3 --checkpoint $T/1
planc sweep boxes.plan sizes --shard 2/3 --checkpoint $T/2
planc sweep boxes.plan sizes --shard 3/3 --checkpoint $T/3
planc sweep boxes.plan sizes 2>/dev/null >$T/whole; planc merge boxes.plan $T/3 $T/1 $T/2 2>/dev/null | cmp - $T/whole && echo same
cd $T && planc merge boxes.plan 1 3
cd $T && planc merge boxes.plan 1 2 3 2
cd $T && planc merge boxes.plan 1 2 3 --format csv
cd $T && planc merge boxes.plan 1 nothing
cd $T && planc merge boxes.plan whole
cd $T && planc merge forms.plan 1 2 3
cd $T && planc sweep boxes.plan sizes --shard 1/2 --checkpoint half; planc merge boxes.plan 1 half
cd $T && sed s/complete/compiled/ 1 >bad; planc merge boxes.plan bad 2 3
cd $T && planc sweep boxes.plan front --checkpoint 1 --resume
cd $T && planc sweep boxes.plan sizes --exact --shard 1/3 --checkpoint 1 --resume
cd $T && planc sweep boxes.plan sizes --checkpoint 1 --resume
cd $T && planc sweep boxes.plan sizes --shard 1/3 --checkpoint 1
cd $T && planc sweep boxes.plan sizes --checkpoint whole
cd $T && planc sweep boxes.plan sizes --checkpoint folder/file
cd $T && planc sweep boxes.plan sizes --checkpoint new --format csv 2>/dev/null >csv; planc merge boxes.plan new --format csv 2>/dev/null | cmp - csv && echo same
cd $T && planc sweep boxes.plan sizes --checkpoint new --resume 2>/dev/null | cmp - whole && echo same
planc sweep boxes.plan --checkpoint $T/new
planc sweep boxes.plan sizes --shard 4/3 --checkpoint $T/4
planc sweep boxes.plan sizes --shard 1/3
planc sweep boxes.plan sizes --resume
planc sweep boxes.plan sizes --progress often
