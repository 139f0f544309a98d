#!/bin/sh
# Sweeps that are stopped: killed at some moment and gone on with, the report is byte for byte that of an unbroken
# run; asked to end, planc prints what it has and says that it is partial. Rows are written while a sweep runs: the same
# for any number of threads, up to where nobody reads them, nothing fits, or somebody ends it. Usage: long_runs.sh PLANC. The last line is "PASSED FAILED".
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

# Rows of candidates, written while the sweep runs. A hundred million of them, of which nobody waits for the end.
cat >"$tmp/rows.plan" <<'END'
edition 1
schema box { x: int = 1, y: int = 1 }
box base {}
sweep few of base { vary x in 1..300, vary y in 1..100, constraint odd: (x * y) mod 7 != 3, objective { minimise x * y } }
sweep many of base { limit = 100_000_000, vary x in 1..100_000, vary y in 1..1000, objective { minimise x * y } }
END
for format in csv jsonl; do
	"$planc" sweep "$tmp/rows.plan" few --format $format -j 1 >"$tmp/one"
	"$planc" sweep "$tmp/rows.plan" few --format $format -j 3 >"$tmp/three"
	"$planc" sweep "$tmp/rows.plan" few --format $format -j 2 -o "$tmp/file"
	"$planc" sweep "$tmp/rows.plan" few --format $format --checkpoint "$tmp/$format.part" >"$tmp/kept"
	cmp -s "$tmp/one" "$tmp/three" && cmp -s "$tmp/one" "$tmp/file" && cmp -s "$tmp/one" "$tmp/kept"
	judge $? "the same $format whoever finds it, and wherever it goes"
	rm "$tmp/file"
done
[ "$(sed 's/.*"number":\([0-9]*\).*/\1/' "$tmp/one" | sort -nu | wc -l)" -eq 26302 ] &&
	sed 's/.*"number":\([0-9]*\).*/\1/' "$tmp/one" | sort -nc
judge $? "each feasible candidate once, in the order of their numbers"

{
	timeout 30 "$planc" sweep "$tmp/rows.plan" many --format csv 2>"$tmp/err"
	echo $? >"$tmp/status"
} | head -n 3 >"$tmp/out"
[ "$(cat "$tmp/status")" -eq 5 ] && [ ! -s "$tmp/err" ] && [ "$(tail -n 1 "$tmp/out")" = 2,1,2,2 ]
judge $? "a reader that goes away ends it in silence (exit $(cat "$tmp/status"))"

if [ -e /dev/full ]; then
	timeout 30 "$planc" sweep "$tmp/rows.plan" many --format jsonl >/dev/full 2>"$tmp/err"
	status=$?
	[ $status -eq 4 ] && grep -q '^planc: standard output cannot be written: ' "$tmp/err"
	judge $? "a full disk is told and ends it (exit $status)"
fi

(
	ulimit -f 100
	timeout 30 "$planc" sweep "$tmp/rows.plan" many --format csv -o "$tmp/file" 2>"$tmp/err"
	[ $? -eq 4 ] && grep -q 'E2502.*no space is left' "$tmp/err" && [ ! -e "$tmp/file" ] && [ ! -e "$tmp/.file.planc-00" ]
)
judge $? "of a file that does not fit nothing is left"

"$planc" sweep "$tmp/rows.plan" few --format csv -o "$tmp/file"
cp "$tmp/file" "$tmp/before"
for signal in TERM KILL; do
	"$planc" sweep "$tmp/rows.plan" many --format csv -o "$tmp/file" 2>"$tmp/err" &
	pid=$!
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ ! -s "$tmp/.file.planc-00" ] || break
		sleep 0.5
	done
	cmp -s "$tmp/file" "$tmp/before"
	judge $? "the old file is there while rows are written"
	kill -$signal $pid
	wait $pid 2>/dev/null
	status=$?
	if [ $signal = TERM ]; then
		[ $status -eq 5 ] && grep -q W2403 "$tmp/err" && [ "$(sed -n 3p "$tmp/file")" = 2,1,2,2 ] && [ ! -e "$tmp/.file.planc-00" ]
	else
		cmp -s "$tmp/file" "$tmp/before"
	fi
	judge $? "rows of a run that is ended by $signal (exit $status)"
	cp "$tmp/before" "$tmp/file"
done

echo "$passed $failed"
