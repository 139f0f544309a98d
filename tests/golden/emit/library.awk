# The models of the library file that is read as jobs, and their emits.
BEGIN {
	print "edition 1"
	print "import \"std:models\" as models"
	print "import \"std:clusters\" { dgx_b200 }"
	print "let newest: framework = { version = \"0.20\" }"
}
/^model / { name[++n] = $2 }
END {
	for (i = 1; i <= n; i++) {
		print "job of_" name[i] " {"
		print "  model = models." name[i] ", cluster = dgx_b200, framework = newest"
		print "  batch { sequence = 1024, global = 64 }, strategy { kernels { fused_rope = false } }"
		print "}"
		print "emit megatron from of_" name[i] " to \"" name[i] "_0.20.flags\" {"
		print "  artefact = \"flags\", lossy = true"
		print "}"
	}
}
