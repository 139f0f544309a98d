/* text.c - a sensitivity for people and for programs. */
#include "runtime/ask/sensitivity/sensitivity_int.h"

#include <math.h>

#include "runtime/io/json_write.h"

/* What is below this does not show in four digits. */
static const double nothing = 5e-5;

enum { COLUMNS = 6 };

struct cells {
	struct arena *arena;
	VEC(struct str) at;
	uint32_t columns;
};

static void add(struct cells *t, struct str s)
{
	*VEC_ADD(t->arena, &t->at) = s;
}

static void print_cells(struct out *o, const struct cells *t)
{
	uint32_t widths[COLUMNS] = { 0 };

	for (uint32_t i = 0; i < t->at.n; i++)
		if (text_width(t->at.at[i]) > widths[i % t->columns])
			widths[i % t->columns] = text_width(t->at.at[i]);
	for (uint32_t i = 0; i < t->at.n; i++) {
		uint32_t k = i % t->columns, pad = widths[k] - text_width(t->at.at[i]);
		bool left = k == 0 || k + 1 == t->columns;

		out_text(o, "  ");
		out_repeat(o, ' ', left ? 0 : pad);
		out_str(o, t->at.at[i]);
		if (k + 1 == t->columns) {
			while (o->n > 0 && o->p[o->n - 1] == ' ')
				o->n--;
			out_char(o, '\n');
		} else {
			out_repeat(o, ' ', left ? pad : 0);
		}
	}
}

/* ---- cells ------------------------------------------------------------------------------------ */

static struct str change_text(const struct sensitivity *s, double now, double then)
{
	struct out o;
	double x = now > 0 ? then / now - 1 : 0;

	out_init(&o, s->ev->lasting);
	if (fabs(x) < nothing)
		out_text(&o, "=");
	else
		out_printf(&o, "%+.2f %%", x * 100);
	return out_view(&o);
}

static struct str quantity_text(const struct sensitivity *s, double x, struct dimension d)
{
	struct out o;

	out_init(&o, s->ev->lasting);
	quantity_print(&o, x, d);
	return out_view(&o);
}

static struct str time_text(const struct sensitivity *s, double x)
{
	return quantity_text(s, x, (struct dimension){ 0, 1, 0, 0, 0 });
}

static struct str bytes_text(const struct sensitivity *s, double x)
{
	return quantity_text(s, x, (struct dimension){ 1, 0, 0, 0, 0 });
}

static struct str verdict_text(const struct sensitivity *s, const struct outcome *r)
{
	struct out o;

	if (r->feasible)
		return STR("feasible");
	out_init(&o, s->ev->lasting);
	out_printf(&o, "not feasible: %.*s", (int)r->reason.n, r->reason.p);
	return out_view(&o);
}

static bool has_goal(const struct sensitivity *s)
{
	return s->now.goal.kind == VALUE_REAL;
}

static struct str goal_name(const struct sensitivity *s)
{
	const struct ir_program *p = s->ev->program;

	return source_slice(p->sources, p->nodes.at[s->search->sweep->goals[0].value].span);
}

static void add_outcome(const struct sensitivity *s, struct cells *t, const struct outcome *r)
{
	bool goal = r->there && has_goal(s) && r->goal.kind == VALUE_REAL;

	add(t, r->there ? change_text(s, s->now.time, r->time) : STR("-"));
	add(t, r->there ? change_text(s, (double)s->now.reserved, (double)r->reserved) : STR("-"));
	if (has_goal(s))
		add(t, goal ? change_text(s, s->now.goal.real, r->goal.real) : STR("-"));
}

static void add_heads(const struct sensitivity *s, struct cells *t, const char *first, const char *second)
{
	add(t, str_of(first));
	add(t, str_of(second));
	add(t, STR("step time"));
	add(t, STR("memory"));
	if (has_goal(s))
		add(t, goal_name(s));
	add(t, STR(""));
	t->columns = has_goal(s) ? COLUMNS : COLUMNS - 1;
}

static struct str step_text(const struct sensitivity *s, const struct change *c, int side)
{
	struct out o;

	out_init(&o, s->ev->lasting);
	out_printf(&o, "%.*s -> %.*s", (int)c->from.n, c->from.p, (int)c->to[side].n, c->to[side].p);
	return out_view(&o);
}

/* ---- the report ------------------------------------------------------------------------------- */

