/* parse.c - the entry points: checks the encoding, then hands the text to the grammar. */
#include "compiler/syntax/parse.h"

#include "compiler/base/utf8.h"
#include "compiler/syntax/build.h"
#include "grammar/grammar.h"

static void report_encoding(const struct parse_input *in, struct str text, uint32_t at)
{
	struct diag *d = diag_new(in->sink, E0001, (struct span){ in->file, at, at + 1 });

	diag_message(d, "the byte 0x%02X is not UTF-8 here", (unsigned)(unsigned char)text.p[at]);
	if (text.n >= 2 && (memcmp(text.p, "\xFF\xFE", 2) == 0 || memcmp(text.p, "\xFE\xFF", 2) == 0))
		diag_help(d, "the file looks like UTF-16; save it as UTF-8");
	else
		diag_help(d, "save the file as UTF-8");
	diag_submit(d);
}

static void report_binary(const struct parse_input *in, uint32_t at)
{
	struct diag *d = diag_new(in->sink, E0002, (struct span){ in->file, at, at + 1 });

	diag_message(d, "the character U+0000 is not part of the language");
	diag_help(d, "the file does not look like text");
	diag_submit(d);
}

/* Offset of a carriage return that no line feed follows; text.n when there is none. Editors show a line
 * break there, and a comment would go on behind it. */
static uint32_t find_lone_return(struct str text)
{
	const char *at = text.n > 0 ? memchr(text.p, '\r', text.n) : NULL;

	while (at != NULL) {
		uint32_t i = (uint32_t)(at - text.p), next = i;

		while (next < text.n && text.p[next] == '\r')
			next++;
		if (next < text.n && text.p[next] != '\n')
			return i;
		at = next < text.n ? memchr(text.p + next, '\r', text.n - next) : NULL;
	}
	return text.n;
}

static void report_lone_return(const struct parse_input *in, uint32_t at)
{
	struct diag *d = diag_new(in->sink, E0002, (struct span){ in->file, at, at + 1 });

	diag_message(d, "a carriage return (U+000D) alone does not end a line");
	diag_help(d, "save the file with line ends LF or CR LF");
	diag_submit(d);
}

/* A text in another encoding would bring a message for every line, so it is not read at all;
 * neither is one with NUL bytes or with other line ends. */
static struct parse_result parse(const struct parse_input *in, enum grammar_entry entry)
{
	struct str text = source_get(in->sources, in->file)->text;
	struct span whole = { in->file, 0, text.n };
	struct ast_builder b = { .arena = in->arena, .sink = in->sink };
	struct parse_result result = { 0 };
	uint32_t bad = utf8_check(text);
	uint32_t lone = find_lone_return(text);
	const char *nul = text.n > 0 ? memchr(text.p, '\0', text.n) : NULL;

	if (bad == text.n && nul == NULL && lone == text.n)
		return grammar_parse(in, entry);
	if (bad < text.n)
		report_encoding(in, text, bad);
	else if (nul != NULL)
		report_binary(in, (uint32_t)(nul - text.p));
	else
		report_lone_return(in, lone);
	if (entry == GRAMMAR_FILE)
		result.tree = ast_make_file(&b, whole, (struct ast_file){ 0 });
	else
		result.tree = ast_make_bad(&b, whole, (struct ast_bad){ 0 });
	return result;
}

struct parse_result parse_file(const struct parse_input *in)
{
	return parse(in, GRAMMAR_FILE);
}

struct parse_result parse_expression(const struct parse_input *in)
{
	return parse(in, GRAMMAR_EXPRESSION);
}
