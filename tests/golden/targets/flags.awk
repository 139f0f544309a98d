# Arguments of a launcher, one a line, as sorted lines "--flag value value": numbers as numbers, so that
# 1e-1 is 0.1. What stands in front of the script and the script's path are left out.
function plain(word) { return word ~ /^-?[0-9.]+(e-?[0-9]+)?$/ ? sprintf("%.10g", word) : word }
function close_line() { if (line != "") print line | "sort"; line = "" }
/\.py$/ && !started { started = 1; line = ""; next }
/^--/ { close_line(); line = $0; next }
{ line = line " " plain($0) }
END { close_line(); close("sort") }
