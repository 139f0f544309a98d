/* pages.c - the explanation of a code, from the pages that the build embeds. */
#include "compiler/base/embed.h"
#include "compiler/diag/diag.h"

struct str diag_page(enum diag_code code)
{
	const char *name = diag_info(code)->name;
	size_t n = strlen(name);

	for (const struct embedded_file *f = diag_page_files; n > 0 && f->name != NULL; f++)
		if (strncmp(f->name, name, n) == 0 && strcmp(f->name + n, ".md") == 0)
			return (struct str){ (const char *)f->bytes, f->size };
	return (struct str){ "", 0 };
}
