planc diff before.plan after.plan
planc diff after.plan before.plan -p ranks=4
planc diff before.plan before.plan
planc diff before.plan missing.plan
planc diff before.plan
planc diff sweeps_before.plan sweeps_after.plan
planc diff sweeps_before.plan sweeps_before.plan
planc diff sweeps_before.plan sweeps_after.plan --format json | tail -n 32
planc diff before.plan after.plan --format json | head -n 24
planc diff before.plan before.plan --format json
planc diff before.plan after.plan --format xml
