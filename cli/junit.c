/* junit.c - writes JUnit XML. No times and no host: the same plans give the same file. */
#include "cli/junit.h"

/* Text of an attribute or an element. Characters that XML 1.0 cannot hold become `?`. */
void junit_suite(struct out *o, struct str plan)
{
	out_text(o, "  <testsuite name=\"");
	out_markup(o, plan);
	out_text(o, "\">\n");
}

/* The first line of the messages: what a list of failures shows. */
static struct str headline(struct str failure)
{
	for (uint32_t i = 0; i < failure.n; i++)
		if (failure.p[i] == '\n')
			failure.n = i;
	return failure;
}

void junit_case(struct out *o, struct str title, struct str plan, struct str failure)
{
	out_text(o, "    <testcase name=\"");
	out_markup(o, title);
	out_text(o, "\" classname=\"");
	out_markup(o, plan);
	if (failure.n == 0) {
		out_text(o, "\"/>\n");
		return;
	}
	out_text(o, "\">\n      <failure message=\"");
	out_markup(o, headline(failure));
	out_text(o, "\">");
	out_markup(o, failure);
	out_text(o, "</failure>\n    </testcase>\n");
}

void junit_suite_end(struct out *o)
{
	out_text(o, "  </testsuite>\n");
}

void junit_document(struct out *o, struct str suites)
{
	out_text(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	out_str(o, suites);
	out_text(o, "</testsuites>\n");
}
