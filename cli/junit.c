/* junit.c - writes JUnit XML. No times and no host: the same plans give the same file. */
#include "cli/junit.h"

/* Text of an attribute or an element. Characters that XML 1.0 cannot hold become `?`. */
static void escaped(struct out *o, struct str text)
{
	for (uint32_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c == '&')
			out_text(o, "&amp;");
		else if (c == '<')
			out_text(o, "&lt;");
		else if (c == '>')
			out_text(o, "&gt;");
		else if (c == '"')
			out_text(o, "&quot;");
		else if (c == '\n')
			out_text(o, "&#10;");
		else
			out_char(o, c < 0x20 && c != '\t' ? '?' : (char)c);
	}
}

void junit_suite(struct out *o, struct str plan)
{
	out_text(o, "  <testsuite name=\"");
	escaped(o, plan);
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
	escaped(o, title);
	out_text(o, "\" classname=\"");
	escaped(o, plan);
	if (failure.n == 0) {
		out_text(o, "\"/>\n");
		return;
	}
	out_text(o, "\">\n      <failure message=\"");
	escaped(o, headline(failure));
	out_text(o, "\">");
	escaped(o, failure);
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
