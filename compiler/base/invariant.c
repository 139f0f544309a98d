/* invariant.c - the end of a run that found a mistake of ours. */
#include "compiler/base/common.h"

enum { EXIT_INTERNAL = 70 };

/* Writes one line to stderr and exits; never returns, never allocates. */
void invariant_failed(const char *file, int line, const char *what)
{
	fflush(stdout);
	fprintf(stderr,
		"planc: internal error at %s:%d: %s\n"
		"planc: this is a mistake in planc, not in your plan; please report it\n",
		file, line, what);
	exit(EXIT_INTERNAL);
}
