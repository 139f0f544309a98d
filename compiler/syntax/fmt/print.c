/* print.c - the printer of the formatter: text, blanks, comments and line breaks, and pieces
 * that are tried on one line and taken back when they do not fit. */
#include "compiler/syntax/fmt/fmt_int.h"

/* ---- text ------------------------------------------------------------------------------------ */

void fmt_fail(struct printer *p)
{
	if (p->flat)
		p->failed = true;
}

static uint32_t width_of(struct str s)
{
	for (uint32_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] >= 0x80)
			return text_width(s);
	return s.n;
}

static void append(struct printer *p, struct str s)
{
	if (p->failed)
		return;
	if (p->fresh)
		out_repeat(&p->out, ' ', p->line_indent);
	else if (p->space)
		out_char(&p->out, ' ');
	p->column += (p->fresh ? p->line_indent : p->space) + width_of(s);
	p->fresh = p->space = false;
	out_str(&p->out, s);
	if (p->flat && p->column > p->limit)
		p->failed = true;
}

void fmt_text(struct printer *p, const char *z)
{
	append(p, str_of(z));
}

void fmt_space(struct printer *p)
{
	p->space = true;
}

void fmt_newline(struct printer *p, uint32_t indent, bool blank)
{
	if (p->failed)
		return;
	invariant(!p->flat, "a flat piece stays on its line");
	if (!p->fresh || (blank && p->out.n > 0)) {
		if (!p->fresh)
			out_char(&p->out, '\n');
		if (blank && p->out.n > 0)
			out_char(&p->out, '\n');
		p->lines++;
	}
	p->fresh = true;
	p->space = p->commented = false;
	p->column = 0;
	p->line_indent = indent;
}

/* ---- stops ----------------------------------------------------------------------------------- */

static void add_stop(struct printer *p, uint64_t key)
{
	if (!p->failed)
		*VEC_ADD(p->arena, &p->stops) = (struct fmt_stop){ (uint32_t)p->out.n, key };
}

uint32_t fmt_stop(struct printer *p, enum fmt_key key)
{
	uint32_t at = p->stops.n;

	if (!p->flat)
		add_stop(p, key == FMT_KEY_NONE ? 0 : (uint64_t)p->block << 8 | (uint64_t)key);
	return at;
}

void fmt_cell(struct printer *p, uint32_t i, struct sym name)
{
	uint64_t hash = ((uint64_t)p->block * 257 + i) * 1000003 + name.id;

	add_stop(p, hash << 8 | FMT_KEY_CELL);
}

void fmt_stop_end(struct printer *p, uint32_t stop, uint32_t lines_before)
{
	if (!p->flat && p->lines != lines_before && stop < p->stops.n)
		p->stops.at[stop].key = FMT_KEY_NONE;
}

/* ---- tokens and their comments --------------------------------------------------------------- */

static struct fmt_token *token(struct printer *p, uint32_t i)
{
	if (i >= p->tokens.all.n) {
		p->lost = true;
		i = p->tokens.all.n - 1;
	}
	return &p->tokens.all.at[i];
}

bool fmt_has_comments(const struct printer *p, uint32_t i)
{
	return i < p->tokens.all.n && i >= p->flushed &&
	       p->tokens.all.at[i].comment_hi > p->tokens.all.at[i].comment_lo;
}

bool fmt_broken(struct printer *p, uint32_t i)
{
	bool broken = token(p, p->next + i)->newline;

	if (broken)
		fmt_fail(p);
	return broken;
}

uint32_t fmt_token_at(struct printer *p, uint32_t lo)
{
	uint32_t a = 0, b = p->tokens.all.n - 1;

	while (a < b) {
		uint32_t mid = a + (b - a) / 2;
		if (p->tokens.all.at[mid].lo < lo)
			a = mid + 1;
		else
			b = mid;
	}
	if (p->tokens.all.at[a].lo != lo)
		p->lost = true;
	return a;
}

/* Writes the comments before token i. Those behind a token stay on its line. */
static void flush(struct printer *p, uint32_t i, uint32_t indent, bool first)
{
	struct fmt_token t = *token(p, i);

	if (i < p->flushed)
		return;
	for (uint32_t c = t.comment_lo; c < t.comment_hi; c++) {
		struct fmt_comment comment = p->tokens.comments.at[c];

		if (comment.trailing && !p->fresh && !p->commented) {
			p->space = false;
			add_stop(p, FMT_KEY_COMMENT);
			fmt_text(p, " ");
			p->space = true;
		} else {
			fmt_newline(p, indent, comment.blank && !first);
		}
		append(p, str_slice(p->text, comment.lo, comment.hi));
		p->commented = true;
		first = false;
	}
	p->flushed = i + 1;
}

