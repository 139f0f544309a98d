planc diff before.plan after.plan
planc diff after.plan before.plan -p ranks=4
planc diff before.plan before.plan
planc diff before.plan missing.plan
planc diff before.plan
