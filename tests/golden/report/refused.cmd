# What the cost model does not cover is named at the field that asks for it; sizes that do not split too.
planc report linear.plan
planc report schedule.plan
planc report huge.plan
planc report split.plan
