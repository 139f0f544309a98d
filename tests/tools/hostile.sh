#!/bin/sh
# What the file system can do to planc: files that are no text, links that lead out, pipes, devices and
# folders where a file belongs, a disk that is full, folders that cannot be written, files of somebody
# else. Every command ends by itself, says what the matter is, leaves what was there and no
# temporary file. Usage: hostile.sh PLANC. The last line is "PASSED FAILED".
set -u
planc=$PWD/$1
golden=$PWD/tests/golden
tmp=$(mktemp -d) || exit 1
mounted=
clean()
{
	[ -z "$mounted" ] || umount "$tmp/disk"
	chmod -R u+w "$tmp"
	rm -rf "$tmp"
}
trap clean EXIT
trap 'exit 1' INT TERM
chmod 755 "$tmp"
mkdir "$tmp/project" "$tmp/out"
cd "$tmp/project" || exit 1
passed=0
failed=0

# judge STATUS TEXT WHAT: $status and $tmp/said are those of the last command; an empty text asks for no word.
judge()
{
	if [ "$status" -ne "$1" ]; then
		echo "FAIL $3: exit $status, expected $1"
	elif [ -n "$2" ] && ! grep -qF -e "$2" "$tmp/said"; then
		echo "FAIL $3: nothing says '$2'"
	elif [ -z "$2" ] && [ -s "$tmp/said" ]; then
		echo "FAIL $3: messages where none belongs"
	elif find "$tmp" -name '.*.planc-[0-9]*' | grep -q .; then
		echo "FAIL $3: a temporary file is left"
		find "$tmp" -name '.*.planc-[0-9]*' -exec rm -f {} +
	else
		passed=$((passed + 1))
		return
	fi
	head -c 2000 "$tmp/said" | sed 's/^/     /'
	failed=$((failed + 1))
}

# expect STATUS TEXT COMMAND...: a command of planc, its messages.
expect()
{
	want=$1
	text=$2
	shift 2
	timeout 20 "$planc" "$@" 2>"$tmp/said" >"$tmp/out/printed" </dev/null
	status=$?
	judge "$want" "$text" "$*"
}

# ---- files that are no plans ------------------------------------------------------------------

printf 'edition 1\nlet a = 1\n' >"$tmp/secret.plan"
printf 'x\n1\n' >"$tmp/secret.csv"
ln -s ../secret.plan link.plan
ln -s ../secret.csv link.csv
ln -s .. up
ln -s circle.plan round.plan
ln -s round.plan circle.plan
ln -s /dev/zero zero.plan
ln -s /dev/zero zero.csv
mkfifo pipe.plan pipe.csv pipe.json
mkdir folder.plan folder.csv

# An import of each; the plan's own folder is its root.
while read -r path text; do
	case $path in
	*.plan) printf 'edition 1\nimport "%s" as x\n' "$path" >importing.plan ;;
	*) printf 'edition 1\nschema row { x: int }\nimport "%s" as x: table[row]\n' "$path" >importing.plan ;;
	esac
	expect 1 "$text" check importing.plan
done <<'END'
link.plan a link leads out
link.csv a link leads out
up/secret.plan a link leads out
up/secret.csv a link leads out
zero.plan a link leads out
zero.csv a link leads out
../secret.plan it lies above the folder
folder.plan/../../secret.plan it lies above the folder
/dev/zero.csv an absolute path
pipe.plan it is not a file
pipe.csv it is not a file
pipe.json it is not a file
folder.plan it is not a file
folder.csv it is not a file
round.plan there is no such file
gone.plan there is no such file
END

# Named by the user a link may lead anywhere; what it leads to must be a file.
for path in zero.plan pipe.plan folder.plan /dev/null; do
	for command in check report emit fmt doc sweep "fmt --check" "debug ast" test; do
		case $command in
		debug*) text='cannot be read' ;;
		*) text='it is not a file' ;;
		esac
		# shellcheck disable=SC2086 # the words of a command
		expect 4 "$text" $command $path
	done
done
expect 4 'is not a file' report --simumax pipe.json pipe.json pipe.json
expect 4 'it cannot be read' check circle.plan
timeout 20 "$planc" fmt --check - </dev/zero 2>"$tmp/said" >/dev/null
status=$?
judge 4 'limit of 16 MiB' 'fmt --check - </dev/zero'

: >empty.plan
head -c 4000000 "$planc" >binary.plan  # instrumented builds are larger than the limit of a file
printf 'edition 1\nlet a = \0 1\n' >nul.plan
printf '\377\376e\0d\0i\0t\0i\0o\0n\0' >utf16.plan
printf 'edition 1\nlet a = "\303\050"\n' >latin.plan
printf 'edition 1\r\nlet a = 1\r\n' >dos.plan
printf '\357\273\277edition 1\nlet a = 1\n' >mark.plan
printf 'edition 1\nlet a = 1' >unended.plan
expect 0 'warning[W0101]' check empty.plan
for file in dos mark unended; do
	expect 0 '' check $file.plan
done
for file in binary nul utf16 latin; do
	expect 1 'error[E00' check $file.plan
	cp $file.plan before
	expect 1 'error[E00' fmt $file.plan
	cmp -s before $file.plan
	status=$?
	judge 0 'error[E00' "fmt leaves $file.plan as it was"
done
for kind in csv json; do
	: >empty.$kind
	cp binary.plan binary.$kind
	cp utf16.plan utf16.$kind
	for file in empty binary utf16; do
		printf 'edition 1\nschema row { x: int }\nimport "%s" as x: table[row]\n' $file.$kind >importing.plan
		expect 1 "$file.$kind:1:" check importing.plan
	done
