/* html.c - a sweep's result as one page: a scatter of the first two goals with what nothing beats, the
 * account of the conditions as bars, a table. The page needs no network and no script: what a point stands for is
 * its title.
 */
#include "runtime/report/sweep/page.h"

enum { FRONT_MAX = 2000 };   /* of what nothing beats, in the picture */

static const char style[] =
	"body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#1c2230;background:#fff}\n"
	"h1{font-size:1.4em}h2{font-size:1.1em;margin-top:2em}\n"
	"table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
	"td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #dfe3ea}\n"
	"th{font-weight:600}.l{text-align:left}.bar{width:16em;text-align:left}\n"
	".bar i{display:block;height:.8em;background:#c2553a}\n"
	"tr.f td:first-child{font-weight:700}\n"
	".wide{overflow-x:auto}svg{max-width:100%;height:auto}\n";

/* ---- text ------------------------------------------------------------------------------------- */

const struct type *page_goal_type(const struct page *p, uint32_t g)
{
	return p->s->ev->program->nodes.at[p->s->sweep->goals[g].value].type;
}

void page_goal_text(const struct page *p, uint32_t g, struct value v)
{
	struct out text;

	out_init(&text, p->s->ev->lasting);
	value_print(&text, p->s->ev->program, v, page_goal_type(p, g));
	out_markup(p->o, out_view(&text));
}

/* ---- the picture ------------------------------------------------------------------------------- */

static void say_what_page_draws(const struct page *p)
{
	out_text(p->o, " Drawn are ");
	out_grouped(p->o, p->n);
	out_text(p->o, " of ");
	out_grouped(p->o, (int64_t)p->s->feasible_count);
	out_printf(p->o, ": the first %u, ", p->listed);
	if (p->step > 1)
		out_printf(p->o, "one in %u of ", p->step);
	out_text(p->o, "the ");
	out_grouped(p->o, p->line_count);
	out_printf(p->o, " that nothing beats, and a sample of %u, whatever they are worth.", SEARCH_SAMPLE);
}

static void draw_picture(const struct page *p)
{
	if (p->n == 0 || p->s->sweep->goal_count == 0)
		return;
	out_text(p->o, "<h2>Feasible candidates</h2>\n");
	page_draw_picture(p, "", "");
	out_text(p->o, "<p>Red: beaten by none in all goals. The ring is the best one. "
		       "Point at a candidate to see its values.");
	if (p->n < p->s->feasible_count)
		say_what_page_draws(p);
	out_text(p->o, "</p>\n");
}

/* ---- conditions -------------------------------------------------------------------------------- */

static void cell_count(struct out *o, uint64_t n)
{
	out_text(o, "<td>");
	out_grouped(o, (int64_t)n);
	out_text(o, "</td>");
}

static void draw_conditions(const struct page *p)
{
	uint64_t most = 1;

	for (uint32_t i = 0; i < p->s->row_count; i++)
		most = p->s->rows[i].removed > most ? p->s->rows[i].removed : most;
	out_text(p->o, "<h2>What rules the others out</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"l\">condition</th>"
		       "<th class=\"l\">where</th><th class=\"bar\">removed</th><th></th><th>violated</th><th>alone</th>"
		       "<th>left</th></tr>\n");
	for (uint32_t i = 0; i < p->s->row_count; i++) {
		const struct search_row *row = &p->s->rows[p->s->order[i]];

		if (row->violated == 0 && !(row->condition && row->condition->own))
			continue;
		out_text(p->o, "<tr><td class=\"l\">");
		out_markup(p->o, row->name);
		out_text(p->o, "</td><td class=\"l\">");
		out_markup(p->o, row->condition ? search_row_place(p->s, row) : row->text);
		out_text(p->o, "</td><td class=\"bar\"><i style=\"width:");
		out_fixed(p->o, 100.0 * (double)row->removed / (double)most, 2);
		out_text(p->o, "%\"></i></td>");
		cell_count(p->o, row->removed);
		cell_count(p->o, row->violated);
		cell_count(p->o, row->alone);
		cell_count(p->o, row->left);
		out_text(p->o, "</tr>\n");
	}
	out_text(p->o, "</table></div>\n");
}

/* ---- the table --------------------------------------------------------------------------------- */

static void draw_row(const struct page *p, uint32_t i)
{
	const struct search_candidate *c = &p->s->feasible[i];

	out_printf(p->o, "<tr%s><td>%llu</td>", p->front[i] ? " class=\"f\"" : "", (unsigned long long)c->number);
	for (uint32_t k = 0; k < search_path_count(p->s); k++) {
		out_text(p->o, "<td>");
		out_markup(p->o, search_cell_text(p->s, c->number, k));
		out_text(p->o, "</td>");
	}
	for (uint32_t g = 0; g < p->s->sweep->goal_count; g++) {
		if (report_goal_is_axis(p->s, g))
			continue;
		out_text(p->o, "<td>");
		page_goal_text(p, g, c->goals[g]);
		out_text(p->o, "</td>");
	}
	out_text(p->o, "</tr>\n");
}

