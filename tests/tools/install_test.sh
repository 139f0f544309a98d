#!/bin/sh
# Installs into a temporary folder and uses what is there as somebody else would: builds the example
# programs against it, reads the manual page, loads the completions, removes everything again.
# Usage: install_test.sh BUILD [CC]. The last line is "PASSED FAILED".
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
cc=${2-cc}
variant=$(basename "$build" -clang)
stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' INT TERM
unset MAKEFLAGS MFLAGS MAKELEVEL
root=$stage/root
prefix=/opt/planc
log=$stage/log
passed=0
failed=0

# verdict NAME STATUS: what the log says is shown when the test failed.
verdict()
{
	if [ "$2" -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL install: $1"
		sed 's/^/     /' "$log"
	fi
}

run_make()
{
	"${MAKE-make}" -s VARIANT="$variant" CC="$cc" DESTDIR="$root" PREFIX=$prefix "$@" >"$log" 2>&1
}

package()
{
	PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig ${PKG_CONFIG-pkg-config} \
		--define-variable=prefix="$root$prefix" "$@" plan
}

# The words of pkg-config are words: unquoted.
build_example()
{
	$cc -std=c17 -Wall -Wextra -Wpedantic -Werror -o "$stage/$1" examples/c/step_time.c \
		$(package --cflags) $2 >"$log" 2>&1
}

example_runs()
{
	LD_LIBRARY_PATH=$root$prefix/lib "$stage/$1" examples/llama3_8b_a100.plan >"$log" 2>&1 &&
		grep -q '^pretrain: a step takes 5\.555 s (5\.554677 s), memory reaches 50\.9 GiB (54637756416 B)$' "$log"
}

run_make install
verdict "make install" $?

build_example shared "$(package --libs)" && example_runs shared
verdict "example with libplan.so" $?

build_example static "$root$prefix/lib/libplan.a $(package --static --libs | sed 's/-lplan//')" && example_runs static
verdict "example with libplan.a" $?

# A program with functions of the same names as ours inside of libplan.
cat >"$stage/names.c" <<'END'
#include <plan.h>
int arena_alloc(void);
int arena_alloc(void) { return 7; }
int main(void) { plan_free(plan_new()); return arena_alloc() - 7; }
END
$cc -o "$stage/names" "$stage/names.c" $(package --cflags) "$root$prefix/lib/libplan.a" \
	$(package --static --libs | sed 's/-lplan//') >"$log" 2>&1 && "$stage/names"
verdict "libplan.a keeps its names to itself" $?

# Both libraries define the functions of the header, all of them and no other name.
sed -n 's/^PLAN_API .*[ *]\(plan_[a-z_]*\)(.*/\1/p' include/plan.h | sort >"$stage/declared"
nm -D --defined-only "$root$prefix/lib/libplan.so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
	sort >"$stage/shared.names"
nm -g --defined-only "$root$prefix/lib/libplan.a" | awk 'NF == 3 { print $3 }' | sort >"$stage/static.names"
diff "$stage/declared" "$stage/shared.names" >"$log" && diff "$stage/declared" "$stage/static.names" >"$log"
verdict "the libraries show the functions of plan.h" $?

size -A "$root$prefix/lib/libplan.a" | awk '$1 ~ /^\.(data|bss|tdata|tbss)$/ && $2 > 0' >"$log"
[ ! -s "$log" ]
verdict "there is no data that can change" $?

nm -D "$root$prefix/lib/libplan.so" | grep -w plan_new >"$log"
grep -q 'plan_new@@PLAN_0$' "$log"
verdict "symbols have versions" $?

: >"$log"
if command -v man >/dev/null && command -v groff >/dev/null; then
	LC_ALL=C.UTF-8 man --warnings -l "$root$prefix/share/man/man1/planc.1" 2>"$log" >"$stage/page"
fi
"$build/planc" help | awk '/^commands:/ { on = 1; next } on && /^$/ { exit } on { print $1 }' >"$stage/commands"
while read -r command; do
	grep -q "^\.SS $command\$" "$root$prefix/share/man/man1/planc.1" || [ "$command" = help ] ||
		echo "no section for $command" >>"$log"
done <"$stage/commands"
[ ! -s "$log" ]
verdict "manual page" $?

share=$root$prefix/share
: >"$log"
for word in $(cat "$stage/commands") --stdlib --colour; do
	for file in "$share/bash-completion/completions/planc" "$share/zsh/site-functions/_planc"; do
		grep -qe "$word" "$file" || echo "$file lacks $word" >>"$log"
	done
done
bash -n "$share/bash-completion/completions/planc" >>"$log" 2>&1
# completes TO WORD...: what bash offers for the last word of a command line.
completes()
{
	to=$1
	shift
	bash -c '. "$1"; to=$2; shift 2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _planc; [ "${COMPREPLY[*]}" = "$to" ]' \
		completion "$share/bash-completion/completions/planc" "$to" "$@" >>"$log" 2>&1 ||
		echo "$* is not completed to $to" >>"$log"
}
completes report planc repo
completes "text json jsonl csv html" planc sweep --format ""
completes "text json github sarif" planc check --format ""
completes "ast types ir graph profile" planc debug ""
completes --exact planc sweep a.plan --ex
if command -v zsh >/dev/null; then
	zsh -n "$share/zsh/site-functions/_planc" >>"$log" 2>&1
fi
if command -v fish >/dev/null; then
	fish --no-execute "$share/fish/vendor_completions.d/planc.fish" >>"$log" 2>&1
fi
[ ! -s "$log" ]
verdict "completions" $?

run_make uninstall && ! find "$root" -type f -o -type l | grep . >"$log"
verdict "make uninstall" $?

echo "$passed $failed"
