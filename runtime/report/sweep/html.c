/* html.c - a sweep's result as one page: a scatter of the first two goals with what nothing beats, the
 * account of the conditions as bars, a table. The page needs no network and no script: what a point stands for is
 * its title.
 */
#include "runtime/report/sweep.h"

#include <math.h>

enum {
	FRONT_MAX = 2000,            /* of what nothing beats, in the picture */
	TICKS = 5,
	WIDTH = 760, HEIGHT = 420, LEFT = 110, RIGHT = 20, TOP = 16, BOTTOM = 48
};

struct page {
	struct search *s;
	struct out *o;
	const uint32_t *order;       /* what is drawn: the best, then others */
	uint32_t n, listed;          /* listed: the best */
	uint32_t *line, line_count;  /* what nothing beats, in the order of the first goal */
	uint32_t step;               /* of those each how-many-th is drawn */
	bool *front;                 /* by index into feasible: it is one of them */
};

static const char style[] =
	"body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#1c2230;background:#fff}\n"
	"h1{font-size:1.4em}h2{font-size:1.1em;margin-top:2em}\n"
	"table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
	"td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #dfe3ea}\n"
	"th{font-weight:600}.l{text-align:left}.bar{width:16em;text-align:left}\n"
	".bar i{display:block;height:.8em;background:#c2553a}\n"
	"tr.f td:first-child{font-weight:700}\n"
	".wide{overflow-x:auto}svg{max-width:100%;height:auto}\n";

static const char picture_style[] =
	"svg text{font:12px system-ui,sans-serif;fill:#1c2230}.axis{stroke:#8c95a6}.grid{stroke:#e7eaf0}\n"
	".p{fill:#5b7fb5;fill-opacity:.55}.q{fill:#c2553a}.best{fill:none;stroke:#1c2230;stroke-width:1.5}\n"
	".line{fill:none;stroke:#c2553a;stroke-width:1.2}\n";

/* ---- text ------------------------------------------------------------------------------------- */

static const struct type *goal_type(const struct page *p, uint32_t g)
{
	return p->s->ev->program->nodes.at[p->s->sweep->goals[g].value].type;
}

static void goal_text(const struct page *p, uint32_t g, struct value v)
{
	struct out text;

	out_init(&text, p->s->ev->lasting);
	value_print(&text, p->s->ev->program, v, goal_type(p, g));
	out_markup(p->o, out_view(&text));
}

static double goal_at(const struct page *p, uint32_t i, uint32_t g)
{
	return value_to_double(p->s->feasible[i].goals[g]);
}

/* ---- the picture ------------------------------------------------------------------------------- */

/* An axis of the picture; the second one of a single goal is the candidate's number. */
struct scale {
	uint32_t goal;
	bool number;
	double low, high;
	int from, to;                /* pixels of low and high */
};

static double on_axis(const struct page *p, const struct scale *a, uint32_t i)
{
	return a->number ? (double)p->s->feasible[i].number : goal_at(p, i, a->goal);
}

static double place(const struct scale *a, double x)
{
	return a->from + (x - a->low) / (a->high - a->low) * (a->to - a->from);
}

static struct scale make_scale(const struct page *p, uint32_t goal, int from, int to)
{
	struct scale a = { .goal = goal, .number = goal >= p->s->sweep->goal_count, .from = from, .to = to };
	double pad;

	for (uint32_t k = 0; k < p->n; k++) {
		double x = on_axis(p, &a, p->order[k]);

		a.low = k == 0 || x < a.low ? x : a.low;
		a.high = k == 0 || x > a.high ? x : a.high;
	}
	pad = a.high > a.low ? (a.high - a.low) * 0.04 : a.high != 0 ? fabs(a.high) * 0.04 : 1;
	a.low -= pad;
	a.high += pad;
	return a;
}

static void label(const struct page *p, const struct scale *a, double x)
{
	const struct type *t = a->number ? NULL : goal_type(p, a->goal);

	if (!t)
		out_fixed(p->o, x, 0);
	else if (t->kind == TYPE_NUMBER && dim_is_one(t->dim) && !t->percent)
		out_printf(p->o, "%.4g", x);
	else
		goal_text(p, a->goal, value_real(x));
}

static void name_of(const struct page *p, const struct scale *a)
{
	if (a->number) {
		out_text(p->o, "number of the candidate");
		return;
	}
	out_markup(p->o, report_goal_name(p->s, a->goal));
	out_text(p->o, p->s->sweep->goals[a->goal].maximise ? " (more is better)" : " (less is better)");
}

