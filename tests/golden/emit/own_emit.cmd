planc emit own.plan -o $T
cat $T/notes.json
find $T -type f | sort
