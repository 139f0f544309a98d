/* markdown.c - the report of a job as a section of a Markdown page. */
#include "runtime/report/report.h"

void report_markdown(const struct job *j, struct out *o)
{
	out_printf(o, "# %.*s\n\n```text\n", (int)j->name.n, j->name.p);
	report_text(j, o);
	out_text(o, "```\n");
}
