#!/bin/sh
# Asks `planc suggest` about every model of the library, on clusters, numbers of GPUs and lengths of samples that
# go round, and looks whether the answer is one: a plan that planc check has nothing to say to, that planc fmt
# leaves as it is, and whose report has the figures that stand at its head; or one sentence why not (exit 3).
# Usage: suggest.sh PLANC [EVERY]: of the models only each EVERY-th, 1 for all. Ends with a line "PASSED FAILED".
set -u
planc=$1
every=${2-12}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

fail()
{
	failed=$((failed + 1))
	echo "FAIL suggest $question: $1"
	sed 's/^/     /' "$tmp/err" | head -n 12
}

# The head of a plan as one line: "... step time 12.82 s, MFU 55.9 %; stage 0 needs most, 69.69 GiB reserved of ..."
head_says()
{
	sed -n 's/^## *//p' "$tmp/plan.plan" | tr '\n' ' ' | sed -n "s/.*$1.*/\\1/p"
}

report_says()
{
	tr -s ' ' <"$tmp/report" | grep -qF "$1" && return
	fail "the report does not say: $1"
	return 1
}

answered()
{
	if ! "$planc" check "$tmp/plan.plan" >"$tmp/out" 2>"$tmp/err" || [ -s "$tmp/err" ]; then
		grep -q '^## Advice that is left open' "$tmp/plan.plan" || { fail "planc check has something to say"; return; }
	fi
	"$planc" fmt --check "$tmp/plan.plan" >"$tmp/err" 2>&1 || { fail "planc fmt lays it out otherwise"; return; }
	"$planc" report "$tmp/plan.plan" >"$tmp/report" 2>"$tmp/err" || { fail "planc report refuses it"; return; }
	report_says "step time $(head_says 'step time \([0-9.]* [mu]*s\), MFU')" || return
	report_says "MFU $(head_says 'MFU \([0-9.]* %\);') of" || return
	report_says "$(head_says ' \([0-9.]* GiB\) reserved of') reserved (peak" || return
	passed=$((passed + 1))
}

refused()
{
	if [ "$(grep -cE '^error\[E270[56]\]: ' "$tmp/err")" -eq 1 ] && ! [ -s "$tmp/plan.plan" ]; then
		passed=$((passed + 1))
	else
		fail "no clear refusal"
	fi
}

ask()
{
	question="$*"
	"$planc" suggest "$@" >"$tmp/plan.plan" 2>"$tmp/err"
	case $? in
	0) if [ -s "$tmp/err" ]; then fail "an answer with messages"; else answered; fi ;;
	3) refused ;;
	*) fail "neither a plan nor a refusal" ;;
	esac
}

# Names of the records of a schema in a file of the library.
records()
{
	"$planc" doc "$1" | sed -n "s/^| .\([a-z0-9_]*\). | $2 |.*/\1/p"
}

models=$(records std:models model)
clusters=$(records std:clusters cluster)
gpus="8 64 256 1 24 1024 16 96"
lengths="4096 8192 1024 32768 2048"
targets="- megatron@0.14 - torchtitan - megatron_bridge -"

# The N-th word of a list that goes round.
word()
{
	n=$1
	shift
	shift $((n % $#))
	echo "$1"
}

i=0
for model in $models; do
	i=$((i + 1))
	[ $((i % every)) -eq 0 ] || continue
	target=$(word $i $targets)
	set -- --model "$model" --cluster "$(word $i $clusters)" --gpus "$(word $i $gpus)" --sequence "$(word $i $lengths)"
	[ "$target" = - ] || set -- "$@" --target "$target"
	ask "$@"
done
[ $i -gt 50 ] || { echo "FAIL suggest: the library lists $i models"; failed=$((failed + 1)); }
echo "$passed $failed"
