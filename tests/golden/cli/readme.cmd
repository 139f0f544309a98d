# The transcript in the README is what the demo prints.
sed '1,/^<!-- demo -->/d; /^<!-- end of demo -->/,$d' ../../../README.md | sed '1,2d; $d' >$T/readme
planc report ../../../examples/llama3_8b_a100.plan | diff $T/readme -
