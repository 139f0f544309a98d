# What schedules change: bubble, live micro-batches, memory; and what is refused by name.
planc report apart.plan plain | sed -n '8,30p'
planc report apart.plan one | sed -n '8,30p'
planc report apart.plan two | sed -n '8,30p'
planc report apart.plan both
planc eval apart.plan '[plain.ideal_bubble, one.ideal_bubble, two.ideal_bubble, both.ideal_bubble]'
planc report apart.plan blocking
planc report apart.plan vee
# Passes of a rank: gradients of weights are passes of their own; from both ends micro-batches count on.
planc trace apart.plan one --detail passes -o $T/one.json
grep '"pid":7,.*"cat":"pass"' $T/one.json | sed 20q | cut -d, -f6,9
planc trace apart.plan both --detail passes -o $T/both.json
grep '"pid":3,.*"cat":"pass"' $T/both.json | sed 14q | cut -d, -f6,9,10
