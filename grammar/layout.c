/* layout.c - where tokens stand: open brackets, lines and their indentation, comments and blank
 * lines. */
#include "grammar/parser.h"

char lexical_inside(const struct parser *ps)
{
	return ps->depth > 0 ? ps->nest[ps->depth - 1].kind : '{';
}

uint32_t lexical_level(const struct parser *ps)
{
	return ps->depth > 0 ? ps->nest[ps->depth - 1].level : 0;
}

static int opening_token(char kind)
{
	return kind == '(' ? T_LPAREN : kind == '[' ? T_LBRACKET : kind == '{' ? T_LBRACE : T_STRING;
}

int lexical_open(struct parser *ps, const struct token *t, char kind)
{
	uint32_t at = t->at.hi - 1;

	if (ps->depth == ps->nest_max) {
		struct diag *d = parser_report(ps, E0103, parser_span(ps, at, at + 1));
		diag_message(d, "brackets are nested more than %u deep here", ps->nest_max);
		diag_help(d, "give parts of it names of their own with `let`");
		if (ps->nest_max < SOURCE_DEPTH_MAX)
			diag_help(d, "`--limit depth=NUMBER` raises the limit, to %d at most",
				  SOURCE_DEPTH_MAX);
		diag_submit(d);
		ps->stopped = true;
		ps->depth = 0;
		return T_END;
	}
	ps->nest[ps->depth] = (struct nest_entry){
		.kind = kind,
		.declarations = kind == '{' && ps->last == T_STRING && ps->before_last == T_FAILURE,
		.at = at,
		.level = kind == '{' ? ps->depth + 1 : lexical_level(ps),
		.indent = ps->fresh ? at - ps->line_start : ps->indent,
		.string = ps->string,
	};
	ps->depth++;
	return opening_token(kind);
}

static void add_trivia(struct parser *ps, struct trivia item)
{
	*VEC_ADD(ps->arena, &ps->trivia) = item;
}

static void doc_add(struct parser *ps, struct span at, struct str text)
{
	bool continues = ps->doc.n > 0 && !ps->doc_used && ps->doc_next == ps->line_start;

	if (!continues) {
		ps->doc.n = 0;
		ps->doc_used = false;
	}
	if (text.n > 0 && text.p[0] == ' ')
		text = str_slice(text, 1, text.n);
	*VEC_ADD(ps->arena, &ps->doc) = text;
	ps->doc_next = at.hi + 1;
}

void lexical_comment(struct parser *ps, struct span at)
{
	struct str text = parser_slice(ps, at);
	bool is_doc = text.n >= 2 && text.p[1] == '#' && (text.n == 2 || strchr(" \t\r", text.p[2]));

	hidden_check(ps, at, true);
	if (is_doc && ps->fresh) {
		struct str line = str_slice(text, 2, text.n);
		while (line.n > 0 && strchr(" \t\r", line.p[line.n - 1]) != NULL)
			line.n--;
		doc_add(ps, at, line);
	}
	while (text.n > 0 && text.p[text.n - 1] == '\r') {
		text.n--;
		at.hi--;
	}
	add_trivia(ps, (struct trivia){ at, is_doc && ps->fresh ? TRIVIA_DOC : TRIVIA_COMMENT });
}

static struct str doc_join(struct parser *ps)
{
	struct out o;

	out_init(&o, ps->arena);
	for (uint32_t i = 0; i < ps->doc.n; i++) {
		if (i > 0)
			out_char(&o, '\n');
		out_str(&o, ps->doc.at[i]);
	}
	return out_view(&o);
}

/* The match is a line break and the blank lines that follow it. */
void lexical_line_break(struct parser *ps, struct span at)
{
	uint32_t next = at.lo + 1;
	bool blank = at.hi > next || at.lo == 0;

	if (blank)
		add_trivia(ps, (struct trivia){ parser_span(ps, at.lo == 0 ? 0 : next, at.hi),
						TRIVIA_BLANK });
	/* A doc comment on its own, before anything else, belongs to the file. */
	if (blank && ps->doc.n > 0 && !ps->doc_used && ps->doc_next == next) {
		if (!ps->statement_seen && ps->file_doc.n == 0)
			ps->file_doc = doc_join(ps);
		ps->doc_used = true;
	}
	ps->line_start = at.hi;
	ps->fresh = true;
}

void lexical_place(struct parser *ps, struct token *t)
{
	t->first = ps->fresh;
	t->column = t->at.lo - ps->line_start;
	if (ps->fresh)
		ps->indent = t->column;
	ps->fresh = false;
	if (t->first && ps->doc.n > 0 && !ps->doc_used && ps->doc_next == ps->line_start) {
		t->doc = doc_join(ps);
		ps->doc_used = true;
	}
	if (t->kind != T_EDITION && t->kind != T_NUMBER && t->kind != T_END)
		ps->statement_seen = true;
}