done

# ---- artefacts that cannot be written ---------------------------------------------------------

cp "$golden/emit/simumax.plan" "$golden/emit/script.plan" "$golden/emit/small.plan" .

# unchanged FOLDER TEXT WHAT: the folder is as `keep` saw it.
keep()
{
	(cd "$1" && find . | sort && find . -type f -exec cksum {} +) >"$tmp/kept"
}
unchanged()
{
	(cd "$1" && find . | sort && find . -type f -exec cksum {} +) | cmp -s - "$tmp/kept"
	status=$?
	judge 0 "$2" "$3 leaves everything as it was"
}

# limited WHAT COMMAND...: no byte may be written to a file, which is how a full disk or a quota looks.
limited()
{
	{ (ulimit -f 0 && exec "$planc" "$@" 2>&1) || echo "exit $?"; } | cat >"$tmp/said"
	status=$(sed -n 's/^exit //p' "$tmp/said")
	status=${status:-0}
}

mkdir "$tmp/out/folder"
limited emit simumax.plan -o "$tmp/out/folder"
judge 1 'no space is left' 'emit on a full disk'
find "$tmp/out/folder" -type f >"$tmp/said"
status=0
judge 0 '' 'emit on a full disk leaves no file'
"$planc" emit simumax.plan -o "$tmp/out/folder" >/dev/null
"$planc" emit script.plan -o "$tmp/out/folder" >/dev/null
sed 's/tp = 2, pp = 2/tp = 2, pp = 4/' small.plan >other.plan
mv other.plan small.plan
keep "$tmp/out/folder"
limited emit simumax.plan -o "$tmp/out/folder"
judge 1 'no space is left' 'emit over older files on a full disk'
unchanged "$tmp/out/folder" 'no space is left' 'emit over older files on a full disk'
printf 'edition 1\nlet   a=1\n' >crooked.plan
cp crooked.plan before
for command in "fmt crooked.plan" "set crooked.plan a=2"; do
	# shellcheck disable=SC2086 # the words of a command
	limited $command
	judge 4 'no space is left' "$command on a full disk"
	cmp -s crooked.plan before
	status=$?
	judge 0 'no space is left' "$command leaves the plan as it was"
done
if mkdir "$tmp/disk" && mount -t tmpfs -o size=32k none "$tmp/disk" 2>/dev/null; then
	mounted=yes
	"$planc" emit script.plan -o "$tmp/disk" >/dev/null
	head -c 100000 /dev/zero >"$tmp/disk/fill" 2>/dev/null
	keep "$tmp/disk"
	expect 1 'no space is left' emit simumax.plan -o "$tmp/disk"
	rmdir "$tmp/disk/files"
	unchanged "$tmp/disk" 'no space is left' 'emit on a disk without room'
fi
timeout 20 "$planc" report small.plan >/dev/full 2>"$tmp/said"
status=$?
judge 4 'cannot' 'report >/dev/full'

# Permissions do not hold root back; another user is.
mkdir "$tmp/closed"
chmod 555 "$tmp/closed"
if [ "$(id -u)" -ne 0 ]; then
	expect 1 'permission is denied' emit script.plan -o "$tmp/closed"
elif setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$planc" 2>/dev/null; then
	chmod 755 .
	timeout 20 setpriv --reuid=65534 --regid=65534 --clear-groups "$planc" emit script.plan \
		-o "$tmp/closed" >/dev/null 2>"$tmp/said"
	status=$?
	judge 1 'permission is denied' 'emit into a folder that is closed'
	timeout 20 setpriv --reuid=65534 --regid=65534 --clear-groups "$planc" fmt crooked.plan \
		>/dev/null 2>"$tmp/said"
	status=$?
	judge 4 'permission is denied' 'fmt of a plan in a closed folder'
	cmp -s crooked.plan before
	status=$?
	judge 0 'permission is denied' 'fmt leaves the plan as it was'
fi

# ---- files of somebody else -------------------------------------------------------------------

grep -v train.flags script.plan >alone.plan

# in_the_way MAKE TEXT: an artefact's place is taken by what MAKE makes of "$at".
in_the_way()
{
	rm -rf "$tmp/taken"
	mkdir "$tmp/taken"
	at=$tmp/taken/train.sh
	eval "$1"
	ls -ln "$tmp/taken" >"$tmp/before"
	expect 1 "$2" emit alone.plan -o "$tmp/taken"
	ls -ln "$tmp/taken" | cmp -s - "$tmp/before"
	status=$?
	judge 0 "$2" "what '$1' made is kept"
}
in_the_way 'echo mine >"$at"' 'planc did not write it'
in_the_way ': >"$at"' 'planc did not write it'
in_the_way 'ln -s ../secret.plan "$at"' 'is a symbolic link'
in_the_way 'ln -s nowhere "$at"' 'is a symbolic link'
in_the_way 'mkfifo "$at"' 'not a file'
in_the_way 'mkdir "$at"' 'not a file'
in_the_way 'ln "$tmp/secret.plan" "$at"' 'planc did not write it'

for path in ../escaped.sh /tmp/escaped.sh a/../../escaped.sh '' .. a/ .planc-artefacts; do
	sed "s|\"train.sh\"|\"$path\"|" script.plan >escaping.plan
	expect 1 'error[E2504]' emit escaping.plan -o "$tmp/out"
done
[ ! -e "$tmp/escaped.sh" ] && [ ! -e /tmp/escaped.sh ]
status=$?
judge 0 'error[E2504]' 'nothing escapes from the output folder'

echo "$passed $failed"
[ "$failed" -eq 0 ]
