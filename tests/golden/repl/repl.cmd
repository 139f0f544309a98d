printf 'let x = 3\nx * 2\nlet y = x +\nlet y = z\ny\nassert x == 4\nassert small: x == 3\n# a remark\nstrategy wide { tp = 2 * x }\nwide.tp\n:why wide.tp\n:plan\n:plam\n:help\n1 GiB / 3 s\n1 +\n:quit\nx\n' | planc repl
printf 'pretrain.dp\n:why pretrain.dp\nranks = 3\njob wider extends plain { batch { micro = 2 } }\nwider.local_tokens' | planc repl chain.plan -p ranks=2
printf '' | planc repl nothing.plan
