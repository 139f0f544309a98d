planc emit losses.plan -o $T
head -n 5 $T/lossy.sh
cat $T/lossy/.planc-artefacts
find $T -type f | sort
