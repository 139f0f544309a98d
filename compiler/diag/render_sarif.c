/* render_sarif.c - diagnostics as a log of SARIF 2.1.0 (OASIS), which code hosts and editors read: one run, a rule
 * for each code that occurs, a result for each message. */
#include "compiler/diag/render_int.h"

/* ---- places ---------------------------------------------------------------------------------- */

/* Columns count characters, as `columnKind` says: bytes that continue one are left out. */
static uint32_t column_of(const struct source *f, struct position at)
{
	struct str line = source_line(f, at.line);
	uint32_t n = 1;

	for (uint32_t i = 0; i + 1 < at.column && i < line.n; i++)
		n += ((unsigned char)line.p[i] & 0xC0) != 0x80;
	return n;
}

static void put_region(struct out *o, const struct source *f, struct span at)
{
	struct position from = source_position(f, at.lo), to = source_position(f, at.hi);

	out_printf(o, "{\"startLine\":%u,\"startColumn\":%u,\"endLine\":%u,\"endColumn\":%u}", from.line,
		   column_of(f, from), to.line, column_of(f, to));
}

/* A path as a URI reference: what is not unreserved is a percent and two digits. */
static void put_uri(struct out *o, struct str path)
{
	out_text(o, "{\"uri\":\"");
	for (uint32_t i = 0; i < path.n; i++) {
		unsigned char c = (unsigned char)path.p[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			     (c < 0x80 && c > 0x20 && strchr("-._~/:", c) != NULL);

		if (plain)
			out_char(o, (char)c);
		else
			out_printf(o, "%%%02X", (unsigned)c);
	}
	out_text(o, "\"}");
}

static void put_physical(struct out *o, const struct sources *sources, struct span at)
{
	const struct source *f = source_get(sources, at.file);

	out_text(o, "\"physicalLocation\":{\"artifactLocation\":");
	put_uri(o, f->path);
	out_text(o, ",\"region\":");
	put_region(o, f, at);
	out_char(o, '}');
}

static bool has_place(struct span at)
{
	return at.file != UINT32_MAX;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Notes and helps belong to the text: there is no other place that readers show. */
static void put_message(struct out *o, const struct diag *d)
{
	struct out text;

	out_init(&text, d->sink->arena);
	out_str(&text, d->message);
	for (uint32_t i = 0; i < d->notes.n; i++)
		out_printf(&text, "\n%.*s", (int)d->notes.at[i].n, d->notes.at[i].p);
	for (uint32_t i = 0; i < d->helps.n; i++)
		out_printf(&text, "\nhelp: %.*s", (int)d->helps.at[i].n, d->helps.at[i].p);
	out_text(o, "{\"text\":");
	json_put_string(o, out_view(&text));
	out_char(o, '}');
}

static void put_labels(struct out *o, const struct sources *sources, const struct diag *d)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->labels.n; i++) {
		struct span at = source_origin(sources, d->labels.at[i].span);

		if (!has_place(at))
			continue;
		out_text(o, n++ == 0 ? ",\"relatedLocations\":[{" : ",{");
		put_physical(o, sources, at);
		out_text(o, ",\"message\":{\"text\":");
		json_put_string(o, d->labels.at[i].text);
		out_text(o, "}}");
	}
	if (n > 0)
		out_char(o, ']');
}

static void put_fix(struct out *o, const struct sources *sources, const struct diag_fix *fix)
{
	out_text(o, "{\"description\":{\"text\":");
	json_put_string(o, fix->title);
	out_text(o, "},\"artifactChanges\":[");
	for (uint32_t i = 0; i < fix->edits.n; i++) {
		struct span at = source_origin(sources, fix->edits.at[i].span);
		const struct source *f = source_get(sources, at.file);

		out_text(o, i == 0 ? "{\"artifactLocation\":" : ",{\"artifactLocation\":");
		put_uri(o, f->path);
		out_text(o, ",\"replacements\":[{\"deletedRegion\":");
		put_region(o, f, at);
		out_text(o, ",\"insertedContent\":{\"text\":");
		json_put_string(o, fix->edits.at[i].text);
		out_text(o, "}}]}");
	}
	out_text(o, "]}");
}

static void put_fixes(struct out *o, const struct sources *sources, const struct diag *d)
{
	for (uint32_t i = 0; i < d->fixes.n; i++) {
		out_text(o, i == 0 ? ",\"fixes\":[" : ",");
		put_fix(o, sources, &d->fixes.at[i]);
	}
	if (d->fixes.n > 0)
		out_char(o, ']');
}

static const char *level(enum diag_severity severity)
{
	return severity == DIAG_ERROR ? "error" : "warning";
}

static void put_result(struct out *o, const struct sources *sources, const struct picked *p, uint32_t rule)
{
	const struct diag *d = p->diag;

	out_printf(o, "{\"ruleId\":\"%s\",\"ruleIndex\":%u,\"level\":\"%s\",\"message\":",
		   diag_info(d->code)->name, rule, level(d->severity));
	put_message(o, d);
	if (has_place(p->span)) {
		out_text(o, ",\"locations\":[{");
		put_physical(o, sources, p->span);
		out_text(o, "}]");
	}
	put_labels(o, sources, d);
	put_fixes(o, sources, d);
	out_char(o, '}');
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void put_rule(struct out *o, enum diag_code code)
{
	const struct diag_info *info = diag_info(code);

	out_printf(o, "{\"id\":\"%s\",\"name\":\"%s\",\"shortDescription\":{\"text\":", info->name, info->slug);
	json_put_string(o, str_of(info->title));
	out_printf(o, "},\"defaultConfiguration\":{\"level\":\"%s\"}}", level(info->severity));
}

/* Every code that occurs gets its number, in the order of the results. */
static void put_rules(struct out *o, const struct picks *picks, uint32_t *numbers)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < picks->items.n; i++) {
		const struct diag *d = picks->items.at[i].diag;

		if (d == NULL || numbers[d->code] != 0)
			continue;
		if (n > 0)
			out_char(o, ',');
		put_rule(o, d->code);
		numbers[d->code] = ++n;
	}
}

void render_sarif(const struct diag_sink *sink, const struct picks *picks, struct out *o)
{
	uint32_t *numbers = ARENA_ARRAY(sink->arena, uint32_t, DIAG_CODE_COUNT);
	uint32_t n = 0;

	out_text(o, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":"
		    "[{\"tool\":{\"driver\":{\"name\":\"planc\",\"rules\":[");
	put_rules(o, picks, numbers);
	out_text(o, "]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[");
	for (uint32_t i = 0; i < picks->items.n; i++) {
		const struct picked *p = &picks->items.at[i];

		if (p->diag == NULL)
			continue;
		out_text(o, n++ == 0 ? "\n" : ",\n");
		put_result(o, sink->sources, p, numbers[p->diag->code] - 1);
	}
	out_text(o, n > 0 ? "\n]}]}\n" : "]}]}\n");
}
