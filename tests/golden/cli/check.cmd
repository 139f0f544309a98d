planc check two.plan
planc check nothing.plan
planc check two.plan -p each=2
planc check two.plan -p each=3
planc check two.plan -p each=true
planc check two.plan -p eahc=2
planc check wrong.plan
planc check --format json wrong.plan
planc check --format github wrong.plan
planc check --format json two.plan
planc check --colour always wrong.plan