static void print_head(const struct sensitivity *s, struct out *o)
{
	struct str time = time_text(s, s->now.time), memory = bytes_text(s, (double)s->now.reserved);

	out_printf(o, "%.*s", (int)s->name.n, s->name.p);
	if (s->search) {
		struct str words = search_describe(s->search, s->number);

		out_printf(o, ", candidate %llu: %.*s", (unsigned long long)s->number, (int)words.n, words.p);
	}
	out_printf(o, "\n  step time %.*s, memory %.*s", (int)time.n, time.p, (int)memory.n, memory.p);
	if (has_goal(s)) {
		struct str name = goal_name(s), text;

		text = shown_value(s, s->now.goal,
				   s->ev->program->nodes.at[s->search->sweep->goals[0].value].type);
		out_printf(o, ", %.*s %.*s", (int)name.n, name.p, (int)text.n, text.p);
	}
	out_char(o, '\n');
}

/* A row for each way that a field can be moved. */
static void add_change(const struct sensitivity *s, struct cells *t, const struct change *c)
{
	for (int side = 0; side < 2; side++) {
		if (c->to[side].n == 0)
			continue;
		add(t, c->path);
		add(t, step_text(s, c, side));
		add_outcome(s, t, &c->after[side]);
		add(t, verdict_text(s, &c->after[side]));
	}
}

static void print_axes(const struct sensitivity *s, struct out *o)
{
	struct cells t = { .arena = s->ev->lasting };

	if (s->axes.n == 0)
		return;
	out_text(o, "\none step along each axis\n");
	add_heads(s, &t, "axis", "step");
	for (uint32_t i = 0; i < s->axes.n; i++)
		add_change(s, &t, &s->axes.at[i]);
	print_cells(o, &t);
}

static bool matters(const struct sensitivity *s, const struct change *c)
{
	for (int i = 0; i < 2; i++)
		if (c->to[i].n > 0 && (!c->after[i].there || c->after[i].feasible != s->now.feasible))
			return true;
	return c->effect >= nothing;
}

static void print_figures(const struct sensitivity *s, struct out *o)
{
	struct cells t = { .arena = s->ev->lasting };
	uint32_t quiet = 0;

	out_text(o, "\nfigures of the hardware, a tenth less and a tenth more\n");
	add_heads(s, &t, "figure", "value");
	for (uint32_t i = 0; i < s->figures.n; i++) {
		const struct change *c = &s->figures.at[i];

		if (!matters(s, c)) {
			quiet++;
			continue;
		}
		add_change(s, &t, c);
	}
	print_cells(o, &t);
	if (quiet > 0)
		out_printf(o, "  %u other figure%s make%s no difference\n", quiet, quiet == 1 ? "" : "s",
			   quiet == 1 ? "s" : "");
}

void sensitivity_print_text(const struct sensitivity *s, struct out *o)
{
	print_head(s, o);
	print_axes(s, o);
	print_figures(s, o);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void json_outcome(const struct sensitivity *s, struct json_writer *w, const char *key, const struct outcome *r)
{
	json_begin_object(w, key);
	if (r->there) {
		json_real(w, "time", r->time);
		json_int(w, "reserved", r->reserved);
	} else {
		json_null(w, "time");
		json_null(w, "reserved");
	}
	if (r->there && has_goal(s) && r->goal.kind == VALUE_REAL)
		json_real(w, "goal", r->goal.real);
	else
		json_null(w, "goal");
	json_bool(w, "feasible", r->feasible);
	json_str(w, "reason", r->reason);
	json_end(w);
}

static void json_changes(const struct sensitivity *s, struct json_writer *w, const char *key, const struct change *at,
			 uint32_t n)
{
	json_begin_array(w, key);
	for (uint32_t i = 0; i < n; i++) {
		json_begin_object(w, NULL);
		json_str(w, "path", at[i].path);
		json_str(w, "from", at[i].from);
		json_real(w, "effect", at[i].effect);
		json_begin_array(w, "changes");
		for (int side = 0; side < 2; side++) {
			if (at[i].to[side].n == 0)
				continue;
			json_begin_object(w, NULL);
			json_str(w, "to", at[i].to[side]);
			json_outcome(s, w, "after", &at[i].after[side]);
			json_end(w);
		}
		json_end(w);
		json_end(w);
	}
	json_end(w);
}

void sensitivity_print_json(const struct sensitivity *s, struct out *o)
{
	struct json_writer w;

	json_writer_init(&w, s->ev->lasting);
	json_begin_object(&w, NULL);
	json_text(&w, "schema", "planc.sensitivity/1");
	json_str(&w, "of", s->name);
	if (s->search)
		json_int(&w, "candidate", (int64_t)s->number);
	else
		json_null(&w, "candidate");
	if (has_goal(s))
		json_str(&w, "goal", goal_name(s));
	else
		json_null(&w, "goal");
	json_outcome(s, &w, "now", &s->now);
	json_changes(s, &w, "axes", s->axes.at, s->axes.n);
	json_changes(s, &w, "hardware", s->figures.at, s->figures.n);
	json_end(&w);
	json_print(&w, o, true);
	out_char(o, '\n');
}
