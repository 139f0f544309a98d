#!/bin/sh
# The tests under valgrind: no error, no memory lost. Usage: valgrind.sh BUILD [PART...]
#
#   unit       every unit test program but fault_test, whose thousands of runs AddressSanitizer watches
#   property   every property program, with fewer rounds where it takes their number
#   fuzz       every input that is kept, a run for each target
#   golden     every PLAN_VALGRIND_STEP-th plan (5) of each area through `planc check`
#   commands   every command on an example; the reports of all examples
#
# Without a part: all of them. The last line is `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
shift
if ! command -v valgrind >/dev/null 2>&1; then
	echo "valgrind is not installed: apt-get install -y valgrind" >&2
	exit 1
fi
work=$(mktemp -d) || exit 1
log=$work/log
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
export CK_FORK=no CK_DEFAULT_TIMEOUT=3600
passed=0
failed=0

# under STATUS PROGRAM...: 99 is valgrind's own.
under()
{
	want=$1
	shift
	valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible \
		"$@" >"$log" 2>&1 </dev/null
	status=$?
	if [ "$status" -eq 99 ] || { [ "$want" != any ] && [ "$status" -ne "$want" ]; }; then
		failed=$((failed + 1))
		echo "FAIL valgrind $*: exit $status"
		tail -n 40 "$log" | sed 's/^/     /'
	else
		passed=$((passed + 1))
	fi
}

unit()
{
	for source in tests/unit/*_test.c; do
		name=$(basename "$source" .c)
		[ "$name" = fault_test ] || under 0 "$build/tests/unit/$name"
	done
}

property()
{
	for source in tests/property/*.c; do
		name=$(basename "$source" .c)
		case $name in
		command_faults) ;;
		num_property | parse_property | fmt_property) under 0 "$build/tests/property/$name" 1 20 ;;
		*) under 0 "$build/tests/property/$name" 1 ;;
		esac
	done
}

fuzz()
{
	for folder in tests/fuzz/corpus/*; do
		under 0 "$build/tests/fuzz/$(basename "$folder")" "$folder"/*
	done
}

golden()
{
	for area in tests/golden/*; do
		n=0
		for plan in "$area"/*.plan; do
			n=$((n + 1))
			[ -e "$plan" ] && [ $((n % ${PLAN_VALGRIND_STEP:-5})) -eq 1 ] && under any "$build/planc" check "$plan"
		done
	done
}

commands()
{
	plan=examples/llama3_8b_a100.plan
	boxes=tests/golden/sweep/boxes.plan
	for example in examples/*.plan; do
		case $example in
		*sweep*) ;;
		*) under 0 "$build/planc" report "$example" ;;
		esac
	done
	under 0 "$build/planc" report $plan --format json --profile standard
	under 0 "$build/planc" report --simumax tests/golden/simumax/model.json \
		tests/golden/simumax/strategy.json tests/golden/simumax/system.json
	for format in text json csv; do
		under 0 "$build/planc" sweep $boxes sizes --format $format
	done
	under any "$build/planc" sweep $boxes nothing
	under 0 "$build/planc" why-not $boxes 'width = 4, paint = blue' sizes
	under 0 "$build/planc" why $plan pretrain.step.time
	under 0 "$build/planc" eval $plan pretrain.memory --format json
	under 2 "$build/planc" diff $plan examples/qwen3_8b_h100.plan
	under 0 "$build/planc" doc $boxes units std:gpus
	under 0 "$build/planc" test stdlib/tests/models_test.plan --junit "$work/results.xml"
	under 0 "$build/planc" emit tests/golden/emit/simumax.plan -o "$work/out"
	under 0 "$build/planc" emit tests/golden/emit/simumax.plan -o "$work/out" --check
	cp tests/golden/fmt/statements.plan tests/golden/fmt/job.plan "$work"
	under 0 "$build/planc" fmt "$work/statements.plan"
	under any "$build/planc" set "$work/job.plan" batch.micro=2
	cp tests/golden/fix/broken.txt "$work/broken.plan"
	under any "$build/planc" fix "$work/broken.plan"
	under any "$build/planc" ci tests/golden/imports
	for form in ast types ir graph; do
		under 0 "$build/planc" debug $form $plan
	done
	under 0 "$build/planc" explain E2004
	under 0 "$build/planc" targets
	under 0 "$build/planc" help
}

for part in ${*:-unit property fuzz golden commands}; do
	case $part in
	unit | property | fuzz | golden | commands) $part ;;
	*)
		echo "valgrind.sh: there is no part $part" >&2
		exit 4
		;;
	esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
