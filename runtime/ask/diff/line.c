/* line.c - a difference as a line of text, or as an object of JSON. */
#include "runtime/ask/diff/diff_int.h"

#include "runtime/ask/value_json.h"

bool diff_is_number(struct value v)
{
	return v.kind == VALUE_NUMBER || v.kind == VALUE_REAL;
}

static struct str text_of(struct diff *d, const struct side *s)
{
	struct out o;

	out_init(&o, d->o->arena);
	value_print(&o, s->ev->program, s->value, s->type);
	return str_copy(d->o->arena, out_view(&o));
}

static void print_change(struct diff *d, struct value a, struct value b)
{
	double x = value_to_double(a), y = value_to_double(b);

	if (x == 0)
		return;
	out_printf(d->o, " (%s", y >= x ? "+" : "");
	out_fixed(d->o, (y - x) / (x < 0 ? -x : x) * 100, 1);
	out_text(d->o, "%)");
}

/* Numbers in base units, and what a person reads; records and tables as text only. */
static void json_side(struct diff *d, const char *key, const char *text_key, const struct side *s)
{
	if (s->value.kind != VALUE_RECORD && s->value.kind != VALUE_TABLE && s->value.kind != VALUE_POISON)
		value_json(s->ev, d->json, key, s->value, s->type);
	else
		json_null(d->json, key);
	json_str(d->json, text_key, text_of(d, s));
}

static void json_entry(struct diff *d, const char *what, struct str path)
{
	json_begin_object(d->json, NULL);
	json_text(d->json, "what", what);
	json_str(d->json, "path", path);
}

void diff_changed(struct diff *d, struct str path, const struct side *a, const struct side *b)
{
	bool numbers = diff_is_number(a->value) && diff_is_number(b->value);

	d->lines++;
	if (d->json) {
		json_entry(d, "changed", path);
		json_side(d, "before", "before_text", a);
		json_side(d, "after", "after_text", b);
		if (numbers && b->type)
			json_str(d->json, "unit", type_base_unit(d->o->arena, b->type));
		json_end(d->json);
		return;
	}
	out_printf(d->o, "%.*s: ", (int)path.n, path.p);
	out_str(d->o, text_of(d, a));
	out_text(d->o, " -> ");
	out_str(d->o, text_of(d, b));
	if (numbers)
		print_change(d, a->value, b->value);
	out_char(d->o, '\n');
}

void diff_reworded(struct diff *d, struct str path, struct str before, struct str after)
{
	struct side a = { d->a, value_string(before), NULL }, b = { d->b, value_string(after), NULL };

	if (!d->json) {
		d->lines++;
		out_printf(d->o, "%.*s: %.*s -> %.*s\n", (int)path.n, path.p, (int)before.n, before.p,
			   (int)after.n, after.p);
		return;
	}
	diff_changed(d, path, &a, &b);
}

void diff_only(struct diff *d, bool added, struct str kind, struct str name)
{
	d->lines++;
	if (!d->json) {
		out_printf(d->o, "%s %.*s %.*s\n", added ? "+" : "-", (int)kind.n, kind.p, (int)name.n,
			   name.p);
		return;
	}
	json_entry(d, added ? "added" : "gone", name);
	json_str(d->json, "kind", kind);
	json_end(d->json);
}

struct str diff_global_kind(struct diff *d, const struct ir_program *p, const struct ir_global *g)
{
	static const char *const words[] = { [GLOBAL_PARAM] = "param",
					     [GLOBAL_LET] = "let",
					     [GLOBAL_INSTANCE] = "",
					     [GLOBAL_TABLE] = "table" };
	struct out o;

	if (g->kind != GLOBAL_INSTANCE)
		return str_of(words[g->kind]);
	out_init(&o, d->o->arena);
	type_print(&o, p, g->type);
	return str_copy(d->o->arena, out_view(&o));
}
