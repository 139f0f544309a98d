/* space.c - the axes of a sweep: their values at a place, how many candidates lie inside it. */
#include "runtime/search/search_int.h"

/* Values that an axis is taken to have at most where they depend on other axes; places that are opened
 * to count candidates, after which there are simply too many. */
enum { VARYING_MAX = 1 << 20, COUNTING_MAX = 4000000 };

static uint64_t saturating_multiply(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static bool conditional(const struct loop *a)
{
	return a->ir->when != IR_NO_NODE;
}

/* ---- keys ------------------------------------------------------------------------------------ */

uint64_t space_span(const struct space *sp, uint64_t axes)
{
	uint64_t span = 1;

	for (uint32_t k = 0; k < sp->n; k++)
		if (axes >> k & 1)
			span = saturating_multiply(span, sp->axes[k].radix);
	return span == UINT64_MAX ? 0 : span;
}

uint64_t space_key(const struct space *sp, uint64_t axes)
{
	uint64_t key = 0;

	for (uint32_t k = 0; k < sp->n; k++) {
		const struct loop *a = &sp->axes[k];

		if (axes >> k & 1)
			key = key * a->radix + (a->off ? a->radix - 1 : a->position);
	}
	return key;
}

/* ---- values at a place ------------------------------------------------------------------------ */

static bool refuse(struct space *sp, struct span at, enum diag_code code, const char *text)
{
	if (!sp->failed)
		diag_report(sp->search->ev->sink, code, at, "%s", text);
	sp->failed = true;
	return false;
}

/* An expression of the axis in the record with the axes before it; in the base record, for good, when
 * it reads none of them. */
static struct value evaluate(struct space *sp, uint32_t axis, ir_id node, struct ir_reads reads)
{
	uint32_t k = reads.axes == 0 ? 0 : axis;
	struct eval *ev = sp->search->ev;
	struct bench *b = sp->search->bench;
	struct record *r = bench_record(b, k);
	struct arena *around = ev->arena;
	struct value v;

	ev->arena = k == 0 ? ev->lasting : &b->levels[k].arena;
	v = eval_node(ev, node, (struct scope){ .self = r });
	ev->arena = around;
	return v;
}

/* "strategy.tp = 4, batch.micro = 2": of the axes that axis k depends on. */
static void out_place(const struct space *sp, struct out *o, uint32_t k)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < k; i++) {
		const struct loop *a = &sp->axes[i];

		for (uint32_t path = 0; path < a->ir->path_count && sp->axes[k].known_by >> i & 1 && !a->off; path++) {
			const struct ir_path *p = &a->ir->paths[path];

			out_printf(o, "%s%.*s = ", n++ > 0 ? ", " : "", (int)p->text.n, p->text.p);
			value_print(o, sp->search->ev->program, space_value(a, a->values, a->position, path), p->type);
		}
	}
}

static bool report_empty(struct space *sp, uint32_t k)
{
	struct diag *d = diag_new(sp->search->ev->sink, E2406, sp->axes[k].ir->span);
	struct out o;

	sp->failed = true;
	out_init(&o, sp->search->ev->lasting);
	out_place(sp, &o, k);
	if (o.n > 0) {
		diag_message(d, "this axis has no values where %.*s", (int)o.n, o.p);
		diag_help(d, "a `when` switches the axis off there, so that its field keeps its value");
	} else {
		diag_message(d, "this axis has no values, so there are no candidates");
	}
	diag_submit(d);
	return false;
}

static bool read_values(struct space *sp, uint32_t k)
{
	struct loop *a = &sp->axes[k];
	struct value v;

	if (a->values && a->ir->values_read.axes == 0)
		return true;
	v = evaluate(sp, k, a->ir->values, a->ir->values_read);
	if (v.kind != VALUE_LIST) {
		sp->failed = true;
		return false;
	}
	a->values = v.list;
	if (v.list->n >= VARYING_MAX)
		return refuse(sp, a->ir->span, E2405, "this axis has more than a million values");
	return v.list->n > 0 || report_empty(sp, k);
}

