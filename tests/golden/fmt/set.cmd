cp job.plan $T/a.plan
planc set $T/a.plan node_count=4
planc set $T/a.plan base.tp=4 base.pp=2
planc set $T/a.plan batch.micro=2
planc set $T/a.plan 'headroom = 6 GiB'
planc set $T/a.plan pretrain.cluster.nodes=1
planc set $T/a.plan pretrain.strategy.zero=optimizer
planc set $T/a.plan 'base.recompute.granularity=if tp > 1 then full else off'
planc set $T/a.plan 'base.overlap.gradient_reduce=true' base.overlap.dispatch=false
planc set $T/a.plan base.recompute=off
planc set $T/a.plan batch.micro=2
cat $T/a.plan
# A plan that was laid out stays so.
planc fmt $T/a.plan
planc set $T/a.plan run_tokens=2e12
planc fmt --check $T/a.plan
# What is refused leaves the file as it was.
cp $T/a.plan $T/before.plan
planc set $T/a.plan bsae.tp=4
planc set $T/a.plan base.tp_size=4
planc set $T/a.plan 'base.tp=4 GiB'
planc set $T/a.plan pretrain.dp=4
planc set $T/a.plan base=4
planc set $T/a.plan 'base.tp=4 *'
planc set $T/a.plan 'base.tp=4 # four'
planc set $T/a.plan 'base.1=4'
planc set $T/a.plan 'f(x)=4'
planc set $T/a.plan base.tp
planc set $T/missing.plan base.tp=4
planc set broken.plan base.tp=4
cmp $T/a.plan $T/before.plan
# Two jobs: the path says which.
cp two_jobs.plan $T/b.plan; planc set $T/b.plan headroom=0B
planc set $T/b.plan cc=2
planc set $T/b.plan 'second.batch.global=8 * each'
cp remarks.plan $T/c.plan; planc set $T/c.plan 'a=[2]'
planc set $T/c.plan b=3 'c.x=1' d.y.z=2 e.f.g=3
cat $T/c.plan
