#!/bin/sh
# Sweeps that are stopped: killed at some moment and gone on with, the report is byte for byte that of an unbroken
# run; asked to end, planc prints what it has and says that it is partial. And what is kept does not grow with the
# sweep. Usage: long_runs.sh PLANC. The last line is "PASSED FAILED".
set -u
planc=$1
plan=bench/deepseek_v3_space.plan
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

judge()
{
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
	else
		echo "FAIL long runs: $2"
		failed=$((failed + 1))
	fi
}

# started ARGUMENT...: in the background, until it has written its file.
started()
{
	"$planc" sweep $plan --checkpoint "$tmp/part" "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		sleep 0.1
		[ ! -e "$tmp/part" ] || break
	done
}

"$planc" sweep $plan >"$tmp/whole"
judge $? "an unbroken run"

for wait in 0 0.25 0.4; do
	started --resume
	sleep $wait
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
done
"$planc" sweep $plan --checkpoint "$tmp/part" --resume >"$tmp/again" 2>"$tmp/err" && cmp -s "$tmp/whole" "$tmp/again"
judge $? "killed three times and gone on with"

rm -f "$tmp/part"
started
kill -TERM $pid
wait $pid
status=$?
# On a fast machine it may be through by then.
if [ $status -eq 0 ]; then
	cmp -s "$tmp/whole" "$tmp/out"
else
	[ $status -eq 5 ] && grep -q '^space: partial, ' "$tmp/out" && grep -q W2403 "$tmp/err"
fi
judge $? "asked to end (exit $status)"
"$planc" sweep $plan --checkpoint "$tmp/part" --resume >"$tmp/again" 2>"$tmp/err" && cmp -s "$tmp/whole" "$tmp/again"
judge $? "asked to end and gone on with"

echo "$passed $failed"