void fmt_take(struct printer *p)
{
	struct fmt_token t = *token(p, p->next);

	if (p->failed)
		return;
	if (fmt_has_comments(p, p->next)) {
		fmt_fail(p);
		if (p->failed)
			return;
		flush(p, p->next, p->home + 2 * FMT_INDENT, true);
		fmt_newline(p, p->home + 2 * FMT_INDENT, false);
	}
	if (t.quantity) {
		struct str unit = t.quantity->quantity.unit;

		append(p, t.quantity->quantity.number);
		p->space = !str_is(unit, "%");
		append(p, unit);
	} else {
		append(p, str_slice(p->text, t.lo, t.hi));
	}
	p->next++;
	if (p->next >= p->tokens.all.n)
		p->lost = true;
}

void fmt_lead(struct printer *p, uint32_t indent, bool first)
{
	struct fmt_token t = *token(p, p->next);
	uint32_t comments = t.comment_hi - t.comment_lo;
	bool own_line = comments > 0 && !p->tokens.comments.at[t.comment_hi - 1].trailing;

	if (fmt_has_comments(p, p->next))
		flush(p, p->next, indent, first);
	fmt_newline(p, indent, t.blank && (own_line || !first));
}

void fmt_lead_closer(struct printer *p, uint32_t inner, uint32_t outer)
{
	if (fmt_has_comments(p, p->next))
		flush(p, p->next, inner, false);
	fmt_newline(p, outer, false);
}

void fmt_break(struct printer *p, uint32_t indent, uint32_t tokens)
{
	for (uint32_t i = 0; i < tokens; i++)
		if (fmt_has_comments(p, p->next + i))
			flush(p, p->next + i, indent, true);
	fmt_newline(p, indent, false);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* What was written lies behind the old end; buffers that grew meanwhile are kept. */
void fmt_restore(struct printer *p, const struct printer *before)
{
	struct printer old = *before;

	old.out.p = p->out.p;
	old.out.cap = p->out.cap;
	old.stops.at = p->stops.at;
	old.stops.cap = p->stops.cap;
	old.lost = p->lost;
	*p = old;
}

bool fmt_flat(struct printer *p, fmt_piece *piece, const struct ast *node, uint32_t tail)
{
	struct printer before = *p;

	if (p->flat) {
		piece(p, node);
		return true;
	}
	p->flat = true;
	p->limit = tail < FMT_WIDTH ? FMT_WIDTH - tail : 0;
	piece(p, node);
	p->flat = false;
	if (!p->failed)
		return true;
	fmt_restore(p, &before);
	return false;
}

bool fmt_forced(struct printer *p, fmt_piece *piece, const struct ast *node)
{
	struct printer before = *p;
	bool forced;

	p->flat = true;
	p->limit = UINT32_MAX;
	piece(p, node);
	forced = p->failed;
	fmt_restore(p, &before);
	return forced;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* A comment that documents the file is told from others by the empty line behind it. */
static bool ends_in_file_doc(const struct printer *p, const struct ast *tree)
{
	const struct fmt_token *end = &p->tokens.all.at[p->tokens.all.n - 1];
	const struct ast_list *items = &tree->file.items;

	return end->blank && end->comment_hi > end->comment_lo && tree->doc.n > 0 &&
	       (items->n == 0 || (items->n == 1 && items->at[0]->kind == AST_EDITION));
}

bool fmt_plan(struct arena *a, struct str text, const struct ast *tree, struct out *o)
{
	struct printer p = { .arena = a, .text = text, .fresh = true };

	if (tree->kind != AST_FILE || !fmt_lex(a, text, tree, &p.tokens))
		return false;
	out_init(&p.out, a);
	fmt_items(&p, &tree->file.items);
	fmt_lead_closer(&p, 0, 0);
	if (ends_in_file_doc(&p, tree))
		out_char(&p.out, '\n');
	if (p.lost || p.next + 1 != p.tokens.all.n)
		return false;
	fmt_align(a, out_view(&p.out), p.stops.at, p.stops.n, o);
	return true;
}
