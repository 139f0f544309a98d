planc explain E2004
planc explain e2004 | head -n 1
planc explain heads_divide
planc explain head_divide
planc explain E9999
