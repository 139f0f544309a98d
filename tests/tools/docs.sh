#!/bin/sh
# Checks the plans in the documentation: every block of ```plan in a page is laid out as `planc fmt` does it; a
# block that begins with `edition` passes `planc check` by itself; the others do together, behind the
# declarations of tests/docs/PAGE.plan. Usage: docs.sh PLANC. Ends with a line "PASSED FAILED".
set -u
planc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

# expect WHAT COMMAND...
expect()
{
	what=$1
	shift
	if message=$("$@" 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL docs: $what"
		echo "$message" | sed 's/^/     /' | head -n 30
	fi
}

# One file a block, named by the line it begins at.
split()
{
	awk -v folder="$2" '
		/^```plan$/ { file = sprintf("%s/line_%04d.plan", folder, NR + 1); next }
		/^```/ && file { close(file); file = "" }
		file { print > file }
	' "$1"
}

for page in README.md docs/*.md stdlib/README.md stdlib/targets/README.md; do
	name=$(basename "$(dirname "$page")")_$(basename "$page" .md)
	work=$tmp/$name
	mkdir -p "$work"
	split "$page" "$work"
	set -- "$work"/line_*.plan
	[ -e "$1" ] || continue
	cp -R tests/docs/. "$work"
	together=$work/together.plan
	context=tests/docs/$(basename "$page" .md).plan
	if [ -e "$context" ]; then cat "$context"; else echo 'edition 1'; fi >"$together"
	for block; do
		at=$page:$(basename "$block" .plan | sed 's/line_0*//')
		if head -n 1 "$block" | grep -q '^edition'; then
			expect "planc check, $at" "$planc" check "$block"
		else
			{ echo; cat "$block"; } >>"$together"
			{ printf 'edition 1\n\n'; cat "$block"; } >"$block.laid" && mv "$block.laid" "$block"
		fi
		expect "planc fmt --check, $at" "$planc" fmt --check "$block"
	done
	expect "planc check, blocks of $page together" "$planc" check "$together"
	expect "planc test, blocks of $page together" "$planc" test "$together"
done
echo "$passed $failed"
