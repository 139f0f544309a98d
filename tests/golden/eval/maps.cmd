planc check map_values.plan
planc eval map_values.plan m
planc eval map_values.plan 'deep["x"]["y"]'
planc eval map_values.plan '[p[0] for p in m if p[1] > 1]'
planc eval map_values.plan 'wed in m'
planc eval map_values.plan b --format json
planc eval map_values.plan 'm[wed]'
planc eval map_values.plan 'b.other["bb"]'
planc eval map_values.plan 'f([("weight", 4)], "wieght")'
planc eval map_values.plan 'f([("q", 4), ("r", 5), ("q", 6)], "r")'
planc eval map_values.plan 'f([("q", i) for i in 1..3], "q")'
planc why map_values.plan x
