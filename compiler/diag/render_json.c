/* render_json.c - diagnostics for programs: one JSON object a line. The fields are an interface:
 * they are only ever added to. */
#include "compiler/base/utf8.h"
#include "compiler/diag/render_int.h"

void json_put_string(struct out *o, struct str s)
{
	uint32_t n;

	out_char(o, '"');
	for (uint32_t i = 0; i < s.n; i += n) {
		uint32_t code = 0;

		n = utf8_decode(str_slice(s, i, s.n), &code);
		if (n == 0)
			out_text(o, "\\ufffd");
		else if (code == '"' || code == '\\')
			out_printf(o, "\\%c", (char)code);
		else if (code == '\n')
			out_text(o, "\\n");
		else if (code < 0x20 || code == 0x7F)
			out_printf(o, "\\u%04x", (unsigned)code);
		else
			out_bytes(o, s.p + i, n);
		n = n == 0 ? 1 : n;
	}
	out_char(o, '"');
}

static void put_key(struct out *o, const char *key)
{
	out_printf(o, ",\"%s\":", key);
}

static void put_span(struct out *o, const struct sources *sources, struct span at)
{
	const struct source *f;
	struct position from, to;

	if (at.file == UINT32_MAX) {
		out_text(o, "null");
		return;
	}
	f = source_get(sources, at.file);
	from = source_position(f, at.lo);
	to = source_position(f, at.hi);
	out_printf(o, "{\"lo\":%u,\"hi\":%u,\"line\":%u,\"column\":%u,\"end_line\":%u,"
		      "\"end_column\":%u}", at.lo, at.hi, from.line, from.column, to.line, to.column);
}

static void put_file(struct out *o, const struct sources *sources, struct span at)
{
	if (at.file == UINT32_MAX)
		out_text(o, "null");
	else
		json_put_string(o, source_get(sources, at.file)->path);
}

/* "file":...,"span":... of a place in the text the user wrote. */
static void put_place(struct out *o, const struct sources *sources, struct span at)
{
	at = source_origin(sources, at);
	out_text(o, "\"file\":");
	put_file(o, sources, at);
	put_key(o, "span");
	put_span(o, sources, at);
}

static void put_labels(struct out *o, const struct sources *sources, const struct diag *d)
{
	out_char(o, '[');
	for (uint32_t i = 0; i < d->labels.n; i++) {
		out_text(o, i == 0 ? "{" : ",{");
		put_place(o, sources, d->labels.at[i].span);
		put_key(o, "text");
		json_put_string(o, d->labels.at[i].text);
		out_char(o, '}');
	}
	out_char(o, ']');
}

/* A value is a number in its base unit where it is one, otherwise the text that was displayed. */
static void put_values(struct out *o, const struct sources *sources, const struct diag *d)
{
	out_char(o, '[');
	for (uint32_t i = 0; i < d->values.n; i++) {
		const struct diag_value *v = &d->values.at[i];
		out_text(o, i == 0 ? "{\"expr\":" : ",{\"expr\":");
		json_put_string(o, source_slice(sources, v->span));
		put_key(o, "value");
		if (v->has_number)
			out_real(o, v->number);
		else
			json_put_string(o, v->text);
		put_key(o, "text");
		json_put_string(o, v->text);
		put_key(o, "unit");
		json_put_string(o, v->unit);
		out_char(o, ',');
		put_place(o, sources, v->span);
		out_char(o, '}');
	}
	out_char(o, ']');
}

static void put_strings(struct out *o, const struct str *at, uint32_t n)
{
	out_char(o, '[');
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			out_char(o, ',');
		json_put_string(o, at[i]);
	}
	out_char(o, ']');
}

static void put_fixes(struct out *o, const struct sources *sources, const struct diag *d)
{
	out_char(o, '[');
	for (uint32_t i = 0; i < d->fixes.n; i++) {
		const struct diag_fix *fix = &d->fixes.at[i];
		out_text(o, i == 0 ? "{\"title\":" : ",{\"title\":");
		json_put_string(o, fix->title);
		put_key(o, "edits");
		out_char(o, '[');
		for (uint32_t j = 0; j < fix->edits.n; j++) {
			out_text(o, j == 0 ? "{" : ",{");
			put_place(o, sources, fix->edits.at[j].span);
			put_key(o, "text");
			json_put_string(o, fix->edits.at[j].text);
			out_char(o, '}');
		}
		out_text(o, "]}");
	}
	out_char(o, ']');
}

/* The condition whose values are listed. */
static void put_context(struct out *o, const struct sources *sources, const struct diag *d)
{
	if (d->drawn.file == UINT32_MAX) {
		out_text(o, "null");
		return;
	}
	out_char(o, '{');
	put_place(o, sources, d->drawn);
	put_key(o, "text");
	json_put_string(o, source_slice(sources, d->drawn));
	out_char(o, '}');
}

void render_json(const struct diag_sink *sink, const struct picks *picks, struct out *o)
{
	for (uint32_t i = 0; i < picks->items.n; i++) {
		const struct diag *d = picks->items.at[i].diag;

		if (d == NULL)
			continue;
		out_printf(o, "{\"code\":\"%s\",\"severity\":\"%s\",\"message\":",
			   diag_info(d->code)->name, d->severity == DIAG_ERROR ? "error" : "warning");
		json_put_string(o, d->message);
		out_char(o, ',');
		put_place(o, sink->sources, d->span);
		put_key(o, "labels");
		put_labels(o, sink->sources, d);
		put_key(o, "values");
		put_values(o, sink->sources, d);
		put_key(o, "notes");
		put_strings(o, d->notes.at, d->notes.n);
		put_key(o, "helps");
		put_strings(o, d->helps.at, d->helps.n);
		put_key(o, "fixes");
		put_fixes(o, sink->sources, d);
		put_key(o, "context");
		put_context(o, sink->sources, d);
		out_text(o, "}\n");
	}
}
