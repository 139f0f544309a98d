#!/bin/sh
# What each framework says to a plan, against what was recorded of the framework itself.
# Usage: verdicts.sh PLANC
#
# A case of tests/data/verdicts/*.txt is a line `= NAME TARGET VERDICT [RULE...]` and the text that follows,
# which imports the jobs of verdicts/bases.plan: a job, of which TARGET (`megatron@0.20`) is asked. VERDICT is
# accept, advise (taken with a warning of the framework) or refuse; every RULE has to be named in the answer.
# Lines with # are comments.
planc=$1
data=$(dirname "$0")/../data/verdicts
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

ask()
{
	[ -n "$name" ] || return
	printf 'edition 1\nimport "bases.plan" { dense, small, mixture, latent, pod, hall }\n' |
		cat - "$tmp/case" >"$tmp/plan.plan"
	(cd "$tmp" && "$planc" check plan.plan --target "$target") >"$tmp/answer" 2>&1
	code=$?
	case $verdict in
	accept | advise) want=0 ;;
	*) want=1 ;;
	esac
	missing=
	if [ "$verdict" = accept ] && grep -q 'warning\[W2505\]' "$tmp/answer"; then
		missing=' (accept without a warning)'
	fi
	for rule in $rules; do
		grep -q "rule \`$rule\`\|also broken:.*\`$rule\`" "$tmp/answer" || missing="$missing $rule"
	done
	if [ "$code" -eq "$want" ] && [ -z "$missing" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL verdict $name on $target: $verdict, exit $code${missing:+, not named:$missing}"
		sed -n 1,12p "$tmp/answer"
	fi
}

case $planc in
/*) ;;
*) planc=$PWD/$planc ;;
esac
name=
: >"$tmp/case"
cp "$data/bases.plan" "$tmp/bases.plan"
cat "$data"/*.txt >"$tmp/all"
while IFS= read -r line; do
	case $line in
	'= '*)
		ask
		: >"$tmp/case"
		# Words of the line, without globbing.
		set -f
		# shellcheck disable=SC2086
		set -- $line
		name=$2 target=$3 verdict=$4
		shift 4
		rules=$*
		;;
	'#'*) ;;
	*) printf '%s\n' "$line" >>"$tmp/case" ;;
	esac
done <"$tmp/all"
ask
echo "$passed $failed"
[ "$failed" -eq 0 ]
