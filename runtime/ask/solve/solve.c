/* solve.c - bisection over the legal values of a field; see solve.h. */
#include "runtime/ask/solve/solve_int.h"

enum {
	WORSE_SAMPLES = SOLVE_ALL_TRIED,          /* values tried on the side that is not met, to see whether one is */
	BETTER_SAMPLES = 8,          /* and on the other side */
	ROUNDS_MAX = 4               /* times that a met value on the wrong side starts the search anew */
};

enum known { UNKNOWN, ILLEGAL, LEGAL, UNMET, MET };

enum { NOWHERE = -1 };

/* Places are counted so that values are expected to be met from some place on: from the small ones for
 * the least value, from the large ones for the greatest. */
struct solver {
	struct eval *ev;
	const struct ir_inverse *q;
	struct probe_plan plan;
	struct probe *probe;         /* used for one value after the other */
	struct ladder ladder;
	struct record_step *steps;
	unsigned char *known;        /* by place */
	struct solve_result *r;
	bool stuck;                  /* more values than may be tested */
};

static struct value value_at(const struct solver *s, int64_t place)
{
	uint32_t k = (uint32_t)(s->r->options.maximise ? s->ladder.n - 1 - place : place);

	return ladder_value(&s->ladder, s->ev->lasting, k);
}

/* ---- one value -------------------------------------------------------------------------------- */

static struct diag *kept_message(struct solver *s, const struct probe *p)
{
	struct arena *a = s->ev->lasting;
	struct diag *kept = diag_new(s->ev->sink, E2008, SPAN_NONE);
	const struct diag *const *list;

	if (diag_list(&p->sink, &list) == 0) {
		diag_message(kept, "it cannot be evaluated");
		return kept;
	}
	kept->code = list[0]->code;
	kept->message = str_copy(a, list[0]->message);
	kept->drawn = list[0]->drawn;
	for (uint32_t i = 0; i < list[0]->values.n; i++) {
		struct diag_value v = list[0]->values.at[i];

		v.text = str_copy(a, v.text);
		v.unit = str_copy(a, v.unit);
		*VEC_ADD(a, &kept->values) = v;
	}
	return kept;
}

static bool keeps(struct probe *p, const struct ir_assert *a, bool *computed)
{
	struct scope scope = { .self = probe_subject(p) };
	enum verdict v;

	if (a->cond == IR_NO_NODE)
		return true;
	v = assert_test(&p->ev, a, scope);
	if (v == VERDICT_BROKEN)
		assert_report(&p->ev, a, scope, (struct assert_telling){ .at = SPAN_NONE });
	*computed = v != VERDICT_SKIPPED;
	return v == VERDICT_HOLDS;
}

static enum known judge(struct solver *s, struct probe *p, bool model)
{
	bool computed = true;

	if (!probe_is_legal(p))
		return model && probe_can_run(p) ? UNMET : ILLEGAL;
	if (!model)
		return LEGAL;
	if (keeps(p, &s->q->fits, &computed) && keeps(p, &s->q->such_that, &computed))
		return MET;
	return computed ? UNMET : ILLEGAL;
}

/* `why`: filled when the value is not met; NULL. */
static enum known try(struct solver *s, int64_t place, bool model, struct solve_reason *why)
{
	struct value v = value_at(s, place);
	struct probe *p = s->probe;
	enum known k;

	probe_begin(p, model);
	probe_put(p, probe_changed(p, s->steps, s->q->path.slot_count, v));
	k = judge(s, p, model);
	s->r->evaluations += model;
	s->r->legalities += !model;
	if (why)
		*why = (struct solve_reason){ .value = v, .legal = k != ILLEGAL, .shown = kept_message(s, p) };
	probe_end(p);
	return k;
}

static bool is_legal(struct solver *s, int64_t place)
{
	if (s->known[place] == UNKNOWN) {
		if (s->r->legalities >= SOLVE_LEGALITIES_MAX)
			s->stuck = true;
		s->known[place] = s->stuck ? ILLEGAL : (unsigned char)try(s, place, false, NULL);
	}
	return s->known[place] != ILLEGAL;
}

/* Legal without the cost model, and then refused by it, counts as not legal. */
static bool is_met(struct solver *s, int64_t place)
{
	if (is_legal(s, place) && s->known[place] == LEGAL)
		s->known[place] = (unsigned char)try(s, place, true, NULL);
	return s->known[place] == MET;
}

/* ---- legal values ----------------------------------------------------------------------------- */

