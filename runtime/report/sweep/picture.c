/* picture.c - feasible candidates as a scatter of the first two goals, in SVG. */
#include "runtime/report/sweep/page.h"
#include "runtime/report/sweep/ticks.h"

#include <math.h>

enum { WIDTH = 760, HEIGHT = 420, LEFT = 110, RIGHT = 36, TOP = 16, BOTTOM = 48 };

const char page_picture_style[] =
	"svg text{font:12px system-ui,sans-serif;fill:#1c2230}.axis{stroke:#8c95a6}.grid{stroke:#e7eaf0}\n"
	".p{fill:#5b7fb5;fill-opacity:.55}.q{fill:#c2553a}.best{fill:none;stroke:#1c2230;stroke-width:1.5}\n"
	".line{fill:none;stroke:#c2553a;stroke-width:1.2}\n";

/* An axis of the picture; the second one of a single goal is the candidate's number. */
struct scale {
	uint32_t goal;
	bool number;
	double low, high;
	int from, to;                /* pixels of low and high */
	struct ticks ticks;
};

static double goal_at(const struct page *p, uint32_t i, uint32_t g)
{
	return value_to_double(p->s->feasible[i].goals[g]);
}

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
	a.ticks = ticks_make(p->s->ev->lasting, a.number ? NULL : page_goal_type(p, goal), a.low, a.high);
	return a;
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

static void draw_marks_below(const struct page *p, const struct scale *x)
{
	for (int64_t k = x->ticks.first; k <= x->ticks.last; k++) {
		double at = place(x, ticks_at(&x->ticks, k));

		out_text(p->o, "<line class=\"grid\" x1=\"");
		out_fixed(p->o, at, 2);
		out_printf(p->o, "\" y1=\"%d\" x2=\"", TOP);
		out_fixed(p->o, at, 2);
		out_printf(p->o, "\" y2=\"%d\"/><text text-anchor=\"middle\" x=\"", HEIGHT - BOTTOM);
		out_fixed(p->o, at, 2);
		out_printf(p->o, "\" y=\"%d\">", HEIGHT - BOTTOM + 16);
		ticks_label(&x->ticks, k, p->o);
		out_text(p->o, "</text>\n");
	}
}

static void draw_marks_left(const struct page *p, const struct scale *y)
{
	for (int64_t k = y->ticks.first; k <= y->ticks.last; k++) {
		double at = place(y, ticks_at(&y->ticks, k));

		out_printf(p->o, "<line class=\"grid\" x1=\"%d\" y1=\"", LEFT);
		out_fixed(p->o, at, 2);
		out_printf(p->o, "\" x2=\"%d\" y2=\"", WIDTH - RIGHT);
		out_fixed(p->o, at, 2);
		out_printf(p->o, "\"/><text text-anchor=\"end\" x=\"%d\" y=\"", LEFT - 6);
		out_fixed(p->o, at + 4, 2);
		out_text(p->o, "\">");
		ticks_label(&y->ticks, k, p->o);
		out_text(p->o, "</text>\n");
	}
}

static void draw_axes(const struct page *p, const struct scale *x, const struct scale *y)
{
	draw_marks_below(p, x);
	draw_marks_left(p, y);
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

bool page_draws(const struct page *p, uint32_t k)
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
		if (!page_draws(p, k))
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
		if (report_goal_is_axis(p->s, g))
			continue;
		out_char(p->o, '\n');
		out_markup(p->o, report_goal_name(p->s, g));
		out_text(p->o, " = ");
		page_goal_text(p, g, c->goals[g]);
	}
	out_text(p->o, "</title></circle>\n");
}

void page_draw_picture(const struct page *p, const char *attributes, const char *inside)
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

