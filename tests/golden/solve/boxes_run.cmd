# Inverse questions about a record of the plan's own: holes, ends, lists, steps, quantities.
planc solve boxes.plan hall.boxes --min --such-that 'rows >= 5'
planc solve boxes.plan count hall --max --such-that 'rows <= 7'
planc solve boxes.plan count hall --min --such-that 'wide > 12'
planc solve boxes.plan hall.boxes --max --in 1..30
planc solve boxes.plan hall.boxes --min --in 1..30
planc solve boxes.plan hall.boxes --max --in '[8, 4, 12, 13]' --such-that 'rows < 3'
planc solve boxes.plan hall.boxes --min --in '4..400 by 4' --such-that 'rows == 10 or rows > 50'
planc solve boxes.plan hall.width --max --such-that 'width * boxes <= 1 TB'
planc solve boxes.plan hall.width --max --in '1 GB..50 GB by 1 GB' --such-that 'width * boxes <= 1 TB'
planc solve boxes.plan hall.width --min --precision 10% --such-that 'width * boxes >= 1 TB'
planc solve boxes.plan hall.boxes --min --such-that 'rows >= 5' --format json
# Nothing, and mistakes.
planc solve boxes.plan hall.boxes --min --such-that 'rows >= 2000'
planc solve boxes.plan hall.boxes --min --in '[5, 6]'
planc solve boxes.plan boxes --min
planc solve boxes.plan count --min
planc solve boxes.plan hall.boxs --min
planc solve boxes.plan hall --min
planc solve boxes.plan hall.rows --min
planc solve boxes.plan other.boxes hal --min
planc solve boxes.plan other.boxes hall --min
planc solve boxes.plan hall.boxes + 1 --min
planc solve boxes.plan 'hall.boxes + 1' --min
planc solve boxes.plan hall.boxes --min --such-that 'rows + 1'
planc solve boxes.plan hall.boxes --min --in 30..1
planc solve boxes.plan hall.boxes --min --in '1..30 by 0'
planc solve boxes.plan hall.boxes --min --in 1..20_000_000
planc solve boxes.plan hall.boxes --min --in '[]'
planc solve boxes.plan hall.width --min --in '0 B..1 GB'
planc solve boxes.plan hall.width --min --in '1..5'
planc solve boxes.plan hall.boxes
planc solve boxes.plan hall.boxes --min --max
planc solve boxes.plan hall.boxes --min --precision 90%
planc solve boxes.plan hall.boxes --min --format csv
# What cannot be solved for: a name, a result of the cost model, a list, nothing of that name.
planc solve ../../../examples/llama3_70b_sweep.plan cluster.gpu --min
planc solve ../../../examples/llama3_70b_sweep.plan memory.peak --min
planc solve ../../../examples/llama3_70b_sweep.plan strategy.overlap.gradient_reduce --max
planc solve ../../../examples/llama3_70b_sweep.plan 'cluster.levels[0].link' --max
planc solve ../../../examples/llama3_70b_sweep.plan clster.nodes --max
planc solve ../../../examples/llama3_70b_sweep.plan cluster.nodes --min --in 1.5..3
planc solve ../../../examples/llama3_70b_sweep.plan cluster.nodes --min --in '[-1, 0]'
planc solve ../../../examples/llama3_70b_sweep.plan cluster.nodes --min --such-that 'dayz <= 30 d'
