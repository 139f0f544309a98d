#!/bin/sh
# Writes the manual page: the hand-written frame with the commands and their options put in, from what
# `planc help` says. Usage: manpage.sh PLANC FRAME
set -eu
planc=$1
frame=$2

# Text as roff takes it: no escapes, hyphens that can be copied, no line that looks like a request.
roff()
{
	sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\\([.']\\)/\\\\\\&\\1/"
}

# One command: usage, details as they are laid out, options as a list.
command_section()
{
	"$planc" help "$1" | roff | awk -v name="$1" -v summary="$2" '
		NR == 1 { print ".SS " name; print toupper(substr(summary, 1, 1)) substr(summary, 2) "."; print ".PP"; print ".nf"; usage = 1 }
		usage && /^$/ { print ".fi"; usage = 0; text = 1; next }
		usage { sub(/^(usage:|      ) /, ""); print; next }
		/^options:/ {
			if (shown) print ".fi"
			text = 0
			options = 1
			next
		}
		text && /^$/ { if (shown) print ".sp"; next }
		text { if (!shown) { print ".PP"; print ".nf"; shown = 1 } print; next }
		options && /^  +\\-/ {
			line = $0; sub(/^ +/, "", line)
			at = match(line, /   +/)
			print ".TP"
			if (at) {
				print ".B \"" substr(line, 1, at - 1) "\""
				print substr(line, at + RLENGTH)
			} else {
				print ".B \"" line "\""
			}
			next
		}
		options && /^ / { sub(/^ +/, ""); print }
		END { if (usage || (text && shown)) print ".fi" }'
}

commands()
{
	"$planc" help | awk '
		/^commands:/ { on = 1; next }
		on && /^$/ { exit }
		on && $1 != "help" { name = $1; sub(/^ *[a-z-]+ +/, ""); print name "\t" $0 }' |
	while IFS='	' read -r name summary; do
		command_section "$name" "$(echo "$summary" | roff)" </dev/null
	done
}

version=$("$planc" --version | awk '{ sub(/,$/, "", $2); print $2 }')
while IFS= read -r line; do
	case $line in
	@COMMANDS@) commands ;;
	*@VERSION@*) echo "$line" | sed "s/@VERSION@/$version/" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$frame"
