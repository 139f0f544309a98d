#!/bin/sh
# Runs fuzz targets, or replays the inputs that are kept.
#
#   fuzz.sh BUILD SECONDS TARGET...   libFuzzer; new inputs stay in BUILD/fuzz, findings too
#   fuzz.sh --replay BUILD            every input of tests/fuzz/corpus; the last line is "PASSED FAILED"
#
# A finding becomes a file of tests/fuzz/corpus/TARGET (named after what was wrong) and a golden case.
set -u
cd "$(dirname "$0")/../.." || exit 1
corpus=tests/fuzz/corpus

replay()
{
	build=$1
	passed=0
	failed=0
	log=$(mktemp) || exit 1
	for folder in "$corpus"/*; do
		target=$(basename "$folder")
		for input in "$folder"/*; do
			if "$build/tests/fuzz/$target" "$input" >"$log" 2>&1; then
				passed=$((passed + 1))
			else
				failed=$((failed + 1))
				echo "FAIL fuzz: $target $input"
				tail -n 30 "$log" | sed 's/^/     /'
			fi
		done
	done
	rm -f "$log"
	echo "$passed $failed"
}

# Words that random bytes would not hit upon: what the sources compare texts with.
dictionary()
{
	case $1 in
	parse | check | fmt)
		sed -n 's/^KEYWORD("\([^"]*\)".*/"\1 "/p' grammar/keywords.def
		sed -n 's/^UNIT("\([^"]*\)".*/"1 \1"/p' compiler/types/units.def
		sed -n 's/^BUILTIN([^,]*, "\([^"]*\)".*/"\1("/p' compiler/ir/builtins.def
		printf '"%s"\n' '..' '->' '=>' '??' '==' '!=' '<=' '>=' '{x}' '{x:GiB.1}' '##' '\\x0a' '\\"' 'edition 1'
		;;
	simumax)
		grep -oh '"[a-z_0-9][a-z_0-9]*"' runtime/import/simumax/*.c | sort -u
		printf '"%s"\n' '\\x0a===\\x0a' 'null' 'true' '1e9'
		;;
	json)
		printf '"%s"\n' 'null' 'true' 'false' '\\\\u0000' '\\\\ud83d\\\\ude00' '1e400' '-0' '0.1' '[[' '{\\"a\\":'
		;;
	csv) printf '"%s"\n' '\\x0d\\x0a' '\\"\\"' '#' ',' ;;
	*) printf '"%s"\n' '\\x00' '\\xff' ;;
	esac
}

# Texts to begin with, beside those that are kept.
seeds()
{
	case $1 in
	parse | fmt) echo tests/golden/syntax tests/golden/fmt tests/golden/sweep ;;
	check) echo tests/golden/types tests/golden/names tests/golden/records ;;
	esac
}

fuzz()
{
	work=$build/fuzz/$1
	mkdir -p "$work/new"
	dictionary "$1" >"$work/dict"
	# shellcheck disable=SC2046
	ASAN_OPTIONS=allocator_may_return_null=1 "$build/tests/fuzz/$1" -max_total_time="$seconds" \
		-timeout=20 -rss_limit_mb=3000 -max_len=8192 -print_final_stats=1 -dict="$work/dict" \
		-artifact_prefix="$work/" "$work/new" "$corpus/$1" $(seeds "$1") >"$work/log" 2>&1
	status=$?
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
	if [ "$status" -eq 0 ]; then
		echo "fuzz $1: ${runs:-0} inputs in $seconds s, no finding"
	else
		echo "fuzz $1: a finding, see $work/log"
		grep -E 'ERROR|does not hold|internal error|SUMMARY|runtime error|Test unit written' "$work/log" | head -n 8
	fi
	return $status
}

if [ "$1" = --replay ]; then
	replay "$2"
	exit 0
fi
build=$1
seconds=$2
shift 2
worst=0
for target in "$@"; do
	fuzz "$target" || worst=1
done
exit $worst
