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

void plan_text_blank(struct plan_text *w)
{
	out_char(&w->text->text, '\n');
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
