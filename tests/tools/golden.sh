#!/bin/sh
# Compares what planc prints with what was recorded. Usage: golden.sh [--bless] PLANC [AREA...]
#
# A case is a file under tests/golden/AREA/ with its expectation beside it. The command runs in the
# folder of the case:
#
#   NAME.plan + NAME.err    planc check NAME.plan: messages on stderr, exit 1 if one is an error
#   NAME.plan + NAME.out    ast, types, ir:  planc debug AREA NAME.plan
#                           graph:           planc debug graph NAME.plan
#                           elsewhere:       planc report NAME.plan
#   NAME.plan + NAME.json   planc report NAME.plan --format json
#   NAME.cmd  + NAME.out    a script, one command a line; the transcript of all of it. `planc` is the
#                           binary under test, $T an empty folder
#
# Line numbers of the library (`std:prelude.plan:1534`) are recorded as N: they change with every edit.
# A .plan without any of these is there to be imported. Blessing rewrites the expectations that exist;
# create an empty one to record a new case. The last line is "PASSED FAILED".
set -u
cd "$(dirname "$0")/../.." || exit 1
bless=
if [ "$1" = --bless ]; then
	bless=yes
	shift
fi
planc=$PWD/$1
shift
root=$PWD/tests/golden
tmp=$(mktemp -d) || exit 1
T=$tmp/work
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
export T
passed=0
failed=0
mkdir "$tmp/bin" "$tmp/got"
ln -s "$planc" "$tmp/bin/planc"
PATH=$tmp/bin:$PATH
export PATH

# compare CASE EXPECTED: what is recorded with $tmp/got/text, the exit status with what it must be.
compare()
{
	sed -E 's/(std:[a-z0-9_\/]+\.plan):[0-9]+/\1:N/g' "$tmp/got/text" >"$tmp/got/plain"
	mv "$tmp/got/plain" "$tmp/got/text"
	if [ -n "$bless" ]; then
		cmp -s "$tmp/got/text" "$2" || {
			cp "$tmp/got/text" "$2"
			echo "blessed $area/$2"
		}
		return
	fi
	if [ "$status" -ne "$want" ]; then
		echo "FAIL $area/$1: exit $status, expected $want"
		sed 's/^/     /' "$tmp/got/stderr" | head -n 20
		failed=$((failed + 1))
	elif ! cmp -s "$tmp/got/text" "$2"; then
		echo "FAIL $area/$1 differs from $2"
		diff -u "$2" "$tmp/got/text" | sed 1,2d | head -n 40
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
}

run()
{
	"$@" >"$tmp/got/stdout" 2>"$tmp/got/stderr"
	status=$?
}

transcript()
{
	rm -rf "$T"
	mkdir "$T"
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		'' | '#'*) continue ;;
		esac
		echo "\$ $line"
		(eval "$line") 2>&1 </dev/null
		code=$?
		[ $code -eq 0 ] || echo "[exit $code]"
	done <"$1" | sed "s|$T|\$T|g"
}

one_plan()
{
	name=${1%.plan}
	if [ -e "$name.err" ]; then
		run planc check "$1"
		cp "$tmp/got/stderr" "$tmp/got/text"
		want=0
		grep -q '^error' "$name.err" && want=1
		compare "$1" "$name.err"
	fi
	if [ -e "$name.out" ]; then
		case $area in
		ast | types | ir | graph) run planc debug "$area" "$1" ;;
		*) run planc report "$1" ;;
		esac
		cp "$tmp/got/stdout" "$tmp/got/text"
		want=0
		compare "$1" "$name.out"
	fi
	if [ -e "$name.json" ]; then
		run planc report "$1" --format json
		cp "$tmp/got/stdout" "$tmp/got/text"
		want=0
		compare "$1" "$name.json"
	fi
}

for folder in "$root"/*/; do
	area=$(basename "$folder")
	if [ $# -ne 0 ]; then
		case " $* " in
		*" $area "*) ;;
		*) continue ;;
		esac
	fi
	cd "$folder" || exit 1
	for file in *.plan *.cmd; do
		[ -e "$file" ] || continue
		case $file in
		*.plan) one_plan "$file" ;;
		*.cmd)
			[ -e "${file%.cmd}.out" ] || continue
			transcript "$file" >"$tmp/got/text" 2>&1
			: >"$tmp/got/stderr"
			status=0 want=0
			compare "$file" "${file%.cmd}.out"
			;;
		esac
	done
done
echo "$passed $failed"
[ "$failed" -eq 0 ]
