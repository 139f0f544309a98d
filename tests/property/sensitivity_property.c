/*
 * What `planc sensitivity` says of the examples, against the plan with each change written into it: an edited plan
 * is compiled and evaluated from its text, and every step time and memory has to come out the same, to the last bit.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/api/shared/compilation.h"
#include "runtime/ask/sensitivity/sensitivity.h"
#include "runtime/search/search.h"

struct subject {
	const char *file;
	const char *sweep;           /* NULL: the job */
	const char *job;
};

static const struct subject subjects[] = {
	{ "examples/llama3_8b_a100.plan", NULL, "pretrain" },
	{ "examples/gpt3_175b_dgx_a100.plan", NULL, "pretrain" },
	{ "examples/qwen3_8b_grpo.plan", NULL, "learner" },
	{ "examples/llama3_70b_sweep.plan", "grids", NULL },
	{ "examples/llama3_8b_sweep.plan", "layouts", NULL },
	{ "examples/search_llama3_8b_a100.plan", "grids", NULL },
	{ "examples/deepseek_v3_h800.plan", "layouts", NULL },
};

struct plan {
	struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	struct compile_input in;
	struct ir_program *p;
	struct eval ev;
};

static const struct subject *at;         /* for messages */

static void fail(const char *law, struct str what)
{
	printf("sensitivity_property: %s %s: %s: %.*s\n", at->file, at->sweep ? at->sweep : at->job, law, (int)what.n,
	       what.p);
	exit(1);
}

static struct str messages(struct plan *p)
{
	struct out o;

	out_init(&o, &p->arena);
	diag_render(&p->sink, (struct diag_style){ DIAG_HUMAN, false, 0 }, &o);
	return out_view(&o);
}

/* The file, with more text behind it. */
static void open_plan(struct plan *p, struct str more)
{
	struct out text;
	uint32_t file;

	arena_init(&p->arena, NULL);
	sources_init(&p->sources, &p->arena);
	diag_sink_init(&p->sink, &p->arena, &p->sources);
	if (sources_load(&p->sources, str_of(at->file), &file) != SOURCE_OK)
		fail("it cannot be read", STR(""));
	out_init(&text, &p->arena);
	out_str(&text, source_get(&p->sources, file)->text);
	out_str(&text, more);
	p->in = (struct compile_input){ .arena = &p->arena, .sources = &p->sources, .sink = &p->sink,
					.path = str_of(at->file), .text = out_view(&text), .without_emits = true };
	p->in.names = interner_make(&p->arena);
	p->p = compilation_make(&p->in, &p->ev);
	if (!p->p)
		fail("the edited plan does not compile", messages(p));
}

/* ---- changes as text --------------------------------------------------------------------------- */

/* " with { cluster { gpu { memory = VALUE } } }" */
static void out_with(struct out *o, struct str path, struct str value)
{
	uint32_t depth = 1;

	out_text(o, " with { ");
	for (uint32_t i = 0; i < path.n; i++) {
		if (path.p[i] != '.') {
			out_char(o, path.p[i]);
			continue;
		}
		out_text(o, " { ");
		depth++;
	}
	out_printf(o, " = %.*s", (int)value.n, value.p);
	for (uint32_t i = 0; i < depth; i++)
		out_text(o, " }");
}

static bool is_word(struct str text)
{
	for (uint32_t i = 0; i < text.n; i++)
		if (!(text.p[i] == '_' || (text.p[i] >= '0' && text.p[i] <= '9') || (text.p[i] >= 'a' && text.p[i] <= 'z')))
			return false;
	return text.n > 0;
}

static bool has(struct str text, char c)
{
	return text.n > 0 && memchr(text.p, c, text.n) != NULL;
}

/* The job that was looked at: the job of the plan, or that of the sweep with the values of its best candidate, of
 * which `path` has another one. false when a value is no word: tuples and records. */
static bool out_job(struct out *o, struct sensitivity *s, struct str path, struct str value)
{
	struct search *search = s->search;
	const struct ir_program *p = s->ev->program;

	if (!search) {
		out_text(o, at->job);
		return true;
	}
	out_str(o, source_slice(p->sources, p->nodes.at[search->sweep->of].span));
	for (uint32_t k = 0; k < search_path_count(search); k++) {
		struct str now = search_cell_text(search, s->number, k), text = search_path(search, k)->text;
		bool changed = str_equal(text, path);

		if (str_is(now, "-") && !changed)
			continue;
		if (!is_word(changed ? value : now))
			return false;
		out_with(o, text, changed ? value : now);
	}
	return true;
}

/* Parts of a path of the job that may be `none` are asked first: "if as_is.a != none and as_is.a.b != none then ". The
 * type at its end. */
static const struct type *out_guards(struct out *o, const struct sensitivity *s, struct str path)
{
	const struct ir_program *p = s->ev->program;
	const struct type *t = NULL;
	uint32_t schema = s->job->schema, guards = 0;

	for (uint32_t i = 0, from = 0; i <= path.n; i++) {
		if (i < path.n && path.p[i] != '.')
			continue;
		t = p->schemas.at[schema].fields[ir_find_field(p, schema, str_slice(path, from, i))].type;
		if (t->kind == TYPE_OPTION)
			out_printf(o, "%s as_is.%.*s != none", guards++ == 0 ? "if" : " and", (int)i, path.p);
		t = t->kind == TYPE_OPTION ? t->of : t;
		schema = t->kind == TYPE_RECORD ? t->index : schema;
		from = i + 1;
	}
	out_text(o, guards > 0 ? " then " : "");
	return t;
}

