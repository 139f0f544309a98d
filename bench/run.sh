#!/bin/sh
# Runs the benchmarks one after another: figures of one thread, one a line. Usage: run.sh BUILD.
set -u
build=$1
status=0

for bench in "$build"/bench/*_bench; do
	[ -x "$bench" ] || continue
	case $bench in
	*/report_bench) "$bench" "$build/planc" examples/llama3_8b_a100.plan ;;
	*/lines_bench) "$bench" "$build/planc" "$build/bench" ;;
	*/search_bench) "$bench" bench/*_space.plan ;;
	*) "$bench" ;;
	esac || status=1
done
exit $status
