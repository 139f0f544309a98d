# Wrong command lines: one line says what is wrong, exit 4.
planc
planc chekc two.plan
planc zzz
planc --fromat
planc help reprot
planc check
planc report two.plan --fromat json
planc check two.plan --fromat json
planc check two.plan second
planc check two.plan --format
planc check two.plan --format xml
planc report two.plan --format github
planc check two.plan --colour sometimes
planc check two.plan -p
planc check two.plan -p each
planc check two.plan -p =2
planc emit two.plan --check=yes
planc report --simumax model.json strategy.json
planc report two.plan --simumax a b c
planc debug tokens two.plan
planc debug asts two.plan
planc debug ast two.plan first
planc check -- -x.plan
