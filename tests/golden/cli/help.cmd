planc --version
planc report --version
planc --help
planc help check
planc check --help
planc report --help
planc emit -h
planc debug --help
planc explain --help
planc targets --help
planc trace --help
