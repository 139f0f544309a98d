#!/bin/sh
# What each framework says to a plan, against what was recorded of the framework itself.
# Usage: verdicts.sh PLANC
#
# A case of tests/data/verdicts/*.txt is a line `= NAME TARGET VERDICT [RULE...]` and the text that follows,
# which imports the jobs of verdicts/bases.plan: a job, of which TARGET (`megatron@0.20`) is asked. VERDICT is
# accept, advise (taken with a warning of the framework) or refuse; every RULE, or code, has to be named in the answer. Behind a
# line `~`, or `~ TARGET`, stands the nearest job that is accepted. Lines with # are comments.
planc=$1
data=$(dirname "$0")/../data/verdicts
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

ask()
{
	[ -n "$name" ] || return
	printf 'edition 1\nimport "bases.plan" { dense, small, mixture, latent, pod, hall, blackwell, volta }\n' |
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
		case $rule in
		[EW][0-9]*) named="\[$rule\]" ;;
		*) named="rule \`$rule\`\|also broken:.*\`$rule\`" ;;
		esac
		grep -q "$named" "$tmp/answer" || missing="$missing $rule"
	done
	if [ "$code" -eq "$want" ] && [ -z "$missing" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL verdict $name on $target: $verdict, exit $code${missing:+, not named:$missing}"
		sed -n 1,12p "$tmp/answer"
	fi
}

# Rules of a target that no case breaks. What the artefact cannot say is tested with the artefacts.
untold()
{
	"$planc" targets "$1" --rules | sed -n 's/^| `\([a-z_0-9]*\)`.*/\1/p' | grep -v '^cannot_express_' |
		while read -r rule; do
			grep -q "^= .* \(refuse\|advise\) \(.* \)*$rule\( \|\$\)" "$tmp/all" ||
				echo "FAIL verdict: no case breaks rule $rule of $1"
		done
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
		asked=$target
		shift 4
		rules=$*
		;;
	'~'*)
		ask
		: >"$tmp/case"
		name="$name, kept" target=${line#\~} verdict=accept rules=
		target=${target# }
		target=${target:-$asked}
		;;
	'#'*) ;;
	*) printf '%s\n' "$line" >>"$tmp/case" ;;
	esac
done <"$tmp/all"
ask
for target in megatron loongforge megatron_bridge mindspeed_llm deepspeed llamafactory torchtitan; do
	untold "$target" >"$tmp/answer"
	cat "$tmp/answer"
	failed=$((failed + $(wc -l <"$tmp/answer")))
done
echo "$passed $failed"
[ "$failed" -eq 0 ]