static void draw_axes(const struct page *p, const struct scale *x, const struct scale *y)
{
	for (int k = 0; k < TICKS; k++) {
		double share = (k + 0.5) / TICKS, vx = x->low + (x->high - x->low) * share,
		       vy = y->low + (y->high - y->low) * share;

		out_text(p->o, "<line class=\"grid\" x1=\"");
		out_fixed(p->o, place(x, vx), 2);
		out_printf(p->o, "\" y1=\"%d\" x2=\"", TOP);
		out_fixed(p->o, place(x, vx), 2);
		out_printf(p->o, "\" y2=\"%d\"/><text text-anchor=\"middle\" x=\"", HEIGHT - BOTTOM);
		out_fixed(p->o, place(x, vx), 2);
		out_printf(p->o, "\" y=\"%d\">", HEIGHT - BOTTOM + 16);
		label(p, x, vx);
		out_printf(p->o, "</text>\n<line class=\"grid\" x1=\"%d\" y1=\"", LEFT);
		out_fixed(p->o, place(y, vy), 2);
		out_printf(p->o, "\" x2=\"%d\" y2=\"", WIDTH - RIGHT);
		out_fixed(p->o, place(y, vy), 2);
		out_printf(p->o, "\"/><text text-anchor=\"end\" x=\"%d\" y=\"", LEFT - 6);
		out_fixed(p->o, place(y, vy) + 4, 2);
		out_text(p->o, "\">");
		label(p, y, vy);
		out_text(p->o, "</text>\n");
	}
	out_printf(p->o, "<path class=\"axis\" fill=\"none\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM,
		   WIDTH - RIGHT);
	out_printf(p->o, "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
	name_of(p, x);
	out_printf(p->o, "</text>\n<text text-anchor=\"middle\" transform=\"translate(14 %d) rotate(-90)\">",
		   (TOP + HEIGHT - BOTTOM) / 2);
	name_of(p, y);
	out_text(p->o, "</text>\n");
}

static void out_place(struct out *o, double x, double y)
{
	out_fixed(o, x, 2);
	out_char(o, ' ');
	out_fixed(o, y, 2);
}

/* Of those that nothing beats: both ends, and some between them. */
static bool is_drawn(const struct page *p, uint32_t k)
{
	return k % p->step == 0 || k + 1 == p->line_count;
}

/* Of two goals the candidates that nothing beats lie on a line. */
static void draw_front(const struct page *p, const struct scale *x, const struct scale *y)
{
	const char *separator = "";

	if (p->s->sweep->goal_count != 2)
		return;
	out_text(p->o, "<polyline class=\"line\" points=\"");
	for (uint32_t k = 0; k < p->line_count; k++) {
		if (!is_drawn(p, k))
			continue;
		out_text(p->o, separator);
		out_place(p->o, place(x, on_axis(p, x, p->line[k])), place(y, on_axis(p, y, p->line[k])));
		separator = " ";
	}
	out_text(p->o, "\"/>\n");
}

static void draw_point(const struct page *p, const struct scale *x, const struct scale *y, uint32_t k)
{
	uint32_t i = p->order[k];
	const struct search_candidate *c = &p->s->feasible[i];

	out_printf(p->o, "<circle class=\"%c\" r=\"%s\" cx=\"", p->front[i] ? 'q' : 'p', p->front[i] ? "4" : "3");
	out_fixed(p->o, place(x, on_axis(p, x, i)), 2);
	out_text(p->o, "\" cy=\"");
	out_fixed(p->o, place(y, on_axis(p, y, i)), 2);
	out_printf(p->o, "\"><title>#%llu: ", (unsigned long long)c->number);
	out_markup(p->o, search_describe(p->s, c->number));
	for (uint32_t g = 0; g < p->s->sweep->goal_count; g++) {
		out_char(p->o, '\n');
		out_markup(p->o, report_goal_name(p->s, g));
		out_text(p->o, " = ");
		goal_text(p, g, c->goals[g]);
	}
	out_text(p->o, "</title></circle>\n");
}

/* The drawing itself; `attributes` are more of its element's, `inside` what it begins with. */
static void draw_svg(const struct page *p, const char *attributes, const char *inside)
{
	struct scale x = make_scale(p, 0, LEFT, WIDTH - RIGHT), y = make_scale(p, 1, HEIGHT - BOTTOM, TOP);

	out_printf(p->o, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\"%s>\n%s", WIDTH,
		   HEIGHT, WIDTH, HEIGHT, attributes, inside);
	draw_axes(p, &x, &y);
	draw_front(p, &x, &y);
	for (uint32_t k = p->n; k > 0; k--)
		draw_point(p, &x, &y, k - 1);
	out_text(p->o, "<circle class=\"best\" r=\"7\" cx=\"");
	out_fixed(p->o, place(&x, on_axis(p, &x, p->order[0])), 2);
	out_text(p->o, "\" cy=\"");
	out_fixed(p->o, place(&y, on_axis(p, &y, p->order[0])), 2);
	out_text(p->o, "\"/>\n</svg>\n");
}

static void say_what_is_drawn(const struct page *p)
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
	draw_svg(p, "", "");
	out_text(p->o, "<p>Red: beaten by none in all goals. The ring is the best one. "
		       "Point at a candidate to see its values.");
	if (p->n < p->s->feasible_count)
		say_what_is_drawn(p);
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
		out_text(p->o, "<td>");
		goal_text(p, g, c->goals[g]);
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
	out_text(p->o, picture_style);
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
		if (is_drawn(&p, k))
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
	out_text(&inside, picture_style);
	out_text(&inside, "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
	out_char(&inside, '\0');
	draw_svg(&p, " xmlns=\"http://www.w3.org/2000/svg\"", inside.p);
	search_rest(s);
}