static int64_t legal_from(struct solver *s, int64_t place, int64_t end, int64_t by)
{
	for (; place != end; place += by)
		if (is_legal(s, place))
			return place;
	return NOWHERE;
}

/* The legal place nearest to the middle of lo and hi, neither included. */
static int64_t legal_between(struct solver *s, int64_t lo, int64_t hi)
{
	int64_t middle = lo + (hi - lo) / 2;

	for (int64_t d = 0; middle > lo && (middle - d > lo || middle + d < hi); d++) {
		if (middle - d > lo && is_legal(s, middle - d))
			return middle - d;
		if (middle + d < hi && is_legal(s, middle + d))
			return middle + d;
	}
	return NOWHERE;
}

/* lo is legal and not met, hi is met. Ends with hi the first met place above lo and lo the last one below it
 * that is not met, as far as the values between change once. */
static void bisect(struct solver *s, int64_t *lo, int64_t *hi)
{
	int64_t middle;

	while ((middle = legal_between(s, *lo, *hi)) != NOWHERE) {
		if (is_met(s, middle))
			*hi = middle;
		else if (s->known[middle] == UNMET)
			*lo = middle;
	}
}

/* The i-th of n places spread over lo..hi, legal ones only; NOWHERE when there is none near. */
static int64_t sample(struct solver *s, int64_t lo, int64_t hi, uint32_t i, uint32_t n)
{
	int64_t from = lo + (hi - lo) * i / n, to = lo + (hi - lo) * (i + 1) / n;

	return from < to ? legal_from(s, from, to, 1) : NOWHERE;
}

/* A place from lo to hi (without) that is met, or is not; NOWHERE where none was seen. */
static int64_t look_for(struct solver *s, int64_t lo, int64_t hi, bool met, uint32_t samples)
{
	for (uint32_t i = 0; i < samples; i++) {
		int64_t place = sample(s, lo, hi, i, samples);

		if (place != NOWHERE && is_met(s, place) == met && s->known[place] != ILLEGAL)
			return place;
	}
	return NOWHERE;
}

/* ---- the border ------------------------------------------------------------------------------- */

static void keep_neighbours(struct solver *s, int64_t lo, int64_t hi)
{
	s->r->answer = value_at(s, hi);
	s->r->border = lo != NOWHERE;
	if (lo != NOWHERE)
		try(s, lo, true, &s->r->beyond);
	s->r->skipped = hi > 0 && hi - 1 != lo;
	if (s->r->skipped)
		try(s, hi - 1, s->known[hi - 1] != ILLEGAL || is_legal(s, hi - 1), &s->r->hole);
}

static void note_exception(struct solver *s, int64_t place)
{
	if (place == NOWHERE || !s->r->monotone)
		return;
	s->r->monotone = false;
	s->r->exception = value_at(s, place);
}

/* first: the legal place that comes first. */
static void find_border(struct solver *s, int64_t first, int64_t hi)
{
	int64_t lo = first, other;

	if (is_met(s, first)) {
		note_exception(s, look_for(s, first + 1, s->ladder.n, false, WORSE_SAMPLES));
		keep_neighbours(s, NOWHERE, first);
		return;
	}
	for (uint32_t round = 0;; round++) {
		bisect(s, &lo, &hi);
		if (round == ROUNDS_MAX)
			break;
		other = look_for(s, first, lo, true, WORSE_SAMPLES);
		if (other == NOWHERE)
			break;
		note_exception(s, lo);
		hi = other;
		lo = first;
	}
	note_exception(s, look_for(s, hi + 1, s->ladder.n, false, BETTER_SAMPLES));
	keep_neighbours(s, lo, hi);
}

/* ---- nothing ---------------------------------------------------------------------------------- */

static void out_shown(struct solver *s, struct out *o, struct value v)
{
	solve_print_value(o, s->ev->program, v, s->q->path.type);
}

static void note_reason(struct solver *s, struct diag *d, const char *before, const struct solve_reason *why,
			const char *behind)
{
	struct out v;

	out_init(&v, s->ev->lasting);
	out_shown(s, &v, why->value);
	diag_note(d, "%s%.*s%s: %.*s", before, (int)v.n, v.p, behind, (int)why->shown->message.n, why->shown->message.p);
}

/* Reports that no value is met, with the reason of the most promising one. `alone`: no other is legal, for a reason. */
static enum solve_answer report_never(struct solver *s, int64_t place, bool legal, bool alone)
{
	struct diag *d = diag_new(s->ev->sink, E2704, s->q->path.span);
	struct solve_reason why, next;
	struct out text;