static bool read_when(struct space *sp, uint32_t k, bool *on)
{
	struct loop *a = &sp->axes[k];
	bool remembers = space_span(sp, a->ir->reads.axes) != 0;
	uint64_t key = remembers ? space_key(sp, a->ir->reads.axes) : 0;
	uint32_t known = remembers ? map_find(&a->when, key) : MAP_NONE;
	struct value v;

	*on = true;
	if (!conditional(a))
		return true;
	if (known != MAP_NONE) {
		*on = known == 2;
		return true;
	}
	v = evaluate(sp, k, a->ir->when, a->ir->reads);
	if (v.kind != VALUE_BOOL) {
		sp->failed = true;
		return false;
	}
	*on = v.truth;
	if (remembers)
		map_set(&a->when, key, v.truth ? 2 : 1);
	return true;
}

bool space_open(struct space *sp, uint32_t k)
{
	struct loop *a = &sp->axes[k];
	bool on;

	if (!read_when(sp, k, &on))
		return false;
	a->off = !on;
	if (on && !read_values(sp, k))
		return false;
	space_set(sp, k, 0);
	return true;
}

void space_set(struct space *sp, uint32_t k, uint32_t position)
{
	sp->stands_at = 0;
	sp->axes[k].position = position;
	bench_moved(sp->search->bench, k);
}

uint32_t space_width(const struct loop *a)
{
	return a->off ? 1 : a->values->n;
}

struct value space_value(const struct loop *a, const struct list *values, uint32_t position,
			 uint32_t path)
{
	struct value v = values->at[position];

	return a->ir->path_count > 1 ? v.list->at[path] : v;
}

/* ---- counting -------------------------------------------------------------------------------- */

static uint64_t count_inside(struct space *sp, uint32_t level)
{
	struct loop *a = &sp->axes[level];
	uint64_t sum = 0;
	uint32_t width;

	if (!space_open(sp, level))
		return 0;
	width = space_width(a);
	if (!(sp->needs[level + 1] >> level & 1))
		return saturating_multiply(width, space_count(sp, level + 1));
	for (uint32_t i = 0; i < width && !sp->failed && sp->opened < COUNTING_MAX; i++) {
		sp->opened++;
		space_set(sp, level, i);
		sum = saturating_add(sum, space_count(sp, level + 1));
	}
	return sp->opened < COUNTING_MAX ? sum : UINT64_MAX;
}

uint64_t space_count(struct space *sp, uint32_t level)
{
	struct counts *c;
	uint64_t key, count;
	uint32_t at;
	bool remembers;

	if (level == sp->n)
		return 1;
	c = &sp->counts[level];
	remembers = space_span(sp, sp->needs[level]) != 0;
	key = remembers ? space_key(sp, sp->needs[level]) : 0;
	at = remembers ? map_find(&c->known, key) : MAP_NONE;
	if (at != MAP_NONE)
		return c->values.at[at];
	count = count_inside(sp, level);
	if (remembers && !sp->failed && sp->opened < COUNTING_MAX) {
		map_set(&c->known, key, c->values.n);
		*VEC_ADD(sp->search->ev->lasting, &c->values) = count;
	}
	return count;
}

void space_goto(struct space *sp, uint64_t number)
{
	for (uint32_t k = 0; k < sp->n && space_open(sp, k); k++) {
		uint32_t width = space_width(&sp->axes[k]);

		for (uint32_t i = 0; i < width; i++) {
			uint64_t inside;

			space_set(sp, k, i);
			inside = space_count(sp, k + 1);
			space_set(sp, k, i);
			if (number <= inside)
				break;
			number -= inside;
		}
	}
}

/* ---- making ---------------------------------------------------------------------------------- */

/* What axis k depends on, through others too: they come before it. */
static uint64_t closure(const struct space *sp, uint32_t k)
{
	uint64_t axes = (uint64_t)1 << k;

	for (uint32_t i = 0; i < k; i++)
		if (sp->axes[k].ir->reads.axes >> i & 1)
			axes |= sp->axes[i].known_by;
	return axes;
}

static void find_needs(struct space *sp)
{
	for (uint32_t level = sp->n + 1; level-- > 0;) {
		uint64_t outside = level >= 64 ? UINT64_MAX : ((uint64_t)1 << level) - 1;

		sp->needs[level] = level == sp->n ? 0
						  : (sp->needs[level + 1] | sp->axes[level].ir->reads.axes) & outside;
	}
}

