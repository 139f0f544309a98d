planc fmt - <statements.plan
planc fmt - <expressions.plan
planc fmt - <comments.plan
planc fmt - <encoding.plan
planc fmt - </dev/null
