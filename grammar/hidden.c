/* hidden.c - characters in comments and strings that make a text read otherwise than it is shown: ones
 * that reorder what stands on the line, that break it in two for an editor, or that have no shape. */
#include "compiler/base/utf8.h"
#include "grammar/parser.h"

static const struct {
	uint32_t code;
	const char *name;
} names[] = {
	{ 0x00AD, "a soft hyphen" },          { 0x0085, "a line break" },
	{ 0x200B, "a space of no width" },    { 0x200E, "a left-to-right mark" },
	{ 0x200F, "a right-to-left mark" },   { 0x2028, "a line separator" },
	{ 0x2029, "a paragraph separator" },  { 0x202A, "a left-to-right embedding" },
	{ 0x202B, "a right-to-left embedding" }, { 0x202C, "the end of an embedding" },
	{ 0x202D, "a left-to-right override" }, { 0x202E, "a right-to-left override" },
	{ 0x2060, "a word joiner" },          { 0x2066, "a left-to-right isolate" },
	{ 0x2067, "a right-to-left isolate" }, { 0x2068, "a first-strong isolate" },
	{ 0x2069, "the end of an isolate" },  { 0xFEFF, "a byte order mark" },
};

static const char *name_of(uint32_t code)
{
	for (size_t i = 0; i < PLAN_COUNT(names); i++)
		if (names[i].code == code)
			return names[i].name;
	return code < 0xA0 ? "a control character" : "a character without a shape";
}

/* What follows is shown in another order or on another line. */
static bool moves_text(uint32_t code)
{
	return (code < 0x20 && code != '\t' && code != '\r' && code != '\n') ||
	       (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
	       (code >= 0x2066 && code <= 0x2069);
}

/* Nothing is shown. U+200C and U+200D are left out: some scripts and joined emoji are spelt with them. */
static bool has_no_shape(uint32_t code)
{
	return code == 0xAD || code == 0x180E || code == 0x200B || code == 0x200E || code == 0x200F ||
	       (code >= 0x2060 && code <= 0x2064) || code == 0xFEFF ||
	       (code >= 0xE0000 && code <= 0xE007F);
}

void hidden_check(struct parser *ps, struct span at, bool comment)
{
	struct str text = parser_slice(ps, at);
	uint32_t code = 0, n;

	for (uint32_t i = 0; i < text.n; i += n) {
		struct span place;
		struct diag *d;

		n = utf8_decode(str_slice(text, i, text.n), &code);
		n = n == 0 ? 1 : n;
		if (!moves_text(code) && (comment || !has_no_shape(code)))
			continue;
		place = parser_span(ps, at.lo + i, at.lo + i + n);
		d = parser_report(ps, E0006, place);
		diag_message(d, "this %s holds U+%04X, %s", comment ? "comment" : "text", (unsigned)code,
			     name_of(code));
		diag_note(d, moves_text(code) ? "what is shown can differ from what is read"
					      : "it is not shown, but the text is another one with it");
		diag_help(d, "delete it");
		diag_fix(d, place, STR(""), "delete the character");
		diag_submit(d);
		return;
	}
}
