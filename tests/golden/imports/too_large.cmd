# A file has a limit, so that a wrong path does not fill the memory.
mkdir -p $T/p && printf 'edition 1\nimport "big.plan" as b\n' >$T/p/a.plan
head -c 20000000 /dev/zero | tr '\0' '#' >$T/p/big.plan
cd $T/p && planc check a.plan
