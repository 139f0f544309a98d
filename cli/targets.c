/* targets.c - planc targets: what the standard library can emit. */
#include "cli/command.h"

/* The library's files under targets/, by name; the text behind is the first doc line of the schema. */
static struct str first_doc(struct str text)
{
	uint32_t at = 0;

	while (at < text.n) {
		uint32_t end = at;

		while (end < text.n && text.p[end] != '\n')
			end++;
		struct str line = str_slice(text, at, end);
		if (str_starts(line, "## "))
			return str_slice(line, 3, line.n);
		at = end + 1;
	}
	return STR("");
}

int command_targets(struct session *s, const struct options *o)
{
	(void)o;
	for (const struct embedded_file *f = stdlib_files; f->name; f++) {
		struct str name = str_of(f->name);

		if (!str_starts(name, "targets/") || !str_ends(name, ".plan"))
			continue;
		struct str doc = first_doc((struct str){ (const char *)f->bytes, f->size });
		name = str_slice(name, 8, name.n - 5);
		out_printf(&s->out, "%-16.*s  std:targets/%.*s  %.*s\n", (int)name.n, name.p, (int)name.n,
			   name.p, (int)doc.n, doc.p);
	}
	return EXIT_FINE;
}
