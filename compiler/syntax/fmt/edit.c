/* edit.c - finds where the value of a path stands in the text of a plan, and puts another there. */
#include "compiler/syntax/fmt/edit.h"

#include "compiler/syntax/fmt/fmt_int.h"

enum { PATH_MAX_PARTS = 32 };

struct editor {
	const struct edit_input *in;
	struct fmt_tokens tokens;
	const struct ast *parts[PATH_MAX_PARTS]; /* NAME and MEMBER nodes, the first name first */
	uint32_t n;
	uint32_t lo, hi;             /* what is replaced */
	struct out text;             /* by what */
};

static struct ast_name name_of(const struct ast *part)
{
	return part->kind == AST_MEMBER ? part->member.name : part->ident.name;
}

static struct sym part_name(const struct editor *ed, uint32_t i)
{
	return name_of(ed->parts[i]).sym;
}

static const char *spelling(const struct editor *ed, struct sym name)
{
	return sym_str(ed->in->names, name).p;
}

static bool split_path(struct editor *ed)
{
	const struct ast *e = ed->in->path;

	for (; e->kind == AST_MEMBER && ed->n < PATH_MAX_PARTS; e = e->member.of)
		ed->parts[ed->n++] = e;
	if (e->kind != AST_NAME || ed->n == PATH_MAX_PARTS) {
		diag_report(ed->in->sink, E0101, ed->in->path->span,
			    "a path is names with points between them");
		return false;
	}
	ed->parts[ed->n++] = e;
	for (uint32_t i = 0; i < ed->n / 2; i++) {
		const struct ast *last = ed->parts[ed->n - 1 - i];
		ed->parts[ed->n - 1 - i] = ed->parts[i];
		ed->parts[i] = last;
	}
	return true;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static uint32_t token_at(const struct editor *ed, uint32_t lo)
{
	uint32_t a = 0, b = ed->tokens.all.n - 1;

	while (a < b) {
		uint32_t mid = a + (b - a) / 2;
		if (ed->tokens.all.at[mid].lo < lo)
			a = mid + 1;
		else
			b = mid;
	}
	return a;
}

/* Where a value begins; a list made by `for` begins at its bracket, one token before its node. */
static uint32_t value_lo(const struct editor *ed, const struct ast *value)
{
	uint32_t at = token_at(ed, value->span.lo);

	return ed->tokens.all.at[value->kind == AST_COMPREHENSION && at > 0 ? at - 1 : at].lo;
}

static uint32_t line_start(const struct editor *ed, uint32_t at)
{
	while (at > 0 && ed->in->text.p[at - 1] != '\n')
		at--;
	return at;
}

static uint32_t indent_at(const struct editor *ed, uint32_t at)
{
	uint32_t from = line_start(ed, at), n = 0;

	while (from + n < ed->in->text.n && ed->in->text.p[from + n] == ' ')
		n++;
	return n;
}

/* ---- the new text ---------------------------------------------------------------------------- */

/* The names from part `from` on, as the user spelt them. */
static void put_name(struct editor *ed, uint32_t i)
{
	struct span at = name_of(ed->parts[i]).span;

	out_str(&ed->text, source_slice(ed->in->sink->sources, at));
}

/* `b { c = value }` for the parts from `from` on. */
static void put_setting(struct editor *ed, uint32_t from)
{
	for (uint32_t i = from; i < ed->n; i++) {
		put_name(ed, i);
		out_text(&ed->text, i + 1 < ed->n ? " { " : " = ");
	}
	out_str(&ed->text, ed->in->value);
	for (uint32_t i = from; i + 1 < ed->n; i++)
		out_text(&ed->text, " }");
}

/* Replaces a part of the text by the value. A comment in it would be lost, so it is left to its
 * author. */
static bool replace(struct editor *ed, uint32_t lo, uint32_t hi)
{
	for (uint32_t i = 0; i < ed->tokens.comments.n; i++) {
		struct fmt_comment c = ed->tokens.comments.at[i];

		if (c.lo < lo || c.lo >= hi)
			continue;
		diag_report(ed->in->sink, E0101,
			    (struct span){ ed->in->tree->span.file, c.lo, c.hi },
			    "the value that is replaced has a comment in it; change it by hand");
		return false;
	}
	ed->lo = lo;
	ed->hi = hi;
	return true;
}

static bool replace_value(struct editor *ed, const struct ast *value, uint32_t hi)
{
	out_str(&ed->text, ed->in->value);
	return replace(ed, value_lo(ed, value), hi);
}

/* Adds a setting to the braces that end at `hi`. */
static bool insert(struct editor *ed, const struct ast_list *fields, uint32_t hi, uint32_t from)
{
	uint32_t closer = token_at(ed, hi - 1);
	struct fmt_token end = ed->tokens.all.at[closer], last = ed->tokens.all.at[closer - 1];
	bool empty = fields->n == 0;

	if (end.newline) {
		uint32_t indent = empty ? indent_at(ed, last.lo) + FMT_INDENT
					: indent_at(ed, fields->at[fields->n - 1]->span.lo);

		ed->lo = ed->hi = line_start(ed, end.lo);
		out_repeat(&ed->text, ' ', indent);
		put_setting(ed, from);
		out_char(&ed->text, '\n');
		return true;
	}
	ed->lo = last.hi;
	ed->hi = empty ? end.lo : last.hi;
	out_text(&ed->text, empty ? " " : ", ");
	put_setting(ed, from);
	out_text(&ed->text, empty ? " " : "");
	return true;
}

/* `value` becomes `value with { ... }`. */
static bool amend_reference(struct editor *ed, const struct ast *value, uint32_t hi, uint32_t from)
{
	uint32_t lo = value_lo(ed, value);
	bool bare = value->kind == AST_NAME || value->kind == AST_MEMBER ||
		    value->kind == AST_CALL || value->kind == AST_INDEX || value->kind == AST_GROUP;

	ed->lo = bare ? hi : lo;
	ed->hi = hi;
	if (!bare)
		out_printf(&ed->text, "(%.*s)", (int)(hi - lo), ed->in->text.p + lo);
	out_text(&ed->text, " with { ");
	put_setting(ed, from);
	out_text(&ed->text, " }");
	return true;
}

/* ---- the way down ---------------------------------------------------------------------------- */

/* How many parts from `from` on the path of a field takes; 0 when it leads elsewhere. */
static uint32_t parts_taken(const struct editor *ed, const struct ast *path, uint32_t from)
{
	const struct ast_list *names = &path->path.parts;

	if (names->n > ed->n - from)
		return 0;
	for (uint32_t i = 0; i < names->n; i++)
		if (!sym_equal(names->at[i]->name_ref.name.sym, part_name(ed, from + i)))
			return 0;
	return names->n;
}

/* Sets parts from `from` on in braces that end at `hi`. */
static bool set_in(struct editor *ed, const struct ast_list *fields, uint32_t hi, uint32_t from)
{
	for (uint32_t i = 0; i < fields->n; i++) {
		const struct ast *f = fields->at[i], *value;
		uint32_t taken;

		if (f->kind != AST_SET && f->kind != AST_AMEND)
			continue;
		taken = parts_taken(ed, f->kind == AST_SET ? f->set.path : f->amend.path, from);
		if (taken == 0)
			continue;
		if (f->kind == AST_AMEND && from + taken < ed->n)
			return set_in(ed, &f->amend.fields, f->span.hi, from + taken);
		if (f->kind == AST_AMEND) {
			out_str(&ed->text,
				source_slice(ed->in->sink->sources, f->amend.path->span));
			out_text(&ed->text, " = ");
			out_str(&ed->text, ed->in->value);
			return replace(ed, f->span.lo, f->span.hi);
		}
		value = f->set.value;
		if (from + taken == ed->n)
			return replace_value(ed, value, f->span.hi);
		if (value->kind == AST_RECORD)
			return set_in(ed, &value->record.fields, f->span.hi, from + taken);
		if (value->kind == AST_WITH)
			return set_in(ed, &value->with.fields, f->span.hi, from + taken);
		return amend_reference(ed, value, f->span.hi, from + taken);
	}
	return insert(ed, fields, hi, from);
}

static bool is_job(const struct editor *ed, const struct ast *item)
{
	return item->kind == AST_INSTANCE &&
	       str_is(sym_str(ed->in->names, item->instance.schema.sym), "job");
}

/* Names that may have been meant by the first one. */
static struct suggestions near_names(const struct editor *ed)
{
	const struct ast_list *items = &ed->in->tree->file.items;
	struct suggestions near;

	suggestions_init(&near, ed->in->arena, sym_str(ed->in->names, part_name(ed, 0)));
	for (uint32_t i = 0; i < items->n; i++) {
		const struct ast *item = items->at[i];

		if (item->kind == AST_INSTANCE)
			suggestions_add(&near, sym_str(ed->in->names, item->instance.name.sym),
					true);
		else if (item->kind == AST_PARAM)
			suggestions_add(&near, sym_str(ed->in->names, item->param.name.sym), true);
	}
	return near;
}

static bool report_unknown(struct editor *ed, struct suggestions *near, uint32_t jobs)
{
	struct ast_name wrong = name_of(ed->parts[0]);
	struct diag *d = diag_new(ed->in->sink, E1202, wrong.span);

	diag_message(d, "the plan declares no `%s`", spelling(ed, wrong.sym));
	if (!diag_suggest(d, near))
		diag_help(d, "a path begins with the name of a record or `param`%s",
			  jobs == 0 ? "" : ", because the plan has more than one job");
	diag_submit(d);
	return false;
}

static bool sets(const struct editor *ed, const struct ast_list *fields)
{
	for (uint32_t i = 0; i < fields->n; i++) {
		const struct ast *f = fields->at[i],
				 *path = f->kind == AST_SET ? f->set.path : f->amend.path;

		if ((f->kind == AST_SET || f->kind == AST_AMEND) &&
		    sym_equal(path->path.parts.at[0]->name_ref.name.sym, part_name(ed, 0)))
			return true;
	}
	return false;
}

static bool in_instance(struct editor *ed, const struct ast *item, uint32_t from)
{
	if (from == ed->n) {
		diag_report(ed->in->sink, E1207, ed->in->path->span,
			    "`%s` is a %s; say which of its fields", spelling(ed, part_name(ed, 0)),
			    spelling(ed, item->instance.schema.sym));
		return false;
	}
	return set_in(ed, &item->instance.fields, item->span.hi, from);
}

/* The whole value of a `param` or `let`, or a field of it. */
static bool in_value(struct editor *ed, const struct ast *item, const struct ast *value)
{
	if (ed->n == 1)
		return replace_value(ed, value, item->span.hi);
	if (value->kind == AST_RECORD)
		return set_in(ed, &value->record.fields, item->span.hi, 1);
	if (value->kind == AST_WITH)
		return set_in(ed, &value->with.fields, item->span.hi, 1);
	return amend_reference(ed, value, item->span.hi, 1);
}

static bool find(struct editor *ed)
{
	const struct ast_list *items = &ed->in->tree->file.items;
	const struct ast *job = NULL;
	struct suggestions near;
	uint32_t jobs = 0;

	for (uint32_t i = 0; i < items->n; i++) {
		const struct ast *item = items->at[i];

		if (item->kind == AST_INSTANCE &&
		    sym_equal(item->instance.name.sym, part_name(ed, 0)))
			return in_instance(ed, item, 1);
		if (item->kind == AST_PARAM && sym_equal(item->param.name.sym, part_name(ed, 0)))
			return in_value(ed, item, item->param.value);
		if (item->kind == AST_LET && sym_equal(item->let.name.sym, part_name(ed, 0)))
			return in_value(ed, item, item->let.value);
		if (is_job(ed, item)) {
			job = item;
			jobs++;
		}
	}
	near = near_names(ed);
	/* In the only job; unless a name was misspelt that the job does not have either. */
	if (jobs == 1 && (near.names.n == 0 || sets(ed, &job->instance.fields)))
		return in_instance(ed, job, 0);
	return report_unknown(ed, &near, jobs);
}

bool edit_set(const struct edit_input *in, struct str *result)
{
	struct editor ed = { .in = in };
	struct out o;

	out_init(&ed.text, in->arena);
	if (!split_path(&ed))
		return false;
	invariant(fmt_lex(in->arena, in->text, in->tree, &ed.tokens),
		  "a text that parsed has tokens");
	if (!find(&ed))
		return false;
	out_init(&o, in->arena);
	out_str(&o, str_slice(in->text, 0, ed.lo));
	out_str(&o, out_view(&ed.text));
	out_str(&o, str_slice(in->text, ed.hi, in->text.n));
	*result = out_view(&o);
	return true;
}
