# Jobs by name; json is one object.
planc report two.plan second | head -n 1
planc report two.plan | grep -c '^step time'
planc report two.plan secnd
planc report two.plan --format json
planc report nothing.plan
planc report two.plan first --profile standrd
planc report two.plan first --profile ideal | grep '^profile'
planc report two.plan first --format json | grep '"profile"'
planc report two.plan first -p each=2 | grep '^batch'
planc debug graph two.plan first | head -n 3
planc debug graph nothing.plan
