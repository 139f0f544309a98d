/* print_type.c - types as the language writes them. */
#include "compiler/ir/ir.h"

static void print_number(struct out *o, const struct type *t)
{
	static const char *const words[] = { [EXACT_INT] = "int",
					     [EXACT_RATIONAL] = "rational",
					     [EXACT_REAL] = "real" };

	if (!dim_is_one(t->dim))
		dim_print(o, t->dim);
	else
		out_text(o, t->percent ? "ratio" : words[t->exactness]);
}

static void print_tuple(struct out *o, const struct ir_program *p, const struct type *t)
{
	out_char(o, '(');
	for (uint32_t i = 0; i < t->count; i++) {
		out_text(o, i > 0 ? ", " : "");
		type_print(o, p, t->items[i]);
	}
	out_char(o, ')');
}

static void print_of(struct out *o, const struct ir_program *p, const char *word, const struct type *t)
{
	out_text(o, word);
	if (t->kind == TYPE_MAP) {
		type_print(o, p, t->of->items[0]);
		out_text(o, ", ");
	}
	type_print(o, p, t->kind == TYPE_MAP ? t->of->items[1] : t->of);
	out_char(o, ']');
}

void type_print(struct out *o, const struct ir_program *p, const struct type *t)
{
	switch (t->kind) {
	case TYPE_POISON:
		out_text(o, "unknown");
		break;
	case TYPE_ANY:
		out_text(o, "any");
		break;
	case TYPE_NONE:
		out_text(o, "none");
		break;
	case TYPE_BOOL:
		out_text(o, "bool");
		break;
	case TYPE_STRING:
		out_text(o, "string");
		break;
	case TYPE_LAYOUT:
		out_text(o, "layout");
		break;
	case TYPE_ARG:
		out_text(o, "arg");
		break;
	case TYPE_NUMBER:
		print_number(o, t);
		break;
	case TYPE_ENUM:
		out_str(o, sym_str(p->names, p->enums.at[t->index].name));
		break;
	case TYPE_RECORD:
		out_str(o, sym_str(p->names, p->schemas.at[t->index].name));
		break;
	case TYPE_LIST:
		print_of(o, p, "list[", t);
		break;
	case TYPE_TABLE:
		print_of(o, p, "table[", t);
		break;
	case TYPE_MAP:
		print_of(o, p, "map[", t);
		break;
	case TYPE_TUPLE:
		print_tuple(o, p, t);
		break;
	case TYPE_OPTION:
		type_print(o, p, t->of);
		out_char(o, '?');
		break;
	}
}
