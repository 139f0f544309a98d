/* sweep.h - what a sweep found, as text and pages for people, JSON and CSV for programs. */
#ifndef PLAN_REPORT_SWEEP_H
#define PLAN_REPORT_SWEEP_H

#include "runtime/search/search.h"

/* Candidates that the text shows, and the table of a page. */
enum { SWEEP_SHOWN = 10, SWEEP_PAGE_SHOWN = 200 };

/* Counts by condition, then the best candidates with their axes and goals. */
void report_sweep_text(struct search *s, struct out *o);

/* One object: axes, counts of all conditions, and all feasible candidates in the order of the objective
 * (without one, of their numbers). */
void report_sweep_json(struct search *s, struct out *o);

/* A header and a line for each feasible candidate that was kept, in the order of their numbers. */
void report_sweep_csv(struct search *s, struct out *o);

/* A line for each of them, the object that JSON has in `results`. */
void report_sweep_jsonl(struct search *s, struct out *o);

/* A page of its own: a picture of the first two goals, the conditions as bars, the best candidates. */
void report_sweep_html(struct search *s, struct out *o);

/* The picture alone; the text as a page of Markdown. */
void report_sweep_svg(struct search *s, struct out *o);
void report_sweep_markdown(struct search *s, struct out *o);

/* Forms of the report, and their names: "text", "json", "jsonl", "csv", "html". */
enum sweep_form { SWEEP_TEXT, SWEEP_JSON, SWEEP_JSONL, SWEEP_CSV, SWEEP_HTML, SWEEP_FORM_COUNT };

extern const char *const sweep_form_names[SWEEP_FORM_COUNT];

void report_sweep(struct search *s, enum sweep_form form, struct out *o);

/* What a search has to keep for it: `keep` and `picture` of its options. */
void report_sweep_needs(enum sweep_form form, struct search_options *options);

/* What a form of rows consists of, to be written while a sweep runs (struct search_rows). */
struct sweep_rows {
	void (*head)(struct search *s, struct out *o);   /* NULL: none */
	void (*row)(struct search *s, const struct search_candidate *c, struct arena *scratch, struct out *o);
};

/* NULL when the form is none of rows. */
const struct sweep_rows *report_sweep_rows(enum sweep_form form);

/* Whether a file that begins so was written in this form. SWEEP_HEAD bytes are enough. */
enum { SWEEP_HEAD = 128 };
bool report_sweep_wrote(enum sweep_form form, struct str head);

/* The answer of `planc why-not`. */
void report_why_text(struct search *s, const struct search_why *why, struct out *o);

/* Indices of feasible candidates as the reports list them; at most `most`. */
uint32_t report_sweep_order(struct search *s, uint32_t most, uint32_t *result);

/* The source text of a goal, "tokens_per_second". */
struct str report_goal_name(const struct search *s, uint32_t goal);

/* Whether it is a field of an axis, which every form but JSON shows among those alone. */
bool report_goal_is_axis(const struct search *s, uint32_t goal);

#endif
