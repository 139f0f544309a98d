/* yaml_read.c - libyaml's events as a tree; see yaml_read.h. */
#include "runtime/import/yaml_read.h"

#include <yaml.h>

enum { NODES_MAX = 100000 };

struct reader {
	struct foreign *f;
	const struct source *source;
	uint32_t file, depth_max, nodes;
	yaml_parser_t *parser;
};

/* libyaml counts characters; texts are UTF-8. */
static uint32_t offset_of(const struct reader *r, yaml_mark_t m)
{
	uint32_t i = m.line < r->source->lines.n ? r->source->lines.at[m.line] : r->source->text.n;

	for (size_t k = 0; k < m.column && i < r->source->text.n; k++) {
		i++;
		while (i < r->source->text.n && ((unsigned char)r->source->text.p[i] & 0xc0) == 0x80)
			i++;
	}
	return i;
}

static struct span span_of(const struct reader *r, const yaml_event_t *e)
{
	uint32_t lo = offset_of(r, e->start_mark), hi = offset_of(r, e->end_mark);

	return (struct span){ r->file, lo, hi > lo ? hi : lo + 1 };
}

static bool next(struct reader *r, yaml_event_t *e)
{
	yaml_mark_t at;
	uint32_t lo;

	if (yaml_parser_parse(r->parser, e))
		return true;
	at = r->parser->problem_mark;
	lo = offset_of(r, at);
	foreign_refuse(r->f, (struct span){ r->file, lo, lo + 1 }, "%s",
		       r->parser->problem ? r->parser->problem : "this is no YAML");
	return false;
}

static bool is_one_of(struct str t, const char *const *words)
{
	for (; *words; words++)
		if (str_is(t, *words))
			return true;
	return false;
}

static void resolve(struct reader *r, struct json *v, bool plain)
{
	static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };
	static const char *const trues[] = { "true", "True", "TRUE", "yes", "Yes", "on", "On", NULL };
	static const char *const falses[] = { "false", "False", "FALSE", "no", "No", "off", "Off", NULL };
	bool number = v->text.n > 0 && v->text.n < 100;

	v->kind = JSON_STRING;
	if (!plain)
		return;
	for (uint32_t i = 0; i < v->text.n; i++)
		number = number && strchr("0123456789.+-eE_", v->text.p[i]);
	if (is_one_of(v->text, nulls)) {
		v->kind = JSON_NULL;
	} else if (is_one_of(v->text, trues) || is_one_of(v->text, falses)) {
		v->kind = JSON_BOOL;
		v->truth = is_one_of(v->text, trues);
	} else if (number && v->text.p[0] >= '0' && v->text.p[0] <= '9' &&
		   num_parse(r->f->arena, v->text, &v->number)) {
		v->kind = JSON_NUMBER;
	} else if (number && v->text.n > 1 && v->text.p[0] == '-' &&
		   num_parse(r->f->arena, str_slice(v->text, 1, v->text.n), &v->number)) {
		v->kind = JSON_NUMBER;
		v->number = num_neg(r->f->arena, v->number);
	}
}

static bool read_value(struct reader *r, const yaml_event_t *e, struct json *v, uint32_t depth);

struct members {
	VEC(struct json) items;
	VEC(struct str) keys;
	VEC(struct span) spans;
};

/* One key of a mapping: a scalar that was not there before. */
static bool read_key(struct reader *r, const yaml_event_t *e, struct members *m)
{
	struct str key;

	if (e->type != YAML_SCALAR_EVENT) {
		foreign_refuse(r->f, span_of(r, e), "a key is a plain text");
		return false;
	}
	key = str_copy(r->f->arena, (struct str){ (const char *)e->data.scalar.value,
						  (uint32_t)e->data.scalar.length });
	for (uint32_t i = 0; i < m->keys.n; i++)
		if (str_equal(m->keys.at[i], key)) {
			foreign_refuse(r->f, span_of(r, e), "`%.*s` is given twice", (int)(key.n > 60 ? 60 : key.n),
				       key.p);
			return false;
		}
	*VEC_ADD(r->f->arena, &m->keys) = key;
	*VEC_ADD(r->f->arena, &m->spans) = span_of(r, e);
	return true;
}

