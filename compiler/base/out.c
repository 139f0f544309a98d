/* out.c - text that grows in an arena. Numbers for people and programs are in out_number.c. */
#include "compiler/base/out.h"

#include <stdarg.h>

#include "compiler/base/arena_int.h"
#include "compiler/base/utf8.h"

enum { OUT_CAP_MIN = 128 };

/* An empty text; memory is taken with the first write. */
void out_init(struct out *o, struct arena *a)
{
	*o = (struct out){ .arena = a };
}

/* Room for n more bytes and a NUL behind them. */
static void reserve(struct out *o, size_t n)
{
	size_t cap = o->cap ? o->cap : OUT_CAP_MIN;
	char *p;

	if (n < o->cap && o->n < o->cap - n)
		return;
	/* a struct str holds at most UINT32_MAX bytes; SIZE_MAX takes the arena's escape */
	if (n >= UINT32_MAX - o->n)
		cap = SIZE_MAX;
	else
		while (cap - o->n <= n)
			cap *= 2;
	p = arena_alloc(o->arena, cap);
	if (o->n)
		memcpy(p, o->p, o->n);
	if (o->cap)
		arena_forget(o->p, o->cap);
	o->p = p;
	o->cap = cap;
}

void out_bytes(struct out *o, const char *p, size_t n)
{
	if (n == 0)
		return;
	reserve(o, n);
	memcpy(o->p + o->n, p, n);
	o->n += n;
	o->p[o->n] = '\0';
}

void out_char(struct out *o, char c)
{
	out_bytes(o, &c, 1);
}

void out_repeat(struct out *o, char c, uint32_t n)
{
	reserve(o, n);
	memset(o->p + o->n, c, n);
	o->n += n;
	o->p[o->n] = '\0';
}

void out_str(struct out *o, struct str s)
{
	out_bytes(o, s.p, s.n);
}

void out_text(struct out *o, const char *z)
{
	out_bytes(o, z, strlen(z));
}

void out_printf(struct out *o, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	invariant(n >= 0, "a format that printf understands");
	reserve(o, (size_t)n);
	va_start(args, fmt);
	vsnprintf(o->p + o->n, (size_t)n + 1, fmt, args);
	va_end(args);
	o->n += (size_t)n;
}

/* The view ends with a NUL that is not counted. */
struct str out_view(const struct out *o)
{
	return (struct str){ o->n ? o->p : "", (uint32_t)o->n };
}

/* A byte that is not UTF-8 counts as one column, as terminals draw a replacement for it. */
uint32_t text_width(struct str s)
{
	uint32_t at = 0, width = 0;

	while (at < s.n) {
		uint32_t code;
		uint32_t n = utf8_decode(str_slice(s, at, s.n), &code);

		width += n ? utf8_width(code) : 1;
		at += n ? n : 1;
	}
	return width;
}

void out_markup(struct out *o, struct str text)
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
		else if (c == '\'')
			out_text(o, "&#39;");
		else if (c == '\n')
			out_text(o, "&#10;");
		else
			out_char(o, (c < 0x20 && c != '\t') || c == 0x7f ? '?' : (char)c);
	}
}
