/* text.c - the report of a sweep: how many candidates each condition removed, and the best ones. */
#include "runtime/report/sweep.h"

struct str report_goal_name(const struct search *s, uint32_t goal)
{
	const struct ir_program *p = s->ev->program;
	const struct ir_node *n = &p->nodes.at[s->sweep->goals[goal].value];
	struct str text = n->span.file < p->sources->files.n ? source_slice(p->sources, n->span) : STR("");

	return text.n == 0 || memchr(text.p, '\n', text.n) ? STR("goal") : text;
}

bool report_goal_is_axis(const struct search *s, uint32_t goal)
{
	struct str name = report_goal_name(s, goal);

	for (uint32_t k = 0; k < search_path_count(s); k++)
		if (str_equal(search_path(s, k)->text, name))
			return true;
	return false;
}

uint32_t report_sweep_order(struct search *s, uint32_t most, uint32_t *result)
{
	uint32_t n = s->kept;

	if (s->sweep->goal_count > 0)
		return search_top(s, n < most ? n : most, result);
	n = n < most ? n : most;
	for (uint32_t i = 0; i < n; i++)
		result[i] = i;
	return n;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Cells in row order; columns as wide as their widest cell, or rows of Markdown. */
struct table {
	struct arena *arena;
	bool markdown;
	uint32_t columns;
	uint64_t left;               /* bit k: column k stands to the left */
	VEC(struct str) cells;
};

static void add_cell(struct table *t, struct str s)
{
	*VEC_ADD(t->arena, &t->cells) = s;
}

static void add_count(struct table *t, uint64_t n)
{
	struct out o;

	out_init(&o, t->arena);
	out_grouped(&o, (int64_t)n);
	add_cell(t, str_copy(t->arena, out_view(&o)));
}

static void print_cell(struct out *o, struct str s, uint32_t width, bool left, bool last)
{
	uint32_t pad = width - text_width(s);

	if (!left)
		out_repeat(o, ' ', pad);
	out_str(o, s);
	if (left && !last)
		out_repeat(o, ' ', pad);
}

/* A bar in a cell would end it. */
static void print_markdown_cell(struct out *o, struct str s)
{
	out_text(o, " ");
	for (uint32_t i = 0; i < s.n; i++) {
		if (s.p[i] == '|')
			out_char(o, '\\');
		out_char(o, s.p[i]);
	}
	out_text(o, " |");
}

static void print_markdown(struct out *o, const struct table *t)
{
	for (uint32_t i = 0; i < t->cells.n; i++) {
		out_text(o, i % t->columns == 0 ? "|" : "");
		print_markdown_cell(o, t->cells.at[i]);
		if ((i + 1) % t->columns == 0)
			out_char(o, '\n');
		if (i + 1 != t->columns)
			continue;
		out_char(o, '|');
		for (uint32_t k = 0; k < t->columns; k++)
			out_text(o, k < 64 && t->left >> k & 1 ? "---|" : "---:|");
		out_char(o, '\n');
	}
}

static void print_table(struct out *o, const struct table *t)
{
	if (t->markdown) {
		print_markdown(o, t);
		return;
	}

	uint32_t *widths = ARENA_ARRAY(t->arena, uint32_t, t->columns + 1);

	for (uint32_t i = 0; i < t->cells.n; i++)
		if (text_width(t->cells.at[i]) > widths[i % t->columns])
			widths[i % t->columns] = text_width(t->cells.at[i]);
	for (uint32_t i = 0; i < t->cells.n; i++) {
		uint32_t k = i % t->columns;

		out_text(o, "  ");
		print_cell(o, t->cells.at[i], widths[k], k < 64 && t->left >> k & 1, k + 1 == t->columns);
		if (k + 1 == t->columns)
			out_char(o, '\n');
	}
}

/* ---- conditions ------------------------------------------------------------------------------ */

static bool is_shown(const struct search_row *row)
{
	return row->violated > 0 || (row->condition && row->condition->own);
}

static void print_rows(struct search *s, struct out *o, bool markdown)
{
	struct table t = { .arena = s->ev->lasting, .markdown = markdown, .columns = 6, .left = 3 };
	static const char *const heads[] = { "condition", "where", "removed", "violated", "alone", "left" };
	uint32_t quiet = 0;

	for (uint32_t i = 0; i < 6; i++)
		add_cell(&t, str_of(heads[i]));
	for (uint32_t i = 0; i < s->row_count; i++) {
		const struct search_row *row = &s->rows[s->order[i]];

		if (!is_shown(row)) {
			quiet += row->condition != NULL;
			continue;
		}
		add_cell(&t, row->name);
		add_cell(&t, row->condition ? search_row_place(s, row) : STR("(evaluation)"));
		add_count(&t, row->removed);
		add_count(&t, row->violated);
		add_count(&t, row->alone);
		add_count(&t, row->left);
	}
	if (t.cells.n > t.columns)
		print_table(o, &t);
	if (quiet > 0)
		out_printf(o, "%s%u other rule%s hold%s for all candidates\n", markdown ? "\n" : "  ", quiet, quiet == 1 ? "" : "s",
			   quiet == 1 ? "s" : "");
}

static void print_messages(const struct search *s, struct out *o)
{
	for (uint32_t i = s->sweep->condition_count; i < s->row_count; i++)
		if (s->rows[i].violated > 0)
			out_printf(o, "  %.*s: %.*s\n", (int)s->rows[i].name.n, s->rows[i].name.p,
				   (int)s->rows[i].text.n, s->rows[i].text.p);
}

/* ---- candidates ------------------------------------------------------------------------------ */

static struct str number_text(struct search *s, uint64_t number)
{
	struct out o;

	out_init(&o, s->ev->lasting);
	out_printf(&o, "%llu", (unsigned long long)number);
	return str_copy(s->ev->lasting, out_view(&o));
}

static void add_goal(struct search *s, struct table *t, const struct search_candidate *c, uint32_t goal)
{
	struct out o;
	ir_id node = s->sweep->goals[goal].value;

	out_init(&o, s->ev->lasting);
	value_print(&o, s->ev->program, c->goals[goal], s->ev->program->nodes.at[node].type);
	add_cell(t, str_copy(s->ev->lasting, out_view(&o)));
}

static bool reads_as_text(const struct type *t)
{
	return t->kind == TYPE_ENUM || t->kind == TYPE_RECORD || t->kind == TYPE_LIST || t->kind == TYPE_LAYOUT;
}

static void print_candidates(struct search *s, struct out *o, const uint32_t *at, uint32_t n, bool markdown)
{
	uint32_t paths = search_path_count(s), goals = s->sweep->goal_count;
	struct table t = { .arena = s->ev->lasting, .markdown = markdown, .columns = 1 + paths };

	for (uint32_t k = 0; k < paths && k < 63; k++)
		if (reads_as_text(search_path(s, k)->type))
			t.left |= (uint64_t)1 << (k + 1);
	for (uint32_t g = 0; g < goals; g++)
		t.columns += !report_goal_is_axis(s, g);
	add_cell(&t, STR("#"));
	for (uint32_t k = 0; k < paths; k++)
		add_cell(&t, search_path_name(s, k));
	for (uint32_t g = 0; g < goals; g++)
		if (!report_goal_is_axis(s, g))
			add_cell(&t, report_goal_name(s, g));
	for (uint32_t i = 0; i < n; i++) {
		const struct search_candidate *c = &s->feasible[at[i]];

		add_cell(&t, number_text(s, c->number));
		for (uint32_t k = 0; k < paths; k++)
			add_cell(&t, search_cell_text(s, c->number, k));
		for (uint32_t g = 0; g < goals; g++)
			if (!report_goal_is_axis(s, g))
				add_goal(s, &t, c, g);
	}
	print_table(o, &t);
}

static void print_best(struct search *s, struct out *o, uint32_t first, uint32_t front)
{
	struct str words;

	out_text(o, "  ");
	out_grouped(o, (int64_t)s->feasible_count);
	out_text(o, " feasible");
	if (s->feasible_count == 0 || s->sweep->goal_count == 0) {
		out_char(o, '\n');
		return;
	}
	words = search_describe(s, s->feasible[first].number);
	if (s->sweep->pareto)
		out_printf(o, ", %u beaten by none, first: %.*s\n", front, (int)words.n, words.p);
	else
		out_printf(o, ", best: %.*s\n", (int)words.n, words.p);
}

static void report(struct search *s, struct out *o, bool markdown)
{
	struct str name = sym_str(s->ev->program->names, s->sweep->name);
	uint32_t *at = ARENA_ARRAY(s->ev->lasting, uint32_t, s->kept + 1), n;

	out_printf(o, markdown ? "# %.*s\n\n" : "%.*s: ", (int)name.n, name.p);
	if (s->partial) {
		out_text(o, "partial, ");
		out_grouped(o, (int64_t)s->tested);
		out_text(o, " of ");
	}
	out_grouped(o, (int64_t)s->total);
	out_printf(o, " candidate%s", s->total == 1 ? "" : "s");
	if (s->product.n > 0)
		out_printf(o, " = %.*s", (int)s->product.n, s->product.p);
	out_text(o, "\n\n");
	print_rows(s, o, markdown);
	if (markdown)
		out_char(o, '\n');
	n = report_sweep_order(s, s->sweep->pareto ? s->kept : SWEEP_SHOWN, at);
	print_best(s, o, n > 0 ? at[0] : 0, n);
	print_messages(s, o);
	if (n == 0)
		return;
	out_char(o, '\n');
	print_candidates(s, o, at, n < SWEEP_SHOWN ? n : SWEEP_SHOWN, markdown);
	uint64_t listed = s->sweep->pareto ? n : s->feasible_count;

	if (listed > SWEEP_SHOWN) {
		out_text(o, "  ... ");
		out_grouped(o, (int64_t)(listed - SWEEP_SHOWN));
		out_text(o, " more\n");
	}
	search_rest(s);
}

void report_sweep_text(struct search *s, struct out *o)
{
	report(s, o, false);
}

void report_sweep_markdown(struct search *s, struct out *o)
{
	report(s, o, true);
}
