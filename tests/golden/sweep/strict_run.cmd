planc why-not strict.plan 'width = 1, depth = 1'
planc why-not strict.plan 'width = 1, depth = 3'
