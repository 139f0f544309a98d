planc check lets_in_braces.plan
planc sweep lets_in_braces.plan
planc test lets_in_braces.plan
planc eval lets_in_braces.plan o2
planc eval lets_in_braces.plan "o2.l[1].deep.xs[0].c"
