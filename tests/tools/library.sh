#!/bin/sh
# Checks every plan that promises something about the standard library or is an example: it has to
# pass `planc check`, and so have its tests. Usage: library.sh PLANC. Ends with a line "PASSED FAILED".
set -u
planc=$1
passed=0
failed=0

# expect COMMAND PLAN
expect()
{
	if message=$("$planc" "$1" "$2" 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL planc $1 $2"
		echo "$message" | sed 's/^/     /'
	fi
}

for plan in stdlib/tests/*.plan examples/*.plan; do
	[ -e "$plan" ] || continue
	expect check "$plan"
	expect test "$plan"
done
echo "$passed $failed"
