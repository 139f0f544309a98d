# What artefacts say that they leave out: name of the file up to its version, and the sentence.
/^# Not expressed: / {
	name = FILENAME
	sub(".*/", "", name)
	sub("_[0-9.]*flags$", "", name)
	sub("# Not expressed", name)
	print
}
