/* render_github.c - diagnostics as workflow commands that GitHub shows beside the changed lines:
 *	::error file=a.plan,line=3,col=7,title=E2004::message
 */
#include "compiler/diag/render_int.h"

/* In the message `%` and line breaks are escaped, in a property also `:` and `,`. */
static void put_escaped(struct out *o, struct str s, bool property)
{
	for (uint32_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
			out_printf(o, "%%%02X", (unsigned)(unsigned char)c);
		else
			out_char(o, c);
	}
}

void render_github(const struct diag_sink *sink, const struct picks *picks, struct out *o)
{
	for (uint32_t i = 0; i < picks->items.n; i++) {
		const struct picked *p = &picks->items.at[i];
		const struct diag *d = p->diag;

		if (d == NULL)
			continue;
		out_printf(o, "::%s ", d->severity == DIAG_ERROR ? "error" : "warning");
		if (p->span.file != UINT32_MAX) {
			const struct source *f = source_get(sink->sources, p->span.file);
			struct position pos = source_position(f, p->span.lo);
			out_text(o, "file=");
			put_escaped(o, f->path, true);
			out_printf(o, ",line=%u,col=%u,", pos.line, pos.column);
		}
		out_printf(o, "title=%s::", diag_info(d->code)->name);
		put_escaped(o, d->message, false);
		for (uint32_t j = 0; j < d->helps.n; j++) {
			out_text(o, "%0Ahelp: ");
			put_escaped(o, d->helps.at[j], false);
		}
		out_char(o, '\n');
	}
}
