planc report memory.plan exceeds 2>&1 | head -20
planc report memory.plan close 2>&1 | head -20
