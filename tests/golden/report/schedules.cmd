# What schedules change: bubble, live micro-batches, memory; and what is refused by name.
planc report apart.plan plain | sed -n '8,30p'
planc report apart.plan one | sed -n '8,30p'
planc report apart.plan two | sed -n '8,30p'
planc report apart.plan both
planc eval apart.plan '[plain.ideal_bubble, one.ideal_bubble, two.ideal_bubble, both.ideal_bubble]'
planc report apart.plan blocking
planc report apart.plan vee
planc trace apart.plan one
