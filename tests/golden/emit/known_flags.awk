# Looks up the flags of bare-argument artefacts, whose names end in _VERSION.flags, in the table that
# is the first file. Prints one line an artefact, and every flag that its version does not know.
function number(version,   part) { split(version, part, "."); return part[2] + 0 }
FNR == 1 && NR > 1 {
	report()
	known = unknown = 0
	name = FILENAME
	sub(/.*\//, "", name)
	version = name
	sub(/.*_/, "", version)
	sub(/\.flags$/, "", version)
}
FNR == NR { if ($1 ~ /^--/) { since[$1] = $2; until[$1] = $3 } next }
/^--/ {
	if (!($1 in since) || number(since[$1]) > number(version) ||
	    (until[$1] != "-" && number(until[$1]) < number(version))) {
		print "  " name ": " version " does not know " $1
		unknown++
	} else
		known++
}
function report() { if (name != "") print name ": " known " known, " unknown " unknown" }
END { report() }
