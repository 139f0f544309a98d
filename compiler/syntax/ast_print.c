/* ast_print.c - the tree as text, one node a line, for `planc debug ast`:
 *
 *	let 2:1-2:10 name=x
 *	  value: number 2:9-2:10 text="8"
 */
#include "compiler/syntax/ast.h"

struct printer {
	struct out *o;
	const struct sources *sources;
	const struct interner *names;
	uint32_t depth;
};

static void print_node(struct printer *p, const char *field, const struct ast *node);

static void print_quoted(struct out *o, struct str s)
{
	out_char(o, '"');
	for (uint32_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		if (c == '"' || c == '\\')
			out_printf(o, "\\%c", c);
		else if (c == '\n')
			out_text(o, "\\n");
		else if (c < 0x20 || c == 0x7F)
			out_printf(o, "\\x%02X", (unsigned)c);
		else
			out_char(o, s.p[i]);
	}
	out_char(o, '"');
}

static void print_name(struct printer *p, const char *field, struct ast_name name)
{
	struct str text;

	if (name.sym.id == 0)
		return;
	text = sym_str(p->names, name.sym);
	out_printf(p->o, " %s=%.*s", field, (int)text.n, text.p);
}

static void print_text(struct printer *p, const char *field, struct str text)
{
	out_printf(p->o, " %s=", field);
	print_quoted(p->o, text);
}

static void print_flag(struct printer *p, const char *field, bool flag)
{
	if (flag)
		out_printf(p->o, " %s", field);
}

static void print_list(struct printer *p, const char *field, const struct ast_list *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		print_node(p, field, list->at[i]);
}

/* What stands on the line of the node itself. */
#define NAME(f) print_name(p, #f, parts->f);
#define TEXT(f) print_text(p, #f, parts->f);
#define TOKEN(f) out_printf(p->o, " %s=%s", #f, ast_op_text(parts->f));
#define FLAG(f) print_flag(p, #f, parts->f);
#define CHILD(f)
#define OPT(f)
#define LIST(f)

static void print_attributes(struct printer *p, const struct ast *node)
{
	switch (node->kind) {
#define AST(KIND, name, fields) \
	case AST_##KIND: { \
		const struct ast_##name *parts = &node->name; \
		(void)parts; \
		fields \
		break; \
	}
#include "compiler/syntax/ast.def"
#undef AST
	case AST_KIND_COUNT:
		break;
	}
}

#undef NAME
#undef TEXT
#undef TOKEN
#undef FLAG
#undef CHILD
#undef OPT
#undef LIST
#define NAME(f)
#define TEXT(f)
#define TOKEN(f)
#define FLAG(f)
#define CHILD(f) print_node(p, #f, parts->f);
#define OPT(f) print_node(p, #f, parts->f);
#define LIST(f) print_list(p, #f, &parts->f);

static void print_children(struct printer *p, const struct ast *node)
{
	switch (node->kind) {
#define AST(KIND, name, fields) \
	case AST_##KIND: { \
		const struct ast_##name *parts = &node->name; \
		(void)parts; \
		fields \
		break; \
	}
#include "compiler/syntax/ast.def"
#undef AST
	case AST_KIND_COUNT:
		break;
	}
}

static void print_node(struct printer *p, const char *field, const struct ast *node)
{
	const struct source *f;
	struct position from, to;

	if (node == NULL)
		return;
	f = source_get(p->sources, node->span.file);
	from = source_position(f, node->span.lo);
	to = source_position(f, node->span.hi);
	out_repeat(p->o, ' ', 2 * p->depth);
	if (field != NULL)
		out_printf(p->o, "%s: ", field);
	out_printf(p->o, "%s %u:%u-%u:%u", ast_kind_name(node->kind), from.line, from.column,
		   to.line, to.column);
	print_attributes(p, node);
	if (node->doc.n > 0)
		print_text(p, "doc", node->doc);
	out_char(p->o, '\n');
	p->depth++;
	print_children(p, node);
	p->depth--;
}

void ast_print(struct out *o, const struct sources *sources, const struct interner *names,
	       const struct ast *node)
{
	struct printer p = { o, sources, names, 0 };

	print_node(&p, NULL, node);
}
