/* forms.c - the forms that a sweep is reported in, by name. */
#include "runtime/report/sweep.h"

const char *const sweep_form_names[SWEEP_FORM_COUNT] = { "text", "json", "jsonl", "csv", "html" };

void report_sweep(struct search *s, enum sweep_form form, struct out *o)
{
	switch (form) {
	case SWEEP_JSON:
		report_sweep_json(s, o);
		return;
	case SWEEP_JSONL:
		report_sweep_jsonl(s, o);
		return;
	case SWEEP_CSV:
		report_sweep_csv(s, o);
		return;
	case SWEEP_HTML:
		report_sweep_html(s, o);
		return;
	case SWEEP_TEXT:
	case SWEEP_FORM_COUNT:
		report_sweep_text(s, o);
	}
}

void report_sweep_needs(enum sweep_form form, struct search_options *options)
{
	options->keep = form == SWEEP_TEXT ? SEARCH_KEEP : form == SWEEP_HTML ? SWEEP_PAGE_SHOWN : 0;
	options->picture = form == SWEEP_HTML;
}

/* "sizes: 60 candidates = ..." */
static bool is_text(struct str head)
{
	static const char word[] = " candidate";
	uint32_t n = sizeof word - 1;

	for (uint32_t i = 0; i + n <= head.n && head.p[i] != '\n'; i++)
		if (memcmp(head.p + i, word, n) == 0)
			return true;
	return false;
}

bool report_sweep_wrote(enum sweep_form form, struct str head)
{
	static const char *const beginnings[SWEEP_FORM_COUNT] = {
		[SWEEP_JSON] = "{\n  \"schema\": \"planc.sweep/",
		[SWEEP_JSONL] = "{\"number\":",
		[SWEEP_CSV] = "number,",
		[SWEEP_HTML] = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" "
			       "content=\"planc sweep\">",
	};
	uint32_t n = beginnings[form] ? (uint32_t)strlen(beginnings[form]) : 0;

	if (form == SWEEP_TEXT)
		return head.n == 0 || is_text(head);
	return head.n == 0 || (n > 0 && head.n >= n && memcmp(head.p, beginnings[form], n) == 0);
}
