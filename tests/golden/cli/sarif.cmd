planc check wrong.plan --format sarif
planc check two.plan --format sarif
planc check nowhere.plan --format sarif
planc check two.plan --format xml
