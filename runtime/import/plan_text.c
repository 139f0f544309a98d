/* plan_text.c - plan source with its origin table. */
#include "runtime/import/plan_text.h"

#include <stdarg.h>

static uint32_t add_origin(struct plan_text *w, struct span from)
{
	*VEC_ADD(w->arena, &w->text->origins) =
		(struct origin){ (uint32_t)w->text->text.n, 0, from };
	return w->text->origins.n - 1;
}

PLAN_PRINTF(2, 0)
static void write_formatted(struct plan_text *w, const char *fmt, va_list args)
{
	va_list again;
	int n;
	char *p;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	invariant(n >= 0, "a format of ours can be printed");
	p = arena_alloc(w->arena, (size_t)n + 1);
	(void)vsnprintf(p, (size_t)n + 1, fmt, args);
	out_repeat(&w->text->text, ' ', 2 * w->depth);
	out_bytes(&w->text->text, p, (size_t)n);
}

void plan_text_line(struct plan_text *w, struct span from, const char *fmt, ...)
{
	uint32_t origin = add_origin(w, from);
	va_list args;

	va_start(args, fmt);
	write_formatted(w, fmt, args);
	va_end(args);
	out_char(&w->text->text, '\n');
	w->text->origins.at[origin].hi = (uint32_t)w->text->text.n;
}

void plan_text_open(struct plan_text *w, struct span from, const char *fmt, ...)
{
	va_list args;

	invariant(w->depth < PLAN_TEXT_DEPTH, "blocks of a plan nest as deep as our records do");
	w->open[w->depth] = add_origin(w, from);
	va_start(args, fmt);
	write_formatted(w, fmt, args);
	va_end(args);
	out_char(&w->text->text, '\n');
	w->depth++;
}

void plan_text_close(struct plan_text *w, const char *tail)
{
	invariant(w->depth > 0, "every block that closes was opened");
	w->depth--;
	out_repeat(&w->text->text, ' ', 2 * w->depth);
	out_printf(&w->text->text, "%s\n", tail);
	w->text->origins.at[w->open[w->depth]].hi = (uint32_t)w->text->text.n;
}

void plan_text_close_full(struct plan_text *w, const char *tail)
{
	const struct out *o = &w->text->text;
	uint32_t origin = w->open[w->depth - 1];

	if (w->text->origins.n > origin + 1 || (o->n > 1 && o->p[o->n - 2] != '{')) {
		plan_text_close(w, tail);
		return;
	}
	w->text->text.n = w->text->origins.at[origin].lo;
	w->text->origins.n = origin;
	w->depth--;
}

void plan_text_blank(struct plan_text *w)
{
	out_char(&w->text->text, '\n');
}

/* ---- comments -------------------------------------------------------------------------------- */

enum { COMMENT_WIDTH = 96 };

/* Words of other people's files: control characters end no comment, and no text is hidden by marks
 * that are not ASCII. */
static void write_comment(struct plan_text *w, struct str text)
{
	struct out *o = &w->text->text;

	out_repeat(o, ' ', 2 * w->depth);
	out_text(o, "# ");
	for (uint32_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c >= 0x20 && c < 0x7f)
			out_char(o, (char)c);
		else if (c < 0x80 || c >= 0xc0)
			out_char(o, '?');
	}
	while (o->p[o->n - 1] == ' ')
		o->n--;
	out_char(o, '\n');
}

void plan_text_comment(struct plan_text *w, const char *fmt, ...)
{
	struct out line;
	va_list args, again;
	int n;
	char *p;

	va_start(args, fmt);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	invariant(n >= 0, "a format of ours can be printed");
	p = arena_alloc(w->arena, (size_t)n + 1);
	(void)vsnprintf(p, (size_t)n + 1, fmt, args);
	va_end(args);
	out_init(&line, w->arena);
	out_bytes(&line, p, (size_t)n);
	write_comment(w, out_view(&line));
}

void plan_words_init(struct plan_words *l, struct plan_text *w, const char *title)
{
	*l = (struct plan_words){ .w = w, .title = title };
	out_init(&l->line, w->arena);
	out_text(&l->line, title);
}

void plan_words_add(struct plan_words *l, struct str word)
{
	if (word.n > 60)
		word.n = 60;
	if (l->count++ > 0)
		out_char(&l->line, ',');
	if (l->line.n + 1 + word.n + 2 * l->w->depth > COMMENT_WIDTH) {
		write_comment(l->w, out_view(&l->line));
		l->line.n = 0;
		out_char(&l->line, ' ');
	}
	out_char(&l->line, ' ');
	out_str(&l->line, word);
}

void plan_words_end(struct plan_words *l)
{
	if (l->count > 0)
		write_comment(l->w, out_view(&l->line));
}

static const char *ended(struct out *o)
{
	out_char(o, '\0');
	return o->p;
}

/* A number that has no finite decimal would print as a fraction; `/` is then the language's own. */
const char *plan_text_number(struct plan_text *w, struct num n)
{
	return plan_text_quantity(w, n, "");
}

const char *plan_text_int(struct plan_text *w, int64_t n)
{
	struct out o;

	out_init(&o, w->arena);
	if (n > -10000 && n < 10000)
		out_printf(&o, "%lld", (long long)n);
	else
		out_grouped(&o, n);
	for (size_t i = 0; i < o.n; i++)
		if (o.p[i] == ',')
			o.p[i] = '_';
	return ended(&o);
}

const char *plan_text_quantity(struct plan_text *w, struct num n, const char *unit)
{
	struct out o;
	const char *slash;

	out_init(&o, w->arena);
	num_print_decimal(&o, n);
	slash = memchr(o.p, '/', o.n);
	if (slash) {
		struct str whole = str_copy(w->arena, out_view(&o));
		uint32_t at = (uint32_t)(slash - o.p);

		o.n = 0;
		out_bytes(&o, whole.p, at);
		out_printf(&o, "%s%s / ", *unit ? " " : "", unit);
		out_bytes(&o, whole.p + at + 1, whole.n - at - 1);
		return ended(&o);
	}
	out_printf(&o, "%s%s", *unit ? " " : "", unit);
	return ended(&o);
}

static bool is_identifier(struct str s)
{
	for (uint32_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
		      (i > 0 && c >= '0' && c <= '9')))
			return false;
	}
	return s.n > 0;
}

const char *plan_text_name(struct plan_text *w, struct str name)
{
	struct out o;

	out_init(&o, w->arena);
	if (is_identifier(name)) {
		out_str(&o, name);
		return ended(&o);
	}
	out_char(&o, '`');
	for (uint32_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];

		if (c >= 0x20 && c < 0x7f && c != '`')
			out_char(&o, (char)c);
		else if (c < 0x80 || c >= 0xc0)
			out_char(&o, '_');
	}
	out_char(&o, '`');
	return ended(&o);
}
