#!/bin/sh
# Compares the JSON report of every example, and every recorded one, with docs/report.schema.json.
# Usage: schema.sh BUILD. Ends with a line "PASSED FAILED".
set -u
build=$1
validate=$build/tests/tools/report_schema
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

validated()
{
	if message=$("$validate" docs/report.schema.json "$1" 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL schema: $1"
		echo "$message" | sed 's/^/     /'
	fi
}

for plan in examples/*.plan; do
	[ -e "$plan" ] || continue
	# Examples with one job; the others are covered job by job in their golden cases.
	"$build/planc" report "$plan" --format json >"$tmp/$(basename "$plan" .plan).json" 2>"$tmp/err" ||
		grep -q 'json describes one job' "$tmp/err" ||
		{ echo "FAIL planc report $plan --format json"; sed 's/^/     /' "$tmp/err"; failed=$((failed + 1)); continue; }
	[ -s "$tmp/$(basename "$plan" .plan).json" ] && validated "$tmp/$(basename "$plan" .plan).json"
done
for json in tests/golden/report/*.json; do
	[ -e "$json" ] && validated "$json"
done
echo "$passed $failed"
