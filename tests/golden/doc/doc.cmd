planc doc page.plan
planc doc std:gpus std:targets/megatron | grep '^#' | head -n 40
planc doc std:prelude | grep '^## schema strategy' -A 9
planc doc units | head -n 8
planc doc std:modles
planc doc missing.plan
planc doc
