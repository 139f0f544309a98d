# What one small change does: to the best candidate of a sweep, to a job, and mistakes.
planc sensitivity ../../../examples/llama3_70b_sweep.plan
planc sensitivity ../../../examples/llama3_8b_a100.plan pretrain | head -n 20
planc sensitivity ../../../examples/llama3_70b_sweep.plan pretrain --format json | head -n 40
planc sensitivity ../../../examples/llama3_70b_sweep.plan grid
planc sensitivity ../sweep/boxes.plan sizes
planc sensitivity ../sweep/boxes.plan nothing 2>&1 | head -n 4
planc sensitivity ../../../examples/llama3_70b_sweep.plan --format csv
