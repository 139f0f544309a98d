#!/bin/sh
# Checks every plan that promises something about the standard library or is an example: it has to
# pass `planc check`. Usage: library.sh PLANC. Ends with a line "PASSED FAILED".
set -u
planc=$1
passed=0
failed=0
for plan in stdlib/tests/*.plan examples/*.plan; do
	[ -e "$plan" ] || continue
	if message=$("$planc" check "$plan" 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL planc check $plan"
		echo "$message" | sed 's/^/     /'
	fi
done
echo "$passed $failed"
