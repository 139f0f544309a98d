/* document.c - documents out of key() lines, before they have a format.
 *
 * A list of key() lines is a table, any other list a list; none is null. A document is made of
 * parts: their lines stand behind each other in one table, the first of each with the part's doc
 * comment above it.
 */
#include "runtime/emit/emit_int.h"

static bool set_value(struct emission *e, const struct arg *arg, struct doc *d, struct value v,
		      const struct type *t);

static bool refuse_flag(struct emission *e, const struct arg *arg)
{
	emit_refuse_arg(e, arg, "is a flag of a command line, a document is made of key() lines");
	return false;
}

static bool add_lines(struct emission *e, struct doc *table, const struct list *args)
{
	bool fine = true;

	for (uint32_t i = 0; i < args->n; i++) {
		const struct arg *arg = args->at[i].kind == VALUE_ARG ? args->at[i].arg : NULL;

		if (!arg)
			fine = false;
		else if (str_starts(arg->name, "-"))
			return refuse_flag(e, arg);
		else if (arg->on)
			fine = set_value(e, arg, doc_add(e->arena, table, arg->name, DOC_NULL),
					 arg->value, arg->type) &&
			       fine;
	}
	return fine;
}

static bool is_table(struct value v, const struct type *t)
{
	if (v.list->n > 0)
		return v.list->at[0].kind == VALUE_ARG;
	return t && t->kind == TYPE_LIST && t->of->kind == TYPE_ARG;
}

static bool set_list(struct emission *e, const struct arg *arg, struct doc *d, struct value v,
		     const struct type *t)
{
	bool fine = true;

	if (is_table(v, t)) {
		d->kind = DOC_TABLE;
		return add_lines(e, d, v.list);
	}
	d->kind = DOC_LIST;
	for (uint32_t i = 0; i < v.list->n; i++)
		fine = set_value(e, arg, doc_add(e->arena, d, STR(""), DOC_NULL), v.list->at[i],
				 t && t->kind == TYPE_LIST ? t->of : NULL) &&
		       fine;
	return fine;
}

static bool set_number(struct emission *e, const struct arg *arg, struct doc *d, struct value v,
		       const struct type *t)
{
	struct out o;

	if (t && t->kind == TYPE_NUMBER && !dim_is_one(t->dim)) {
		emit_refuse_arg(e, arg,
				"is a quantity: divide it by a unit to say in which it counts");
		return false;
	}
	out_init(&o, e->arena);
	emit_number(&o, v);
	d->kind = DOC_NUMBER;
	d->text = out_view(&o);
	d->fraction = t && t->kind == TYPE_NUMBER && t->exactness != EXACT_INT;
	/* A ratio has a point in JSON as well, for readers that tell floats by it. */
	if (t && t->percent && v.kind == VALUE_NUMBER) {
		struct out pointed;

		out_init(&pointed, e->arena);
		doc_digits(d, &pointed);
		d->text = out_view(&pointed);
	}
	return true;
}

static void set_text(struct doc *d, struct str text)
{
	d->kind = DOC_TEXT;
	d->text = text;
}

static bool set_value(struct emission *e, const struct arg *arg, struct doc *d, struct value v,
		      const struct type *t)
{
	struct out o;

	if (t && t->kind == TYPE_OPTION)
		t = t->of;
	switch (v.kind) {
	case VALUE_NONE:
		return true;
	case VALUE_BOOL:
		d->kind = DOC_BOOL;
		d->truth = v.truth;
		return true;
	case VALUE_NUMBER:
	case VALUE_REAL:
		return set_number(e, arg, d, v, t);
	case VALUE_STRING:
		set_text(d, v.text);
		return true;
	case VALUE_ENUM:
		out_init(&o, e->arena);
		if (t)
			value_print(&o, e->program, v, t);
		set_text(d, out_view(&o));
		return true;
	case VALUE_LAYOUT:
		set_text(d, v.layout->text);
		return true;
	case VALUE_LIST:
		return set_list(e, arg, d, v, t);
	case VALUE_POISON:
		return false;
	case VALUE_RECORD:
	case VALUE_TABLE:
	case VALUE_ARG:
		break;
	}
	emit_refuse_arg(e, arg, "has a value that a document cannot take: a record or a table");
	return false;
}

bool emit_arg_doc(struct emission *e, const struct arg *arg, struct doc *d)
{
	*d = (struct doc){ .kind = DOC_NULL, .name = arg->name };
	return set_value(e, arg, d, arg->value, arg->type);
}

/* A name may stand once at the top of a document, whichever part it comes from. */
static bool names_differ(struct emission *e, const struct doc *root)
{
	for (const struct doc *d = root->first; d; d = d->next)
		if (doc_find(root, d->name) != d) {
			diag_report(e->sink, E2005, e->emit->span,
				    "target `%.*s` writes `%.*s` twice into one document",
				    (int)e->target_name.n, e->target_name.p, (int)d->name.n,
				    d->name.p);
			return false;
		}
	return true;
}

struct doc *emit_document(struct emission *e)
{
	struct doc *root = doc_make(e->arena, DOC_TABLE);

	for (uint32_t i = 0; i < e->parts.n; i++) {
		struct doc *before = root->last, *first;

		if (!add_lines(e, root, e->parts.at[i].args))
			return NULL;
		first = before ? before->next : root->first;
		if (first)
			first->note = e->parts.at[i].doc;
	}
	return extra_apply(e, root) && names_differ(e, root) && options_check_document(e, root) ? root : NULL;
}
