#!/bin/sh
# Share of lines the tests ran, by folder, from what gcov recorded. Usage: coverage.sh BUILD
set -u
build=$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM

find "$build/compiler" "$build/runtime" "$build/grammar" "$build/cli" -name '*.gcda' | while read -r data; do
	gcov -n "$data" 2>/dev/null
done | awk '
	/^File / { file = substr($2, 2, length($2) - 2) }
	/^Lines executed:/ && file ~ /^(compiler|runtime|grammar|cli)\/.*\.c$/ {
		split($0, part, /[:% ]+/)
		folder = file; sub(/\/[^\/]*$/, "", folder)
		lines[folder] += part[5]; run[folder] += part[3] * part[5] / 100
		file = ""
	}
	END {
		for (f in lines) {
			printf "%-20s %6d lines %6.1f %%\n", f, lines[f], 100 * run[f] / lines[f]
			all += lines[f]; ran += run[f]
		}
		if (all) printf "%-20s %6d lines %6.1f %%\n", "~ all", all, 100 * ran / all
	}' | sort