/* The job with a tenth less or more of what it has; bytes are whole. */
static void out_scaled(struct out *o, const struct sensitivity *s, struct str path, int tenths)
{
	size_t before = o->n;
	const struct type *t = out_guards(o, s, path);
	bool guarded = o->n > before;
	struct out value;

	out_init(&value, o->arena);
	out_printf(&value, t->dim.info == 1 && t->dim.time == 0 ? "floor(as_is.%.*s * %d / 10 / 1 B) * 1 B"
								  : "as_is.%.*s * %d / 10", (int)path.n, path.p, tenths);
	out_text(o, "as_is");
	out_with(o, path, out_view(&value));
	out_text(o, guarded ? " else as_is" : "");
}

/* What the edited plan has to say: the k-th step time and memory. */
struct claim {
	const struct change *change;
	int side;
};

struct claims {
	VEC(struct claim) at;
	struct out lets;
};

static void claim(struct claims *c, struct arena *a, struct str job, const struct change *change, int side)
{
	uint32_t k = c->at.n;

	*VEC_ADD(a, &c->at) = (struct claim){ change, side };
	out_printf(&c->lets, "\nlet edited_%u = %.*s\nlet time_%u = edited_%u.step.time\nlet memory_%u = "
			     "edited_%u.memory.reserved\n", k, (int)job.n, job.p, k, k, k, k);
}

/* An axis that switches others on, or decides their values, moves more than itself. */
static bool moves_others(const struct ir_sweep *w, struct str path)
{
	for (uint32_t k = 0; k < w->axis_count; k++) {
		if (!str_equal(w->axes[k].paths[0].text, path))
			continue;
		for (uint32_t other = k + 1; other < w->axis_count; other++)
			if (w->axes[other].reads.axes >> k & 1)
				return true;
	}
	return false;
}

static void claim_axes(struct claims *c, struct plan *p, struct sensitivity *s)
{
	for (uint32_t i = 0; i < s->axes.n; i++) {
		const struct change *x = &s->axes.at[i];

		for (int side = 0; side < 2; side++) {
			struct out job;

			out_init(&job, &p->arena);
			if (x->to[side].n > 0 && x->after[side].there && !moves_others(s->search->sweep, x->path) &&
			    out_job(&job, s, x->path, x->to[side]))
				claim(c, &p->arena, out_view(&job), x, side);
		}
	}
}

static void claim_figures(struct claims *c, struct plan *p, struct sensitivity *s)
{
	struct out job;

	out_init(&job, &p->arena);
	if (!out_job(&job, s, STR(""), STR(""))) {
		out_init(&job, &p->arena);
		out_printf(&job, "top(%s, 1)[0]", at->sweep);
	}
	out_printf(&c->lets, "\nlet as_is = %.*s\n", (int)job.n, job.p);
	for (uint32_t i = 0; i < s->figures.n; i++) {
		const struct change *x = &s->figures.at[i];

		for (int side = 0; side < 2; side++) {
			struct out edited;

			if (x->to[side].n == 0 || !x->after[side].there || has(x->path, '['))
				continue;
			out_init(&edited, &p->arena);
			out_scaled(&edited, s, x->path, side == 0 ? 9 : 11);
			claim(c, &p->arena, out_view(&edited), x, side);
		}
	}
}

/* ---- the law ------------------------------------------------------------------------------------- */

static struct value global(struct plan *p, const char *what, uint32_t k)
{
	char name[40];
	struct value v;

	snprintf(name, sizeof name, "%s_%u", what, k);
	v = eval_global(&p->ev, ir_find_global(p->p, str_of(name)));
	if (v.kind == VALUE_NUMBER || v.kind == VALUE_REAL)
		return v;
	fail("the edited plan has no such value", messages(p));
	return v;
}

static void compare(struct claims *c)
{
	struct plan edited = { 0 };

	open_plan(&edited, out_view(&c->lets));
	for (uint32_t k = 0; k < c->at.n; k++) {
		const struct change *x = c->at.at[k].change;
		const struct outcome *r = &x->after[c->at.at[k].side];

		if (value_to_double(global(&edited, "time", k)) != r->time)
			fail("another step time", x->path);
		if (value_to_double(global(&edited, "memory", k)) != (double)r->reserved)
			fail("another memory", x->path);
	}
	arena_release(&edited.arena);
}

static struct search *best_of(struct plan *p)
{
	static const struct search_options best = { .keep = SEARCH_KEEP };

	for (uint32_t i = 0; i < p->p->sweeps.n; i++)
		if (at->sweep && str_is(sym_str(p->in.names, p->p->sweeps.at[i].name), at->sweep))
			return search_once(&p->ev, i, &best, SPAN_NONE);
	return NULL;
}

static uint32_t check_one(void)
{
	struct plan p = { 0 };
	struct sensitivity s;
	struct claims c = { 0 };
	struct record *job = NULL;
	uint32_t n;

	open_plan(&p, STR(""));
	struct search *search = best_of(&p);
	if (!search)
		job = eval_global(&p.ev, ir_find_global(p.p, str_of(at->job))).record;
	if (!sensitivity_run(&s, &p.ev, search, job, str_of(at->sweep ? at->sweep : at->job), SPAN_NONE))
		fail("no answer", STR(""));
	out_init(&c.lets, &p.arena);
	claim_axes(&c, &p, &s);
	claim_figures(&c, &p, &s);
	if (c.at.n < 10)
		fail("hardly anything to compare", STR(""));
	compare(&c);
	n = c.at.n;
	arena_release(&p.arena);
	return n;
}

int main(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < PLAN_COUNT(subjects); i++) {
		at = &subjects[i];
		n += check_one();
	}
	printf("sensitivity_property: %u changes of %zu plans are those of the edited plans\n", n, PLAN_COUNT(subjects));
	return 0;
}
