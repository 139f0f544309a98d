#!/bin/sh
# Inputs too large to keep: each is made here, read by planc, and thrown away. What counts is that planc
# answers at all: the exit status, no more than 20 errors, and processor time that only a hang exceeds.
# Usage: huge.sh PLANC. The last line is "PASSED FAILED".
set -u
planc=$PWD/$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
cd "$tmp" || exit 1
seconds=60
passed=0
failed=0

# expect STATUS TEXT COMMAND...: TEXT stands in the messages; an empty one asks for none of them.
expect()
{
	want=$1
	text=$2
	shift 2
	(ulimit -t $seconds && exec "$planc" "$@") >out 2>err
	status=$?
	errors=$(grep -c '^error\[' err)
	if [ "$status" -ne "$want" ]; then
		echo "FAIL $*: exit $status, expected $want"
	elif [ "$errors" -gt 20 ]; then
		echo "FAIL $*: $errors errors printed"
	elif [ -n "$text" ] && ! grep -qF "$text" err; then
		echo "FAIL $*: no message says '$text'"
	elif [ -z "$text" ] && [ -s err ]; then
		echo "FAIL $*: messages where none belongs"
	elif [ "$(wc -c <err)" -gt 100000 ]; then
		echo "FAIL $*: more than 100 kB of messages"
	else
		passed=$((passed + 1))
		return
	fi
	head -c 2000 err | sed 's/^/     /'
	failed=$((failed + 1))
}

# nested OPEN INSIDE CLOSE: 10,000 of each around the middle.
nested()
{
	awk -v o="$1" -v x="$2" -v c="$3" 'BEGIN {
		printf "edition 1\nlet a = "
		for (i = 0; i < 10000; i++) printf "%s", o
		printf "%s", x
		for (i = 0; i < 10000; i++) printf "%s", c
		print ""
	}'
}

nested '(' 1 ')' >round.plan
nested '[' 1 ']' >square.plan
nested 'not ' true '' >not.plan
nested 'if true then ' 1 ' else 1' >if.plan
nested '(' '' '' >open.plan
nested '1 + ' 1 '' >sum.plan
awk 'BEGIN {
	print "edition 1\nstrategy s {"
	for (i = 0; i < 10000; i++) printf "a {"
	for (i = 0; i < 10000; i++) printf "}"
	print "\n}"
}' >blocks.plan
for file in round square not if open sum blocks; do
	expect 1 'error[E01' check $file.plan
done

awk 'BEGIN {
	print "edition 1\nschema row { a: int }\nimport \"deep.json\" as t: table[row]" >"json.plan"
	for (i = 0; i < 100000; i++) printf "[" >"deep.json"
}'
expect 1 'error[E0208]' check json.plan

# One line of 10 MB: 100,000 numbers of a hundred digits; then the same without its end.
awk 'BEGIN {
	d = "1234567890123456789012345678901234567890123456789"
	printf "edition 1\nlet a = [1"
	for (i = 0; i < 100000; i++) printf ", %s%s", d, d
	print "]"
}' >line.plan
expect 0 '' check line.plan
head -c 9999999 line.plan >cut.plan
expect 1 'error[E0102]' check cut.plan

awk 'BEGIN {
	letters = "ab (){}[]=,:;.+-*/<>\"\\#%1e9\n|&^~?@$!`xyz"
	for (s = 1; i < 1250000; i++) {
		s = (s * 16807) % 2147483647
		printf "%s", substr(letters, s % 36 + 1, 8)
	}
}' >garbage.plan
expect 1 'more in garbage.plan' check garbage.plan

awk 'BEGIN { print "edition 1"; for (i = 0; i < 100000; i++) print "let a" i " =" }' >errors.plan
expect 1 'more in errors.plan' check errors.plan
awk 'BEGIN { print "edition 1"; for (i = 0; i < 30000; i++) print "let a" i " = b" i " + 1" }' >names.plan
expect 1 'more in names.plan' check names.plan

awk 'BEGIN {
	print "edition 1\nschema s {"
	for (i = 0; i < 50000; i++) print "  f" i ": int"
	print "}\ns x {"
	for (i = 0; i < 50000; i++) print "  f" i " = " i
	print "}"
}' >fields.plan
expect 0 '' check fields.plan

awk 'BEGIN { print "edition 1"; for (i = 0; i < 20000; i++) print "strategy s" i " { tp = 2 }" }' >records.plan
expect 0 '' check records.plan

head -c 100000000 /dev/zero | tr '\0' '\n' >big.plan
expect 4 'limit of' check big.plan
expect 4 'limit of' fmt --check big.plan

echo "$passed $failed"
[ "$failed" -eq 0 ]