/* Lists that depend on no other axis are there from the start. */
static bool make_axes(struct space *sp)
{
	for (uint32_t k = 0; k < sp->n; k++) {
		struct loop *a = &sp->axes[k];

		a->ir = &sp->search->sweep->axes[k];
		a->off = true;
		a->known_by = closure(sp, k);
		map_init(&a->when, sp->search->ev->lasting);
		if (a->ir->values_read.axes == 0 && !read_values(sp, k))
			return false;
		a->radix = (a->values ? a->values->n : VARYING_MAX) + conditional(a);
	}
	return true;
}

static bool read_limit(struct space *sp)
{
	struct search *s = sp->search;
	struct value v;
	int64_t n;

	sp->limit = SEARCH_LIMIT;
	if (s->sweep->limit == IR_NO_NODE)
		return true;
	v = eval_node(s->ev, s->sweep->limit, (struct scope){ 0 });
	if (v.kind != VALUE_NUMBER)
		return false;
	if (!num_fits_int64(v.number, &n) || n < 1)
		return refuse(sp, s->ev->program->nodes.at[s->sweep->limit].span, E2005,
			      "a limit of candidates is at least 1");
	sp->limit = (uint64_t)n;
	return true;
}

/* Somebody else's plan may ask for any number; the caller has the last word. */
static bool find_limit(struct space *sp)
{
	uint64_t most = sp->search->ev->candidates_max;

	if (!read_limit(sp))
		return false;
	sp->capped = most > 0 && most < sp->limit;
	if (sp->capped)
		sp->limit = most;
	return true;
}

static uint32_t widest_axis(const struct space *sp)
{
	uint32_t widest = 0;

	for (uint32_t k = 1; k < sp->n; k++)
		if (sp->axes[k].values && (!sp->axes[widest].values ||
					   sp->axes[k].values->n > sp->axes[widest].values->n))
			widest = k;
	return widest;
}

static void report_limit(struct space *sp)
{
	struct search *s = sp->search;
	struct diag *d = diag_new(s->ev->sink, E2405, s->sweep->span);
	const struct loop *widest = &sp->axes[widest_axis(sp)];
	struct str name = sym_str(s->ev->program->names, s->sweep->name);
	struct out o;

	out_init(&o, s->ev->lasting);
	if (s->total < UINT64_MAX && s->total < INT64_MAX)
		out_grouped(&o, (int64_t)s->total);
	else
		out_text(&o, "too many");
	out_printf(&o, " candidates, and %s limit is ", sp->capped ? "the" : "its");
	out_grouped(&o, (int64_t)sp->limit);
	diag_message(d, "`%.*s` has %.*s", (int)name.n, name.p, (int)o.n, o.p);
	diag_label(d, widest->ir->span, "%u values, the most",
		   widest->values ? widest->values->n : 0);
	if (s->product.n > 0)
		diag_note(d, "%.*s", (int)s->product.n, s->product.p);
	diag_help(d, "take fewer values, or raise the limit %s",
		  sp->capped ? "by `--limit candidates=NUMBER`" : "with `limit = n` in the sweep");
	diag_submit(d);
	sp->failed = true;
}

bool space_measure(struct search *s)
{
	struct arena *a = s->ev->lasting;
	struct space *sp = ARENA_NEW(a, struct space);
	uint32_t n = s->sweep->axis_count;

	s->space = sp;
	*sp = (struct space){ .search = s, .n = n };
	sp->axes = ARENA_ARRAY(a, struct loop, n + 1);
	sp->counts = ARENA_ARRAY(a, struct counts, n + 1);
	sp->needs = ARENA_ARRAY(a, uint64_t, n + 1);
	if (!find_limit(sp) || !make_axes(sp))
		return false;
	find_needs(sp);
	for (uint32_t k = 0; k <= n; k++)
		map_init(&sp->counts[k].known, a);
	s->total = space_count(sp, 0);
	if (sp->opened >= COUNTING_MAX)
		s->total = UINT64_MAX;
	sp->opened = 0;
	return !sp->failed;
}

bool space_within_limit(struct space *sp)
{
	if (sp->search->total <= sp->limit)
		return true;
	report_limit(sp);
	return false;
}
