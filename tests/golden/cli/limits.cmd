# Limits that can be raised say by what.
planc check limited.plan --limit file=10
planc fmt --check limited.plan --limit file=10
planc eval limited.plan 'sum([i for i in 1..1000])' --limit steps=100
planc eval limited.plan 'sum([i for i in 1..1000])' --limit steps=100_000
planc emit limited.plan --check --limit artefact=10
planc check limited.plan --limit file=0
planc check limited.plan --limit file=99999999999
planc check limited.plan --limit steps=
planc check limited.plan --limit memory=1
planc check limited.plan --limit steps=1e3
