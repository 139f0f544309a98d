/* place.c - how messages name things: source text, places, records, slots, values. */
#include "runtime/eval/eval_int.h"

enum { TEXT_SHOWN_MAX = 60 };

bool span_is_known(const struct eval *ev, struct span at)
{
	return ev->program->sources && at.file < ev->program->sources->files.n;
}

bool span_is_library(const struct eval *ev, struct span at)
{
	return span_is_known(ev, at) && source_get(ev->program->sources, at.file)->library;
}

/* One line: breaks and indentation become one blank, comments go, long text is cut. */
static void flatten(struct out *o, struct str s)
{
	bool blank = false;
	for (uint32_t i = 0; i < s.n; i++) {
		if (s.p[i] == '#') {
			while (i + 1 < s.n && s.p[i + 1] != '\n')
				i++;
			blank = true;
			continue;
		}
		if (strchr(" \t\n", s.p[i])) {
			blank = true;
			continue;
		}
		if (blank && o->n > 0)
			out_char(o, ' ');
		blank = false;
		out_char(o, s.p[i]);
	}
}

/* Cuts at max bytes, never inside a character. */
static struct str cut(struct arena *a, struct str s, uint32_t max)
{
	if (s.n <= max)
		return str_copy(a, s);
	uint32_t n = max - 3;
	while (n > 0 && ((unsigned char)s.p[n] & 0xC0) == 0x80)
		n--;
	struct out o;
	out_init(&o, a);
	out_bytes(&o, s.p, n);
	out_text(&o, "...");
	return str_copy(a, out_view(&o));
}

struct str span_text(struct eval *ev, struct span at)
{
	struct out o;
	out_init(&o, ev->arena);
	if (span_is_known(ev, at))
		flatten(&o, source_slice(ev->program->sources, at));
	return cut(ev->arena, out_view(&o), TEXT_SHOWN_MAX);
}

struct str node_text(struct eval *ev, ir_id node)
{
	return span_text(ev, node_at(ev, node)->span);
}

/* Library text is found by the name that stands beside the place; its lines move with every release. */
struct str span_place(struct eval *ev, struct span at)
{
	struct out o;
	out_init(&o, ev->arena);
	if (span_is_known(ev, at)) {
		const struct source *f = source_get(ev->program->sources, at.file);
		out_str(&o, f->path);
		if (!f->library)
			out_printf(&o, ":%u", source_position(f, at.lo).line);
	}
	return str_copy(ev->arena, out_view(&o));
}

struct str record_name(const struct eval *ev, const struct record *r)
{
	if (r->global == IR_NONE)
		return (struct str){ "", 0 };
	return sym_str(ev->program->names, ev->program->globals.at[r->global].name);
}

struct str record_title(const struct eval *ev, const struct record *r)
{
	struct str name = record_name(ev, r);
	return name.n > 0 ? name
			  : sym_str(ev->program->names, ev->program->schemas.at[r->schema].name);
}

struct str slot_path(struct eval *ev, const struct record *r, uint32_t slot)
{
	struct str owner = record_title(ev, r);
	struct str field =
		sym_str(ev->program->names, ev->program->schemas.at[r->schema].fields[slot].name);
	struct out o;
	out_init(&o, ev->arena);
	out_printf(&o, "%.*s.%.*s", (int)owner.n, owner.p, (int)field.n, field.p);
	return str_copy(ev->arena, out_view(&o));
}

struct span record_place(const struct eval *ev, const struct record *r)
{
	if (r->global != IR_NONE) {
		struct span at = ev->program->globals.at[r->global].span;
		if (span_is_known(ev, at) && !span_is_library(ev, at))
			return at;
	}
	for (const struct link_layer *l = r->layers; l; l = l->older) {
		struct span at = ev->program->layers.at[l->layer].span;
		if (span_is_known(ev, at) && !span_is_library(ev, at))
			return at;
	}
	return SPAN_NONE;
}

struct str value_text(struct eval *ev, struct value v, const struct type *t)
{
	struct out o;
	out_init(&o, ev->arena);
	value_print(&o, ev->program, v, t);
	return cut(ev->arena, out_view(&o), TEXT_SHOWN_MAX);
}
