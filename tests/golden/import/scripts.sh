# scripts.sh NAME ENVIRONMENT ARGUMENTS PARAMETERS: runs tests/data/scripts/NAME.sh with programs that note what they
# are given, and the script of the plan that was read out of it, and compares their arguments.
# `<` has the first one only, `>` the second.
work=$T/$1
mkdir -p "$work/bin"
cat >"$work/bin/torchrun" <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do case $1 in *.py) shift; printf '%s\n' x.py "$@" >>"$WORDS"; exit ;; esac; shift; done
END
cat >"$work/bin/srun" <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do case $1 in bash | sh) exec "$@" ;; esac; shift; done
END
printf '#!/bin/sh\n' >"$work/bin/clear"
cp "$work/bin/torchrun" "$work/bin/python"
cp "$work/bin/clear" "$work/bin/scontrol"
chmod +x "$work"/bin/*
: >"$work/cluster.env"
cp "../../data/scripts/$1.sh" "$work"
planc import megatron "../../data/scripts/$1.sh" -o "$work/$1.plan" || exit 1
# shellcheck disable=SC2086
planc emit "$work/$1.plan" -p machines=clusters.dgx_h100 $4 -o "$work/again" >/dev/null || exit 1
# shellcheck disable=SC2086
(
	cd "$work" || exit 1
	PATH=$work/bin:$PATH
	export WORDS="$work/first.words"
	env $2 bash "$1.sh" $3 >/dev/null 2>&1
	export WORDS="$work/second.words"
	env $2 bash again/pretrain.sh >/dev/null 2>&1
)
for i in first second; do
	tr '\n' '\r' <"$work/$i.words" | sed 's/\(\r--[a-z0-9-]*\)=/\1\r/g' | tr '\r' '\n' >"$work/words"
	awk -f ../targets/flags.awk "$work/words" >"$work/$i.flags"
done
diff "$work/first.flags" "$work/second.flags" | grep '^[<>]'
grep -h -e 'takes it from' -e 'Left out' -e 'arguments perhaps' -e '^# Depend' "$work/$1.plan"
true
