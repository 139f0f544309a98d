/* document.c - JSON documents out of key() lines.
 *
 * A list of key() lines is an object, any other list an array; none is null. A target with one
 * document writes it to the path itself, one with several makes the path a folder with
 * FIELD.json for each.
 */
#include "runtime/emit/emit_int.h"
#include "runtime/io/json_write.h"

struct document {
	struct emission *e;
	struct json_writer w;
	const struct arg *key; /* the key that is being written, for messages */
};

static bool write_value(struct document *d, const char *key, struct value v, const struct type *t);

static bool write_object(struct document *d, const char *key, const struct list *args)
{
	bool fine = true;

	json_begin_object(&d->w, key);
	for (uint32_t i = 0; i < args->n; i++) {
		const struct arg *arg = args->at[i].kind == VALUE_ARG ? args->at[i].arg : NULL;

		if (!arg) {
			fine = false;
			continue;
		}
		if (!arg->on)
			continue;
		d->key = arg;
		fine = write_value(d, str_copy(d->e->arena, arg->name).p, arg->value, arg->type) &&
		       fine;
	}
	json_end(&d->w);
	return fine;
}

static bool is_object(struct value v, const struct type *t)
{
	if (v.list->n > 0)
		return v.list->at[0].kind == VALUE_ARG;
	return t && t->kind == TYPE_LIST && t->of->kind == TYPE_ARG;
}

static bool write_list(struct document *d, const char *key, struct value v, const struct type *t)
{
	bool fine = true;

	if (is_object(v, t))
		return write_object(d, key, v.list);
	json_begin_array(&d->w, key);
	for (uint32_t i = 0; i < v.list->n; i++)
		fine = write_value(d, NULL, v.list->at[i],
				   t && t->kind == TYPE_LIST ? t->of : NULL) &&
		       fine;
	json_end(&d->w);
	return fine;
}

static bool write_value(struct document *d, const char *key, struct value v, const struct type *t)
{
	struct out o;

	if (t && t->kind == TYPE_OPTION)
		t = t->of;
	switch (v.kind) {
	case VALUE_NONE:
		json_null(&d->w, key);
		return true;
	case VALUE_BOOL:
		json_bool(&d->w, key, v.truth);
		return true;
	case VALUE_NUMBER:
	case VALUE_REAL:
		if (t && t->kind == TYPE_NUMBER && !dim_is_one(t->dim)) {
			emit_refuse_arg(
				d->e, d->key,
				"is a quantity: divide it by a unit to say in which it counts");
			return false;
		}
		if (v.kind == VALUE_REAL)
			json_real(&d->w, key, v.real);
		else if (t && t->percent)
			json_decimal(&d->w, key, v.number);
		else
			json_num(&d->w, key, v.number);
		return true;
	case VALUE_STRING:
		json_str(&d->w, key, v.text);
		return true;
	case VALUE_ENUM:
		out_init(&o, d->e->arena);
		if (t)
			value_print(&o, d->e->program, v, t);
		json_str(&d->w, key, out_view(&o));
		return true;
	case VALUE_LAYOUT:
		json_str(&d->w, key, v.layout->text);
		return true;
	case VALUE_LIST:
		return write_list(d, key, v, t);
	case VALUE_POISON:
		return false;
	case VALUE_RECORD:
	case VALUE_TABLE:
	case VALUE_ARG:
		break;
	}
	emit_refuse_arg(d->e, d->key, "has a value that JSON cannot take: a record or a table");
	return false;
}

static struct str document_path(struct emission *e, const struct part *part)
{
	struct out o;

	if (e->parts.n == 1)
		return e->to;
	out_init(&o, e->arena);
	out_str(&o, e->to);
	if (e->to.n > 0 && !str_ends(e->to, "/"))
		out_char(&o, '/');
	out_str(&o, part->name);
	out_text(&o, ".json");
	return out_view(&o);
}

bool emit_documents(struct emission *e, struct artefact_files *files)
{
	bool fine = true;

	for (uint32_t i = 0; i < e->parts.n; i++) {
		struct document d = { .e = e };
		struct out o;

		json_writer_init(&d.w, e->arena);
		fine = write_object(&d, NULL, e->parts.at[i].args) && fine;
		out_init(&o, e->arena);
		json_print(&d.w, &o, true);
		out_char(&o, '\n');
		*VEC_ADD(e->arena, &files->at) =
			(struct artefact_file){ document_path(e, &e->parts.at[i]), out_view(&o),
						false, false };
	}
	return fine;
}
