# What one small change does: to the best candidate of a sweep, to a job, and mistakes.
planc sensitivity ../../../examples/llama3_70b_sweep.plan
planc sensitivity ../../../examples/llama3_8b_a100.plan pretrain | sed -n 1,20p
planc sensitivity ../../../examples/llama3_70b_sweep.plan pretrain --format json | sed -n 1,40p
planc sensitivity ../../../examples/llama3_70b_sweep.plan grid
planc sensitivity ../sweep/boxes.plan sizes
planc sensitivity ../sweep/boxes.plan nothing 2>&1 | sed -n 1,4p
planc sensitivity ../../../examples/llama3_70b_sweep.plan --format csv
