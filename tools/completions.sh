#!/bin/sh
# Writes the completion of planc for a shell, from what `planc help` says, so that no command or option
# can be missing. Usage: completions.sh PLANC planc.bash|_planc|planc.fish
set -eu
planc=$1
file=$2

# NAME<tab>SUMMARY of every command.
commands()
{
	"$planc" help | awk '
		/^commands:/ { on = 1; next }
		on && /^$/ { exit }
		on { name = $1; sub(/^ *[a-z-]+ +/, ""); print name "\t" $0 }'
}

# LETTER<tab>NAME<tab>VALUES<tab>TEXT of every option of a command; `-` where there is none.
options()
{
	[ "$1" = help ] && return
	"$planc" help "$1" | awk '
		/^options:/ { on = 1; next }
		on && /^  +-/ {
			line = $0; sub(/^ +/, "", line)
			letter = ""; values = ""; text = ""
			if (line ~ /^-[a-zA-Z], /) { letter = substr(line, 2, 1); line = substr(line, 5) }
			match(line, /^--[a-z-]+/); name = substr(line, 3, RLENGTH - 2)
			line = substr(line, RLENGTH + 1)
			while (match(line, /^ [A-Z=_]+/)) {
				values = values (values == "" ? "" : " ") substr(line, 2, RLENGTH - 1)
				line = substr(line, RLENGTH + 1)
			}
			sub(/^ +/, "", line)
			text = line
			if (text == "" && (getline more) > 0) { sub(/^ +/, "", more); text = more }
			print (letter == "" ? "-" : letter) "\t" name "\t" (values == "" ? "-" : values) "\t" text
		}'
}

# Words that may stand behind an option: words COMMAND OPTION.
words()
{
	case $1:$2 in
	*:colour) echo "auto always never" ;;
	*:profile) echo "standard simumax ideal" ;;
	check:format) echo "text json github sarif" ;;
	sweep:format) echo "text json jsonl csv html" ;;
	*:format) echo "text json" ;;
	*:detail) echo "passes parts operators" ;;
	esac
}

# Words that may stand first behind a command, as its help names them.
first_words()
{
	case $1 in
	debug) "$planc" help debug | sed -n 's/^usage: .*\] \([a-z|]*\) .*/\1/p' | tr '|' ' ' ;;
	import) "$planc" help import | awk '/^options:/ { exit } /^  [a-z]+ / { print $1 }' | tr '\n' ' ' ;;
	targets) "$planc" targets | awk '/^[a-z]/ { print $1 }' | tr '\n' ' ' ;;
	esac | sed 's/ $//'
}

bash_completion()
{
	cat <<'END'
# Completion of planc for bash. Written by tools/completions.sh.

_planc()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options= first= others='!*.plan'
END
	printf '\tlocal commands="%s"\n' "$(commands | cut -f 1 | tr '\n' ' ' | sed 's/ $//')"
	cat <<'END'

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "$commands --help --version" -- "$word"))
		return
	fi
	case ${COMP_WORDS[1]}:$before in
END
	for option in colour profile detail; do
		printf '\t*:--%s) COMPREPLY=($(compgen -W "%s" -- "$word")); return ;;\n' $option \
			"$(words any $option)"
	done
	for command in check sweep any; do
		printf '\t%s:--format) COMPREPLY=($(compgen -W "%s" -- "$word")); return ;;\n' \
			"$(echo $command | sed 's/any/*/')" "$(words $command format)"
	done
	printf '\t*:--stdlib | *:--output | *:-o) COMPREPLY=($(compgen -f -- "$word")); return ;;\n'
	printf '\tesac\n\tcase ${COMP_WORDS[1]} in\n'
	for command in $(commands | cut -f 1); do
		list=$(options "$command" | awk -F '\t' '{ printf "%s--%s", (NR > 1 ? " " : ""), $2 }')
		first=$(first_words "$command")
		[ -n "$list" ] && printf '\t%s) options="%s"%s ;;\n' "$command" "$list" \
			"${first:+ first=\"$first\"}"
	done
	cat <<'END'
	help) COMPREPLY=($(compgen -W "$commands" -- "$word")); return ;;
	esac
	[ "$COMP_CWORD" -eq 2 ] || first=
	[ "${COMP_WORDS[1]}" = import ] && others=
	case $word in
	-*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
	*) COMPREPLY=($(compgen -W "$first" -- "$word")) ;;
	esac
	[ "${#COMPREPLY[@]}" -gt 0 ] && return
	case $word in
	-*) ;;
	*) COMPREPLY=($(compgen -f -X "$others" -- "$word") $(compgen -d -S / -- "$word")) ;;
	esac
}

complete -o filenames -o nospace -F _planc planc
END
}

# A text inside of single quotes and, for zsh, of a specification.
quoted()
{
	sed -e "s/'/'\\\\''/g" -e 's/\[/\\[/g; s/\]/\\]/g; s/:/\\:/g'
}

zsh_completion()
{
	cat <<'END'
#compdef planc
# Completion of planc for zsh. Written by tools/completions.sh.

_planc() {
  local -a commands
  commands=(
END
	commands | while IFS='	' read -r name summary; do
		printf "    '%s:%s'\n" "$name" "$(echo "$summary" | quoted)"
	done
	cat <<'END'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
END
	for command in $(commands | cut -f 1); do
		[ "$command" = help ] && continue
		printf '    %s)\n      _arguments \\\n' "$command"
		options "$command" | while IFS='	' read -r letter name values text; do
			specification="--$name[$(echo "$text" | quoted)]"
			for value in $values; do
				[ "$value" = - ] && continue
				case $name in
				colour | profile | format | detail) action="($(words "$command" "$name"))" ;;
				stdlib | output) [ "$value" = FILE ] && action=_files || action=_directories ;;
				simumax) action=_files ;;
				*) action= ;;
				esac
				specification="$specification:$(echo "$value" | quoted):$action"
			done
			printf "        '%s' \\\\\n" "$specification"
		done
		first=$(first_words "$command")
		[ -n "$first" ] && printf "        '1:what:(%s)' \\\\\n" "$first"
		printf "        '*:file:_files'\n      ;;\n"
	done
	cat <<'END'
    help) _describe command commands ;;
  esac
}

_planc "$@"
END
}

fish_completion()
{
	printf '# Completion of planc for fish. Written by tools/completions.sh.\n\n'
	commands | while IFS='	' read -r name summary; do
		printf "complete -c planc -n __fish_use_subcommand -f -a %s -d '%s'\n" "$name" \
			"$(echo "$summary" | sed "s/'/\\\\'/g")"
	done
	for command in $(commands | cut -f 1); do
		options "$command" | while IFS='	' read -r letter name values text; do
			more=
			[ "$letter" != - ] && more="$more -s $letter"
			[ "$values" != - ] && more="$more -r"
			[ -n "$(words "$command" "$name")" ] && more="$more -f -a '$(words "$command" "$name")'"
			printf "complete -c planc -n '__fish_seen_subcommand_from %s' -l %s%s -d '%s'\n" \
				"$command" "$name" "$more" "$(echo "$text" | sed "s/'/\\\\'/g")"
		done
		[ -z "$(first_words "$command")" ] ||
			printf "complete -c planc -n '__fish_seen_subcommand_from %s' -a '%s'\n" "$command" \
				"$(first_words "$command")"
	done
}

case $file in
planc.bash) bash_completion ;;
_planc) zsh_completion ;;
planc.fish) fish_completion ;;
*)
	echo "completions.sh: there is no shell with a file $file" >&2
	exit 1
	;;
esac
