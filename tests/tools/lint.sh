#!/bin/sh
# Rules about the sources that no compiler checks. Usage: lint.sh [--count]
#
#   arrows       an #include between folders that tests/tools/layers.txt does not list
#   words        what tests/tools/banned.txt refuses
#   sizes        a hand-written file above 1,000 lines is refused, above 600 mentioned
#   guards       a header without its include guard
#   diagnostics  a code without an explanation page, without a golden case that shows it, or raised
#                nowhere (tests/tools/undrawn.txt lists the codes that may lack a case, and why)
#
# Each rule counts as one test. With --count the last line is "PASSED FAILED".
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

# Our C files; build/ and hidden folders are none of them.
find compiler grammar runtime cli bench tests tools include \
	-name '*.[chly]' -o -name '*.def' 2>/dev/null | sort >"$tmp/files"

# verdict RULE: $tmp/faults holds one fault a line.
verdict()
{
	if [ -s "$tmp/faults" ]; then
		echo "FAIL lint: $1"
		sed 's/^/     /' "$tmp/faults"
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
}

arrows()
{
	xargs grep -Hn '^[ 	]*#[ 	]*include[ 	]*"' <"$tmp/files" | awk '
		FNR == NR {
			if ($0 ~ /^#/ || NF == 0) next
			folder = $1; sub(/:$/, "", folder)
			known[folder] = 1
			for (i = 2; i <= NF; i++) may[folder, $i] = 1
			next
		}
		function room(path,   parts, n) {
			n = split(path, parts, "/")
			if (n == 1) return ""
			if (parts[1] == "compiler" || parts[1] == "runtime") return parts[1] "/" parts[2]
			return parts[1]
		}
		{
			split($0, at, ":")
			match($0, /"[^"]*"/)
			target = substr($0, RSTART + 1, RLENGTH - 2)
			from = room(at[1]); to = room(target)
			where = at[1] ":" at[2]
			if (!(from in known)) print where ": folder " from " is not in layers.txt"
			else if (to == "" && from != "grammar") print where ": \"" target "\" is not named from the root"
			else if (to == "" || to == from || (from, "*") in may || (from, to) in may) next
			else print where ": " from " may not include " to
		}' tests/tools/layers.txt -
}

words()
{
	grep -v '^#' tests/tools/banned.txt | while IFS='	' read -r allowed pattern; do
		if [ "$allowed" = - ]; then
			cat "$tmp/files"
		else
			grep -Ev "$allowed" "$tmp/files"
		fi | xargs grep -HnE "$pattern" | sed 's/$/   [refused here]/'
	done
}

sizes()
{
	grep -v '\.def$' "$tmp/files" | xargs wc -l | awk '$2 != "total" && $1 > 1000 { print $2 ": " $1 " lines" }'
}

long_files()
{
	grep -v '\.def$' "$tmp/files" | xargs wc -l | awk '$2 != "total" && $1 > 600 && $1 <= 1000 { print "note: " $2 " has " $1 " lines; look for the seam" }'
}

guards()
{
	grep '\.h$' "$tmp/files" | while read -r header; do
		name=$(echo "$header" | awk -F / '{
			file = toupper($NF); gsub(/[^A-Z0-9]/, "_", file)
			folder = toupper($(NF - 1)); gsub(/[^A-Z0-9]/, "_", folder)
			print (NF == 1) ? "PLAN_" file : "PLAN_" folder "_" file }')
		grep -q "^#define $name\$" "$header" || echo "$header: the guard is $name"
	done
}

diagnostics()
{
	sed -n 's/^DIAG(\([EW][0-9]*\),.*/\1/p' compiler/diag/*.def >"$tmp/codes"
	sort "$tmp/codes" | uniq -d | sed 's/$/: declared twice/'
	cat tests/golden/*/*.err tests/golden/*/*.out 2>/dev/null |
		grep -aoE '(error|warning)\[[EW][0-9]+\]' | grep -oE '[EW][0-9]+' | sort -u >"$tmp/shown"
	grep -oE '^[EW][0-9]+' tests/tools/undrawn.txt | sort -u >"$tmp/excused"
	grep -v '\.def$' "$tmp/files" | grep -v '^tests/' | xargs grep -ohE '\<[EW][0-9]{4}\>' |
		sort -u >"$tmp/raised"
	while read -r code; do
		[ -e "compiler/diag/pages/$code.md" ] || echo "$code: no page compiler/diag/pages/$code.md"
		case $code in
		E21* | E22* | W21* | W22*) ;;
		*) grep -qx "$code" "$tmp/raised" || echo "$code: raised nowhere" ;;
		esac
		if ! grep -qx "$code" "$tmp/shown"; then
			grep -qx "$code" "$tmp/excused" || echo "$code: no golden case shows it"
		elif grep -qx "$code" "$tmp/excused"; then
			echo "$code: has a case now; take it off tests/tools/undrawn.txt"
		fi
	done <"$tmp/codes"
}

for rule in arrows words sizes guards diagnostics; do
	$rule >"$tmp/faults"
	verdict $rule
done
if [ "${1-}" = --count ]; then
	echo "$passed $failed"
else
	long_files
fi
[ "$failed" -eq 0 ]
