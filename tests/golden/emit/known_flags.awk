# Looks up the arguments of bare-argument artefacts, whose names end in _VERSION.flags, in the table that
# is the first file: that their version knows the flag, takes as many values, and of that kind. Prints
# one line an artefact, and everything that its version would refuse.
function number(version,   part) { split(version, part, "."); return part[2] + 0 }
function refuse(what) { print "  " name ": " version " " what; unknown++ }
# The words a choice may be in this version: the last entry RELEASE:words that is not newer.
function words(flag,   n, i, part, entry, found) {
	n = split(choices[flag], part, ";")
	for (i = 1; i <= n; i++) {
		if (split(part[i], entry, ":") < 2) return part[i]
		if (number(entry[1]) <= number(version)) found = entry[2]
	}
	return found
}
function is_choice(value, flag) { return index("," words(flag) ",", "," value ",") > 0 }
# Whether one value is of a kind: "", or what is wrong with it.
function fault(kind, value, flag) {
	if ((kind == "int" || kind == "ints") && value !~ /^-?[0-9]+$/) return "no integer"
	if (kind == "float" && value !~ /^-?[0-9.]+(e-?[0-9]+)?$/) return "no number"
	if ((kind == "choice" || kind == "choices") && !is_choice(value, flag))
		return "not one of " words(flag)
	return ""
}
function check_values(flag,   kind, i, what) {
	kind = kinds[flag]
	if (kind == "switch" && NF != 1) return refuse(flag " takes no value")
	if (kind != "switch" && NF < 2) return refuse(flag " wants a value")
	if (kind !~ /^(switch|ints|floats|strings|choices|string)$/ && NF != 2)
		return refuse(flag " takes one value")
	for (i = 2; i <= NF; i++) {
		what = fault(kind, $i, flag)
		if (what != "") return refuse(flag " " $i ": " what)
	}
	known++
}
FNR == 1 && NR > 1 {
	report()
	known = unknown = 0
	name = FILENAME
	sub(/.*\//, "", name)
	version = name
	sub(/.*_/, "", version)
	sub(/\.flags$/, "", version)
}
FNR == NR { if ($1 ~ /^--/) { since[$1] = $2; until[$1] = $3; kinds[$1] = $4; choices[$1] = $5 } next }
/^--/ {
	if (!($1 in since) || number(since[$1]) > number(version) ||
	    (until[$1] != "-" && number(until[$1]) < number(version)))
		refuse("does not know " $1)
	else
		check_values($1)
}
function report() { if (name != "") print name ": " known " known, " unknown " refused" }
END { report() }
