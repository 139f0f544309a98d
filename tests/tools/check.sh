#!/bin/sh
# Runs every test and counts: unit and property programs, the plans of the standard library, golden
# cases, the lint rules. Usage: check.sh BUILD PROGRAM...
# Prints what fails; the last line, and the only one of build/total, is `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
shift
tools=tests/tools
work=$build/check
rm -rf "$work"
mkdir -p "$work"
: >"$work/counts"

# Seconds that a test of Check's may take: enough for a machine with other work.
export CK_DEFAULT_TIMEOUT=120

# Sanitizers: a test that forks hides what the child found, and Check never frees its suites.
case $build in
*asan* | *sanitize* | *cov*)
	export CK_FORK=no
	export ASAN_OPTIONS="detect_leaks=1:exitcode=99:allocator_may_return_null=1"
	export LSAN_OPTIONS="suppressions=$PWD/$tools/leaks.txt:print_suppressions=0"
	;;
esac
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1"

# count GROUP PASSED FAILED
count()
{
	echo "$2 $3" >>"$work/counts"
	printf '%-12s %5d passed' "$1" "$2"
	if [ "$3" -ne 0 ]; then
		printf ', %d failed' "$3"
	fi
	echo
}

# A program of Check's ends with "100%: Checks: N, Failures: F, Errors: E"; any other program passes
# or fails as one test by its exit status.
run_program()
{
	name=$(basename "$1")
	"$1" >"$work/log" 2>&1
	status=$?
	line=$(grep -E '^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$' "$work/log" | tail -n 1)
	if [ -n "$line" ]; then
		total=$(echo "$line" | sed 's/.*Checks: \([0-9]*\),.*/\1/')
		bad=$(echo "$line" | awk -F '[ ,]+' '{ print $5 + $7 }')
	else
		total=1
		bad=$((status != 0))
	fi
	if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		total=$((total + 1))
		bad=1
	fi
	if [ "$bad" -ne 0 ]; then
		echo "FAIL $name (exit $status)"
		sed 's/^/     /' "$work/log"
	fi
	passed=$((passed + total - bad))
	failed=$((failed + bad))
}

for kind in unit property; do
	passed=0
	failed=0
	for program in "$@"; do
		case $program in
		*/tests/$kind/*) run_program "$program" ;;
		esac
	done
	if [ $((passed + failed)) -ne 0 ]; then
		count "$kind" "$passed" "$failed"
	fi
done

# group NAME COMMAND...: the command ends with a line "PASSED FAILED".
group()
{
	name=$1
	shift
	"$@" >"$work/log"
	last=$(tail -n 1 "$work/log")
	sed '$d' "$work/log"
	case $last in
	*[!0-9\ ]* | "") count "$name" 0 1 ;;
	*) count "$name" "${last% *}" "${last#* }" ;;
	esac
}

group library sh $tools/library.sh "$build/planc"
group verdicts sh $tools/verdicts.sh "$build/planc"
group docs sh $tools/docs.sh "$build/planc"
group golden sh $tools/golden.sh "$build/planc"
group "long runs" sh $tools/long_runs.sh "$build/planc"
group mpi sh $tools/mpi.sh "$build"
group suggest sh $tools/suggest.sh "$build/planc"
group huge sh $tools/huge.sh "$build/planc"
group hostile sh $tools/hostile.sh "$build/planc"
if [ -x "$build/tests/tools/report_schema" ]; then
	group schema sh $tools/schema.sh "$build"
fi
group fuzz sh $tools/fuzz.sh --replay "$build"
case $build in
*release* | *debug*) group install sh $tools/install_test.sh "$build" "${CC-cc}" ;;
esac
group lint sh $tools/lint.sh --count

awk '{ p += $1; f += $2 } END { printf "%d passed, %d failed\n", p, f }' "$work/counts" >build/total
cat build/total
grep -q ', 0 failed$' build/total