static void draw_table(const struct page *p)
{
	uint64_t all = p->s->sweep->pareto ? p->line_count : p->s->feasible_count;

	if (p->listed == 0)
		return;
	out_text(p->o, "<h2>The best</h2>\n<div class=\"wide\"><table>\n<tr><th>#</th>");
	for (uint32_t k = 0; k < search_path_count(p->s); k++) {
		out_text(p->o, "<th>");
		out_markup(p->o, search_path_name(p->s, k));
		out_text(p->o, "</th>");
	}
	for (uint32_t g = 0; g < p->s->sweep->goal_count; g++) {
		if (report_goal_is_axis(p->s, g))
			continue;
		out_text(p->o, "<th>");
		out_markup(p->o, report_goal_name(p->s, g));
		out_text(p->o, "</th>");
	}
	out_text(p->o, "</tr>\n");
	for (uint32_t k = 0; k < p->listed; k++)
		draw_row(p, p->order[k]);
	out_text(p->o, "</table></div>\n");
	if (all > p->listed) {
		out_text(p->o, "<p>");
		out_grouped(p->o, (int64_t)(all - p->listed));
		out_text(p->o, " more.</p>\n");
	}
}

static void draw_head(const struct page *p)
{
	struct str name = sym_str(p->s->ev->program->names, p->s->sweep->name);

	out_text(p->o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		       "<meta name=\"generator\" content=\"planc sweep\">\n<title>");
	out_markup(p->o, name);
	out_text(p->o, "</title>\n<style>\n");
	out_text(p->o, style);
	out_text(p->o, page_picture_style);
	out_text(p->o, "</style>\n</head>\n<body>\n<h1>Sweep ");
	out_markup(p->o, name);
	out_text(p->o, "</h1>\n<p>");
	if (p->s->partial) {
		out_text(p->o, "partial, ");
		out_grouped(p->o, (int64_t)p->s->tested);
		out_text(p->o, " of ");
	}
	out_grouped(p->o, (int64_t)p->s->total);
	out_text(p->o, p->s->total == 1 ? " candidate" : " candidates");
	if (p->s->product.n > 0) {
		out_text(p->o, " = ");
		out_markup(p->o, p->s->product);
	}
	out_text(p->o, ", ");
	out_grouped(p->o, (int64_t)p->s->feasible_count);
	out_text(p->o, " feasible");
	if (p->n > 0 && p->s->sweep->goal_count > 0) {
		out_text(p->o, p->s->sweep->pareto ? "; first of those that nothing beats: " : "; the best: ");
		out_markup(p->o, search_describe(p->s, p->s->feasible[p->order[0]].number));
	}
	out_text(p->o, "</p>\n");
}

static void add_points(struct page *p, uint32_t *order, bool *there, const uint32_t *at, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		if (!there[at[k]])
			order[p->n++] = at[k];
		there[at[k]] = true;
	}
}

/* The same points whether all candidates were kept or only those that a picture needs. */
static struct page make_page(struct search *s, struct out *o)
{
	struct arena *a = s->ev->lasting;
	uint32_t *order = ARENA_ARRAY(a, uint32_t, s->kept + 1), *at = ARENA_ARRAY(a, uint32_t, s->kept + 1);
	bool *there = ARENA_ARRAY(a, bool, s->kept + 1);
	struct page p = { .s = s, .o = o, .order = order };

	p.line = ARENA_ARRAY(a, uint32_t, s->kept + 1);
	p.front = ARENA_ARRAY(a, bool, s->kept + 1);
	p.line_count = s->sweep->goal_count > 0 ? search_front(s, p.line) : 0;
	p.step = (p.line_count + FRONT_MAX - 1) / FRONT_MAX;
	p.listed = report_sweep_order(s, s->kept < SWEEP_PAGE_SHOWN ? s->kept : SWEEP_PAGE_SHOWN, at);
	add_points(&p, order, there, at, p.listed);
	for (uint32_t k = 0; k < p.line_count; k++) {
		p.front[p.line[k]] = true;
		if (page_draws(&p, k))
			add_points(&p, order, there, &p.line[k], 1);
	}
	add_points(&p, order, there, at, search_sample(s, at));
	return p;
}

void report_sweep_html(struct search *s, struct out *o)
{
	struct page p = make_page(s, o);

	draw_head(&p);
	draw_picture(&p);
	draw_conditions(&p);
	draw_table(&p);
	out_text(o, "</body>\n</html>\n");
	search_rest(s);
}

void report_sweep_svg(struct search *s, struct out *o)
{
	struct page p = make_page(s, o);
	struct out inside;

	out_init(&inside, s->ev->lasting);
	out_text(&inside, "<style>\n");
	out_text(&inside, page_picture_style);
	out_text(&inside, "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
	out_char(&inside, '\0');
	page_draw_picture(&p, " xmlns=\"http://www.w3.org/2000/svg\"", inside.p);
	search_rest(s);
}
