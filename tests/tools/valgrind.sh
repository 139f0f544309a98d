#!/bin/sh
# Runs unit test programs and every example's report under valgrind. Usage: valgrind.sh BUILD PROGRAM...
# The last line is `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
shift
if ! command -v valgrind >/dev/null 2>&1; then
	echo "valgrind is not installed: apt-get install -y valgrind" >&2
	exit 1
fi
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
trap 'exit 1' INT TERM
export CK_FORK=no CK_DEFAULT_TIMEOUT=600
passed=0
failed=0

under()
{
	if valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
		"$@" >"$log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL valgrind $*"
		tail -n 40 "$log" | sed 's/^/     /'
	fi
}

for program in "$@"; do
	under "$program"
done
for plan in examples/*.plan; do
	under "$build/planc" report "$plan"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