static bool read_members(struct reader *r, struct json *v, bool mapping, uint32_t depth)
{
	struct members m = { 0 };
	yaml_event_t e;
	bool fine = true;

	for (;;) {
		struct json item = { 0 };
		bool end;

		if (!next(r, &e))
			return false;
		end = e.type == YAML_MAPPING_END_EVENT || e.type == YAML_SEQUENCE_END_EVENT;
		if (!end && mapping) {
			fine = read_key(r, &e, &m);
			yaml_event_delete(&e);
			if (!fine || !next(r, &e))
				return false;
		}
		if (!end)
			fine = read_value(r, &e, &item, depth + 1);
		yaml_event_delete(&e);
		if (end || !fine)
			break;
		*VEC_ADD(r->f->arena, &m.items) = item;
	}
	v->kind = mapping ? JSON_OBJECT : JSON_ARRAY;
	v->items = m.items.at;
	v->keys = m.keys.at;
	v->key_spans = m.spans.at;
	v->count = m.items.n;
	return fine;
}

static bool read_value(struct reader *r, const yaml_event_t *e, struct json *v, uint32_t depth)
{
	*v = (struct json){ .span = span_of(r, e) };
	if (depth > r->depth_max || ++r->nodes > NODES_MAX) {
		foreign_refuse(r->f, v->span, depth > r->depth_max ? "this nests deeper than planc reads"
								   : "more than 100,000 values");
		return false;
	}
	if (e->type == YAML_SCALAR_EVENT) {
		v->text = str_copy(r->f->arena, (struct str){ (const char *)e->data.scalar.value,
							      (uint32_t)e->data.scalar.length });
		resolve(r, v, e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE);
		return true;
	}
	if (e->type == YAML_MAPPING_START_EVENT || e->type == YAML_SEQUENCE_START_EVENT)
		return read_members(r, v, e->type == YAML_MAPPING_START_EVENT, depth);
	foreign_refuse(r->f, v->span, "aliases are not read: write the value here");
	return false;
}

/* Stream and document begin, then the root. */
static bool read_root(struct reader *r, struct json *root, const char *what)
{
	yaml_event_t e;
	bool fine = true, done = false;

	while (fine && !done) {
		if (!next(r, &e))
			return false;
		done = e.type != YAML_STREAM_START_EVENT && e.type != YAML_DOCUMENT_START_EVENT;
		if (done && e.type != YAML_MAPPING_START_EVENT) {
			foreign_refuse(r->f, span_of(r, &e), "the %s is no mapping of keys to values", what);
			fine = false;
		} else if (done) {
			fine = read_value(r, &e, root, 0);
		}
		yaml_event_delete(&e);
	}
	if (!fine || !next(r, &e))
		return false;
	yaml_event_delete(&e);
	if (!next(r, &e))
		return false;
	done = e.type == YAML_STREAM_END_EVENT;
	if (!done)
		foreign_refuse(r->f, span_of(r, &e), "a second document: the %s has one", what);
	yaml_event_delete(&e);
	return done;
}

const struct json *yaml_load(struct foreign *f, struct sources *s, struct str path, const char *what)
{
	yaml_parser_t parser;
	struct reader r = { .f = f, .depth_max = s->depth_max, .parser = &parser };
	struct json *root = arena_alloc(f->arena, sizeof *root);
	bool fine;

	if (!foreign_load_text(s, f->sink, path, what, &r.file))
		return NULL;
	r.source = source_get(s, r.file);
	if (!yaml_parser_initialize(&parser))
		return NULL;
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)r.source->text.p, r.source->text.n);
	fine = read_root(&r, root, what);
	yaml_parser_delete(&parser);
	return fine ? root : NULL;
}
