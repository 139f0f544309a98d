/* value_text.c - values as words of a command line. */
#include "runtime/emit/emit_int.h"

void emit_refuse_arg(struct emission *e, const struct arg *arg, const char *what)
{
	struct diag *d = diag_new(e->sink, E2005, e->emit->span);

	diag_message(d, "target `%.*s`: `%.*s` %s", (int)e->target_name.n, e->target_name.p,
		     (int)arg->name.n, arg->name.p, what);
	diag_submit(d);
}

void emit_number(struct out *o, struct value v)
{
	struct out exact;

	if (v.kind == VALUE_REAL) {
		out_real(o, v.real);
		return;
	}
	out_init(&exact, o->arena);
	num_print_decimal(&exact, v.number);
	if (memchr(exact.p, '/', exact.n))
		out_real(o, num_to_double(v.number));
	else
		out_str(o, out_view(&exact));
}

/* The type of a value inside `T?`. */
static const struct type *plain_type(const struct type *t)
{
	return t && t->kind == TYPE_OPTION ? t->of : t;
}

static bool add_word(struct emission *e, const struct arg *arg, struct value v,
		     const struct type *t, struct words *words)
{
	struct out o;

	t = plain_type(t);
	out_init(&o, e->arena);
	switch (v.kind) {
	case VALUE_BOOL:
		out_text(&o, v.truth ? "true" : "false");
		break;
	case VALUE_NUMBER:
	case VALUE_REAL:
		if (t && t->kind == TYPE_NUMBER && !dim_is_one(t->dim)) {
			emit_refuse_arg(
				e, arg,
				"is a quantity: divide it by a unit to say in which it counts");
			return false;
		}
		emit_number(&o, v);
		break;
	case VALUE_STRING:
		out_str(&o, v.text);
		break;
	case VALUE_ENUM:
		if (t)
			value_print(&o, e->program, v, t);
		break;
	case VALUE_LAYOUT:
		out_str(&o, v.layout->text);
		break;
	case VALUE_POISON:
		return false;
	case VALUE_NONE:
	case VALUE_RECORD:
	case VALUE_LIST:
	case VALUE_TABLE:
	case VALUE_ARG:
		emit_refuse_arg(
			e, arg,
			"has a value that is no word: a record, a table or a list of lists");
		return false;
	}
	*VEC_ADD(e->arena, &words->at) = out_view(&o);
	return true;
}

bool emit_words(struct emission *e, const struct arg *arg, struct words *words)
{
	const struct type *t = plain_type(arg->type);
	bool fine = true;

	*words = (struct words){ 0 };
	if (arg->value.kind == VALUE_NONE)
		return true;
	if (arg->value.kind != VALUE_LIST)
		return add_word(e, arg, arg->value, t, words);
	for (uint32_t i = 0; i < arg->value.list->n; i++)
		fine = add_word(e, arg, arg->value.list->at[i], t ? t->of : NULL, words) && fine;
	return fine;
}
