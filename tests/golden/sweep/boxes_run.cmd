# Counts, best candidates, exit codes; a record of one's own.
planc check boxes.plan
planc sweep boxes.plan sizes
planc sweep boxes.plan front
planc sweep boxes.plan narrow
planc sweep boxes.plan nothing
planc sweep boxes.plan nothing --exact --format csv
planc sweep boxes.plan szies
planc sweep boxes.plan sizes --format csv
planc sweep boxes.plan front --format json
planc sweep boxes.plan --format json
planc sweep boxes.plan --format xml
planc eval boxes.plan three
planc eval boxes.plan all_of
planc eval boxes.plan edge
planc eval boxes.plan 'best(sizes).depth'
planc eval boxes.plan 'best(front)'
planc eval boxes.plan 'best(nothing)'
planc eval boxes.plan 'len(top(nothing, 3))'
planc why-not boxes.plan 'width = 4, paint = blue' sizes
planc why-not boxes.plan 'width = 2' sizes
planc why-not boxes.plan 'lid.thickness = 3, depth = 3, width = 4'
planc why-not boxes.plan 'width = 9' sizes
planc why-not boxes.plan 'widht = 9' sizes
planc why-not boxes.plan 'width = red' sizes
planc why-not boxes.plan 'width 4' sizes
planc why-not boxes.plan '' sizes
