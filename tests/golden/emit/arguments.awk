# Compares two lists of arguments, one a line, as sets: `-` stands before what only the first has, `+`
# before what only the second has. Quotes, comments and how a number is written do not count.
/^--/ {
	gsub(/['\\]/, "")
	sub(/ +$/, "")
	for (i = 2; i <= NF; i++)
		if ($i ~ /^[0-9.]+(e-?[0-9]+)?$/) $i = sprintf("%.9g", $i + 0)
	line = $0
	if (FNR == NR) first[line] = order[++n] = line
	else if (line in first) delete first[line]
	else print "+ " line
}
END { for (i = 1; i <= n; i++) if (order[i] in first) print "- " order[i] }