	try(s, place, legal, &why);
	out_init(&text, s->ev->lasting);
	out_printf(&text, "no value of `%.*s` from ", (int)s->q->path.text.n, s->q->path.text.p);
	out_shown(s, &text, s->r->low);
	out_text(&text, " to ");
	out_shown(s, &text, s->r->high);
	out_text(&text, legal ? " is enough" : " keeps the rules");
	diag_message(d, "%.*s", (int)text.n, text.p);
	note_reason(s, d, "with ", &why, "");
	if (alone && place + 1 < s->ladder.n) {
		try(s, place + 1, false, &next);
		note_reason(s, d, "", &next, " is not legal");
	}
	diag_draw(d, why.shown->drawn);
	for (uint32_t i = 0; i < why.shown->values.n; i++)
		diag_value(d, why.shown->values.at[i]);
	diag_help(d, "ask for less, or search elsewhere with `--in A..B`");
	diag_submit(d);
	return SOLVE_NEVER;
}

static enum solve_answer report_stuck(struct solver *s)
{
	struct diag *d = diag_new(s->ev->sink, E2703, s->q->path.span);

	diag_message(d, "more than 100,000 values of `%.*s` were tested for rules they break", (int)s->q->path.text.n,
		     s->q->path.text.p);
	diag_help(d, "give a narrower range or a step, `--in A..B by C`, or a list");
	diag_submit(d);
	return SOLVE_REFUSED;
}

static enum solve_answer search(struct solver *s)
{
	int64_t n = s->ladder.n, first = legal_from(s, 0, n, 1), last, met;

	if (s->stuck)
		return report_stuck(s);
	if (first == NOWHERE)
		return report_never(s, n - 1, false, false);
	last = met = legal_from(s, n - 1, first - 1, -1);
	if (!is_met(s, last)) {
		met = is_met(s, first) ? first : look_for(s, first, last, true, WORSE_SAMPLES + BETTER_SAMPLES);
		if (met == NOWHERE)
			return s->stuck ? report_stuck(s) : report_never(s, last, true, first == last);
		note_exception(s, last);
	}
	find_border(s, first, met);
	return s->stuck ? report_stuck(s) : SOLVE_FOUND;
}

/* ---- the question ----------------------------------------------------------------------------- */

/* What the plan says now; none when it says nothing or nothing that can be had. */
static struct value present(struct eval *ev, const struct ir_inverse *q)
{
	struct value v = eval_global(ev, q->global);

	for (uint32_t i = 0; i < q->path.slot_count && v.kind == VALUE_RECORD; i++)
		v = record_get(ev, v.record, q->path.slots[i]);
	return v;
}

static bool something_follows(struct solver *s)
{
	const struct probe_plan *plan = &s->plan;
	struct diag *d;

	if (plan->may.globals[s->q->subject] || ir_assert_depends(&plan->may, &s->q->such_that))
		return true;
	d = diag_new(s->ev->sink, E2701, s->q->path.span);
	diag_message(d, "nothing of `%s` depends on `%.*s`",
		     sym_str(s->ev->program->names, s->ev->program->globals.at[s->q->subject].name).p,
		     (int)s->q->path.text.n, s->q->path.text.p);
	diag_submit(d);
	return false;
}

enum solve_answer solve_run(struct eval *ev, const struct ir_inverse *q, struct solve_options options,
			    struct solve_result *r)
{
	struct solver s = { .ev = ev, .q = q, .r = r };
	uint32_t errors = ev->sink->errors;

	*r = (struct solve_result){ .question = q, .options = options, .monotone = true };
	r->now = present(ev, q);
	if (ev->sink->errors > errors || !ladder_make(&s.ladder, ev, q, r->now, options.precision))
		return SOLVE_REFUSED;
	r->values = s.ladder.n;
	r->low = ladder_value(&s.ladder, ev->lasting, 0);
	r->high = ladder_value(&s.ladder, ev->lasting, s.ladder.n - 1);
	r->step = s.ladder.kind == LADDER_STEPS ? value_number(s.ladder.step) : value_none();
	probe_plan_init(&s.plan, ev, q->global, q->subject);
	if (!something_follows(&s))
		return SOLVE_REFUSED;
	s.probe = probe_make(&s.plan);
	s.steps = ARENA_ARRAY(ev->lasting, struct record_step, q->path.slot_count + 1);
	for (uint32_t i = 0; i < q->path.slot_count; i++)
		s.steps[i] = (struct record_step){ q->path.slots[i], -1 };
	s.known = ARENA_ARRAY(ev->lasting, unsigned char, s.ladder.n);
	return search(&s);
}
