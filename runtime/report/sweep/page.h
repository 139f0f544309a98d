/* page.h - what the parts of a sweep's page share. */
#ifndef PLAN_SWEEP_PAGE_H
#define PLAN_SWEEP_PAGE_H

#include "runtime/report/sweep.h"

struct page {
	struct search *s;
	struct out *o;
	const uint32_t *order;       /* what is drawn: the best, then others */
	uint32_t n, listed;          /* listed: the best */
	uint32_t *line, line_count;  /* what nothing beats, in the order of the first goal */
	uint32_t step;               /* of those each how-many-th is drawn */
	bool *front;                 /* by index into feasible: it is one of them */
};

const struct type *page_goal_type(const struct page *p, uint32_t goal);

/* The goal's value as text of the page. */
void page_goal_text(const struct page *p, uint32_t goal, struct value v);

/* Whether the k-th of what nothing beats is in the picture: both ends are, and some between them. */
bool page_draws(const struct page *p, uint32_t k);

/* Rules of style that the picture needs. */
extern const char page_picture_style[];

/* The picture, of at least one candidate and one goal; `attributes` are more of its element's, `inside` what it begins
 * with. */
void page_draw_picture(const struct page *p, const char *attributes, const char *inside);

#endif
