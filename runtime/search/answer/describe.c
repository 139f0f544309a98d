/* describe.c - names of axes and conditions, the number of candidates as a product, records that last. */
#include "runtime/search/search_int.h"

uint32_t search_path_count(const struct search *s)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < s->sweep->axis_count; k++)
		n += s->sweep->axes[k].path_count;
	return n;
}

uint32_t search_axis_of(const struct search *s, uint32_t *k)
{
	uint32_t axis = 0;

	while (*k >= s->sweep->axes[axis].path_count)
		*k -= s->sweep->axes[axis++].path_count;
	return axis;
}

const struct ir_path *search_path(const struct search *s, uint32_t k)
{
	uint32_t axis = search_axis_of(s, &k);

	return &s->sweep->axes[axis].paths[k];
}

static bool ends_with(struct str path, struct str end)
{
	return path.n >= end.n && memcmp(path.p + path.n - end.n, end.p, end.n) == 0 &&
	       (path.n == end.n || path.p[path.n - end.n - 1] == '.');
}

static bool is_unique(const struct search *s, struct str end)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < search_path_count(s); i++)
		n += ends_with(search_path(s, i)->text, end);
	return n == 1;
}

struct str search_path_name(const struct search *s, uint32_t k)
{
	struct str text = search_path(s, k)->text;

	for (uint32_t i = text.n; i > 0; i--)
		if (text.p[i - 1] == '.' && is_unique(s, str_slice(text, i, text.n)))
			return str_slice(text, i, text.n);
	return text;
}

/* ---- the product ----------------------------------------------------------------------------- */

static struct str axis_words(const struct search *s, uint32_t axis)
{
	struct out o;
	uint32_t first = 0;

	out_init(&o, s->ev->lasting);
	for (uint32_t i = 0; i < axis; i++)
		first += s->sweep->axes[i].path_count;
	for (uint32_t i = 0; i < s->sweep->axes[axis].path_count; i++) {
		out_text(&o, i > 0 ? "+" : "");
		out_str(&o, search_path_name(s, first + i));
	}
	return str_copy(s->ev->lasting, out_view(&o));
}

/* Axes that depend on each other, directly or through others. */
static uint64_t family(const struct space *sp, uint32_t k)
{
	uint64_t axes = sp->axes[k].known_by, before = 0;

	while (axes != before) {
		before = axes;
		for (uint32_t i = 0; i < sp->n; i++)
			if ((sp->axes[i].known_by & axes) != 0)
				axes |= sp->axes[i].known_by;
	}
	return axes;
}

/* Candidates of a family alone: the axes outside it stand still. */
static uint64_t count_family(struct space *sp, uint64_t axes, uint32_t k)
{
	uint64_t sum = 0;

	while (k < sp->n && !(axes >> k & 1))
		k++;
	if (k == sp->n)
		return 1;
	if (!space_open(sp, k))
		return 0;
	for (uint32_t i = 0, n = space_width(&sp->axes[k]); i < n; i++) {
		space_set(sp, k, i);
		sum += count_family(sp, axes, k + 1);
	}
	return sum;
}

/* One axis, and one behind it that is there only for some of its values: "(1 + 4 pp x 4 vpp)". */
static bool print_pair(struct out *o, struct space *sp, uint32_t a, uint32_t b)
{
	uint32_t off = 0, on = 0;

	if (sp->axes[b].ir->when == IR_NO_NODE || sp->axes[b].ir->values_read.axes != 0 ||
	    !space_open(sp, a))
		return false;
	for (uint32_t i = 0, n = space_width(&sp->axes[a]); i < n; i++) {
		space_set(sp, a, i);
		if (!space_open(sp, b))
			return false;
		if (sp->axes[b].off)
			off++;
		else
			on++;
	}
	struct str first = axis_words(sp->search, a), second = axis_words(sp->search, b);

	out_char(o, '(');
	if (off > 0)
		out_printf(o, "%u + ", off);
	out_printf(o, "%u %.*s x %u %.*s)", on, (int)first.n, first.p, sp->axes[b].values->n, (int)second.n,
		   second.p);
	return true;
}

static void print_family(struct out *o, struct space *sp, uint64_t axes, uint32_t k)
{
	uint32_t members[2] = { k, k }, n = 0;

	for (uint32_t i = 0; i < sp->n; i++)
		if (axes >> i & 1 && n++ < 2)
			members[n - 1] = i;
	if (n == 1) {
		struct str name = axis_words(sp->search, k);

		out_printf(o, "%u %.*s", sp->axes[k].values->n, (int)name.n, name.p);
		return;
	}
	if (n == 2 && print_pair(o, sp, members[0], members[1]))
		return;
	out_grouped(o, (int64_t)count_family(sp, axes, 0));
	for (uint32_t i = 0, first = 1; i < sp->n; i++) {
		if (!(axes >> i & 1))
			continue;
		struct str name = axis_words(sp->search, i);

		out_printf(o, "%s%.*s", first ? " (" : ", ", (int)name.n, name.p);
		first = 0;
	}
	out_char(o, ')');
}

void space_describe(struct search *s)
{
	struct space *sp = s->space;
	uint64_t done = 0;
	struct out o;

	out_init(&o, s->ev->lasting);
	s->product = STR("");
	if (s->total > 1000 * sp->limit)
		return;         /* too many to count their parts */
	for (uint32_t k = 0; k < sp->n; k++) {
		uint64_t axes = family(sp, k);

		if (done >> k & 1)
			continue;
		out_text(&o, o.n > 0 ? " x " : "");
		print_family(&o, sp, axes, k);
		done |= axes;
	}
	s->product = str_copy(s->ev->lasting, out_view(&o));
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* Values of axis k, in a record that lasts. */
static const struct list *lasting_values(struct search *s, uint32_t k, struct record *r)
{
	const struct loop *a = &s->space->axes[k];
	struct value v;

	if (a->ir->values_read.axes == 0)
		return a->values;
	v = eval_node(s->ev, a->ir->values, (struct scope){ .self = r });
	return v.kind == VALUE_LIST ? v.list : NULL;
}

struct record *search_record(struct search *s, uint64_t number)
{
	struct eval *ev = s->ev;
	struct arena *around = ev->arena;
	struct record *r = s->base;

	space_goto(s->space, number);
	ev->arena = ev->lasting;
	for (uint32_t k = 0; k < s->space->n; k++) {
		const struct loop *a = &s->space->axes[k];
		const struct list *values = a->off ? NULL : lasting_values(s, k, r);

		for (uint32_t i = 0; values && i < a->ir->path_count; i++) {
			struct frame *f = ARENA_NEW(ev->arena, struct frame);

			*f = (struct frame){ space_value(a, values, a->position, i), NULL };
			r = record_extend(ev, r, a->ir->paths[i].layer, f);
		}
	}
	ev->arena = around;
	bench_release(s->bench);
	return r;
}

struct str search_row_place(const struct search *s, const struct search_row *row)
{
	const struct sources *sources = s->ev->program->sources;
	const struct source *f;
	struct out o;

	if (!row->condition)
		return STR("");
	f = source_get(sources, row->condition->rule.span.file);
	out_init(&o, s->ev->lasting);
	out_str(&o, f->path);
	if (!f->library)
		out_printf(&o, ":%u", source_position(f, row->condition->rule.span.lo).line);
	return str_copy(s->ev->lasting, out_view(&o));
}
