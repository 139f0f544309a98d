/* yaml_write.c - the only door to libyaml, which lays out and escapes the text.
 *
 * libyaml takes memory of its own and knows no comments. So every member of the root is written as
 * a document of its own into a buffer taken before, with nothing of the arena's in between (its
 * escape would lose what libyaml holds), and the texts are put behind each other with the notes
 * between them.
 */
#include <yaml.h>

#include "runtime/io/doc.h"

/* A block or a line of it needs no more: an escaped byte has 4, an indent 2 for each level. */
static size_t bound_of(const struct doc *d, size_t depth)
{
	size_t n = 16 + 2 * depth + 4 * (size_t)d->name.n + 4 * (size_t)d->text.n;

	for (const struct doc *m = d->first; m; m = m->next)
		n += bound_of(m, depth + 1);
	return n;
}

static bool is_one_of(struct str s, const char *const *words)
{
	for (; *words; words++) {
		uint32_t i = 0;

		/* In any case: YAML 1.1 takes true, True and TRUE, and readers differ on others. */
		while (i < s.n && (*words)[i] && ((s.p[i] | 0x20) == (*words)[i]))
			i++;
		if (i == s.n && !(*words)[i])
			return true;
	}
	return false;
}

/* Whether a reader of YAML 1.1 or 1.2 could take the plain word for something else than a text. */
static bool is_ambiguous(struct str s)
{
	static const char *const words[] = { "null", "true", "false", "yes", "no",
					     "on",   "off",  "y",     "n",   NULL };

	if (s.n == 0 || is_one_of(s, words))
		return true;
	if ((s.p[0] >= '0' && s.p[0] <= '9') || strchr("+-.=<~", s.p[0]) != NULL)
		return true;
	for (uint32_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20)
			return true;
	return false;
}

static bool emit_event(yaml_emitter_t *y, yaml_event_t *event, int made)
{
	return made && yaml_emitter_emit(y, event);
}

static bool emit_plain(yaml_emitter_t *y, const char *p, uint32_t n)
{
	yaml_event_t event;

	return emit_event(y, &event,
			  yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)p,
						       (int)n, 1, 1, YAML_PLAIN_SCALAR_STYLE));
}

static bool emit_text(yaml_emitter_t *y, struct str s)
{
	yaml_event_t event;
	bool quoted = is_ambiguous(s);

	return emit_event(y, &event,
			  yaml_scalar_event_initialize(&event, NULL, NULL,
						       (const yaml_char_t *)(s.p ? s.p : ""),
						       (int)s.n, !quoted, 1,
						       quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE
							      : YAML_ANY_SCALAR_STYLE));
}

static bool emit_value(yaml_emitter_t *y, const struct doc *d);

static bool is_flat(const struct doc *d)
{
	for (const struct doc *m = d->first; m; m = m->next)
		if (m->kind == DOC_LIST || m->kind == DOC_TABLE)
			return false;
	return true;
}

static bool emit_list(yaml_emitter_t *y, const struct doc *d)
{
	yaml_event_t event;
	yaml_sequence_style_t style =
		is_flat(d) ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE;

	if (!emit_event(y, &event,
			yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, style)))
		return false;
	for (const struct doc *m = d->first; m; m = m->next)
		if (!emit_value(y, m))
			return false;
	return emit_event(y, &event, yaml_sequence_end_event_initialize(&event));
}

static bool emit_member(yaml_emitter_t *y, const struct doc *m)
{
	return emit_text(y, m->name) && emit_value(y, m);
}

static bool emit_table(yaml_emitter_t *y, const struct doc *d)
{
	yaml_event_t event;

	if (!emit_event(y, &event,
			yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
							    YAML_BLOCK_MAPPING_STYLE)))
		return false;
	for (const struct doc *m = d->first; m; m = m->next)
		if (!emit_member(y, m))
			return false;
	return emit_event(y, &event, yaml_mapping_end_event_initialize(&event));
}

static bool emit_value(yaml_emitter_t *y, const struct doc *d)
{
	switch (d->kind) {
	case DOC_NULL:
		return emit_plain(y, "null", 4);
	case DOC_BOOL:
		return emit_plain(y, d->truth ? "true" : "false", d->truth ? 4 : 5);
	case DOC_NUMBER:
		return emit_plain(y, d->text.p, d->text.n);
	case DOC_TEXT:
		return emit_text(y, d->text);
	case DOC_LIST:
		return emit_list(y, d);
	case DOC_TABLE:
		return emit_table(y, d);
	}
	return false;
}

/* One member as a document that holds nothing else. */
static bool emit_document(yaml_emitter_t *y, const struct doc *member)
{
	yaml_event_t event;

	return emit_event(y, &event,
			  yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING)) &&
	       emit_event(y, &event,
			  yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1)) &&
	       emit_event(y, &event,
			  yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
							      YAML_BLOCK_MAPPING_STYLE)) &&
	       emit_member(y, member) &&
	       emit_event(y, &event, yaml_mapping_end_event_initialize(&event)) &&
	       emit_event(y, &event, yaml_document_end_event_initialize(&event, 1)) &&
	       emit_event(y, &event, yaml_stream_end_event_initialize(&event)) &&
	       yaml_emitter_flush(y);
}

/* A copy whose numbers have their points, made while the arena may still be used. */
static struct doc *settled(const struct doc *d, struct arena *a)
{
	struct doc *copy = doc_make(a, d->kind), *last = NULL;

	*copy = *d;
	copy->first = copy->last = copy->next = NULL;
	for (const struct doc *m = d->first; m; m = m->next) {
		struct doc *next = settled(m, a);

		if (last)
			last->next = next;
		else
			copy->first = next;
		last = copy->last = next;
	}
	if (d->kind == DOC_NUMBER) {
		struct out o;

		out_init(&o, a);
		doc_digits(d, &o);
		copy->text = out_view(&o);
	}
	return copy;
}

static void write_member(const struct doc *given, struct out *o)
{
	const struct doc *member = settled(given, o->arena);
	yaml_emitter_t y;
	size_t size, written = 0;
	char *text;
	bool fine;

	size = bound_of(member, 1) + 64;
	text = arena_alloc(o->arena, size);
	fine = yaml_emitter_initialize(&y);
	if (fine) {
		yaml_emitter_set_output_string(&y, (unsigned char *)text, size, &written);
		yaml_emitter_set_width(&y, -1);
		yaml_emitter_set_unicode(&y, 1);
		fine = emit_document(&y, member);
		yaml_emitter_delete(&y);
	}
	if (!fine)
		arena_alloc(o->arena, SIZE_MAX); /* never returns: takes the escape */
	out_bytes(o, text, written);
}

void doc_yaml(const struct doc *d, struct out *o)
{
	for (const struct doc *m = d->first; m; m = m->next) {
		if (m->note.n > 0) {
			out_char(o, '\n');
			doc_note(o, STR(""), m->note);
		}
		write_member(m, o);
	}
	if (!d->first)
		out_text(o, "{}\n");
}
