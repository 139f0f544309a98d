/* advice.c - what std:suggest says about a model and a cluster, as plain structs. */
#include "runtime/suggest/suggest_int.h"

static const char asked_name[] = "planc_suggests";

static void put_number(struct out *o, const char *field, int64_t n)
{
	if (n != 0)
		out_printf(o, "  %s = %lld\n", field, (long long)n);
}

static struct str question_text(struct arena *a, const struct suggest_question *q, struct range range)
{
	struct out o;

	out_init(&o, a);
	out_text(&o, "edition 1\nimport \"std:suggest\" { suggestion }\n");
	put_imports(&o, q);
	/* Here, where a preset that is not there is a message of its own. */
	if (q->profile.n > 0) {
		out_text(&o, "let planc_profile: profile = ");
		put_name(&o, q->profile);
		out_char(&o, '\n');
	}
	out_printf(&o, "suggestion %s {\n  model = ", asked_name);
	put_name(&o, q->model.name);
	out_text(&o, "\n  cluster = ");
	put_name(&o, q->cluster.name);
	out_char(&o, '\n');
	put_number(&o, "wanted", range.gpus ? range.gpus : q->gpus);
	put_number(&o, "wanted_sequence", q->sequence);
	put_number(&o, "wanted_batch", q->global);
	out_text(&o, "  target = ");
	put_quoted(&o, q->target);
	out_text(&o, "\n  version = ");
	put_quoted(&o, q->version);
	out_printf(&o, "\n  reach = %lld\n  lean = %s\n  advised = %s\n  at = \"%s\"\n}\n", (long long)range.reach,
		   range.lean ? "true" : "false", range.advised ? "true" : "false", has_target(q) ? "job." : "");
	return str_copy(a, out_view(&o));
}

/* ---- reading the record ------------------------------------------------------------------------------- */

/* What is read goes to the arena of the asker: that of the trial is given back. */
struct reader {
	struct arena *arena;
	struct eval *ev;
	bool fine;
};

static struct value get(struct reader *r, struct record *from, const char *field)
{
	struct value v = record_get_named(r->ev, from, field);

	r->fine = r->fine && v.kind != VALUE_POISON;
	return v;
}

static struct str get_text(struct reader *r, struct record *from, const char *field)
{
	struct value v = get(r, from, field);

	return v.kind == VALUE_STRING ? str_copy(r->arena, v.text) : STR("");
}

static int64_t get_number(struct reader *r, struct record *from, const char *field)
{
	struct value v = get(r, from, field);
	int64_t n = 0;

	if (v.kind == VALUE_NUMBER && !num_fits_int64(v.number, &n))
		r->fine = false;
	return n;
}

static const struct list *get_list(struct reader *r, struct record *from, const char *field)
{
	static const struct list none = { NULL, 0 };
	struct value v = get(r, from, field);

	return v.kind == VALUE_LIST ? v.list : &none;
}

static struct texts texts_of(struct reader *r, const struct list *l)
{
	struct texts t = { ARENA_ARRAY(r->arena, struct str, l->n + 1), l->n };

	for (uint32_t i = 0; i < l->n; i++)
		t.at[i] = str_copy(r->arena, l->at[i].text);
	return t;
}

static struct choice read_choice(struct reader *r, struct record *from)
{
	const struct list *values = get_list(r, from, "values");
	struct choice c = {
		.rule = get_text(r, from, "rule"),
		.says = get_text(r, from, "says"),
		.guess = get_text(r, from, "guess"),
		.fields = texts_of(r, get_list(r, from, "fields")),
		.usual = texts_of(r, get_list(r, from, "usual")),
		.values = ARENA_ARRAY(r->arena, struct texts, values->n + 1),
		.count = values->n,
	};

	for (uint32_t i = 0; i < values->n; i++) {
		c.values[i] = texts_of(r, values->at[i].list);
		invariant(c.values[i].n == c.fields.n, "a choice of std:suggest has a text for every field");
	}
	return c;
}

static void read_lists(struct reader *r, struct record *from, struct advice *a)
{
	const struct list *choices = get_list(r, from, "choices"), *settings = get_list(r, from, "settings"),
			  *limits = get_list(r, from, "limits");

	a->choices = ARENA_ARRAY(r->arena, struct choice, choices->n + 1);
	a->settings = ARENA_ARRAY(r->arena, struct setting, settings->n + 1);
	a->limits = ARENA_ARRAY(r->arena, struct limit, limits->n + 1);
	for (uint32_t i = 0; i < choices->n; i++)
		a->choices[a->choice_count++] = read_choice(r, choices->at[i].record);
	for (uint32_t i = 0; i < settings->n; i++) {
		struct record *s = settings->at[i].record;

		a->settings[a->setting_count++] = (struct setting){ get_text(r, s, "rule"), get_text(r, s, "says"),
								    get_text(r, s, "field"),
								    get_text(r, s, "value") };
	}
	for (uint32_t i = 0; i < limits->n; i++) {
		struct record *l = limits->at[i].record;

		a->limits[a->limit_count++] = (struct limit){ get_text(r, l, "name"), get_text(r, l, "counts"),
							      get_text(r, l, "holds"), get_text(r, l, "says") };
	}
}

static void read_framework(struct reader *r, struct record *from, struct advice *a)
{
	const struct ir_program *p = r->ev->program;
	struct value v = get(r, from, "framework"), name;
	uint32_t names = ir_find_enum(p, "framework_name");

	if (v.kind != VALUE_RECORD)
		return;
	name = get(r, v.record, "name");
	a->version = get_text(r, v.record, "version");
	if (name.kind == VALUE_ENUM && names != IR_NONE)
		a->framework = str_copy(r->arena, sym_str(p->names, p->enums.at[names].values[name.ordinal]));
}

static void read_cluster(struct reader *r, struct record *from, struct advice *a)
{
	struct value v = get(r, from, "cluster");

	if (v.kind != VALUE_RECORD)
		return;
	a->gpus_per_node = get_number(r, v.record, "gpus_per_node");
	a->other_nodes = get_number(r, v.record, "nodes") != a->nodes;
}

/* A question that cannot be answered leaves the rest unread: it may not be there to be had. */
static bool read_advice(struct reader *r, struct record *from, struct advice *a)
{
	*a = (struct advice){ .fault = get_text(r, from, "fault") };
	if (!r->fine || a->fault.n > 0)
		return r->fine;
	a->gpus = get_number(r, from, "gpus");
	a->nodes = get_number(r, from, "nodes");
	a->sequence = get_number(r, from, "sequence");
	a->global = get_number(r, from, "global");
	a->gpus_says = get_text(r, from, "gpus_says");
	a->sequence_says = get_text(r, from, "sequence_says");
	a->global_says = get_text(r, from, "global_says");
	a->goals = texts_of(r, get_list(r, from, "goals"));
	a->goals_say = get_text(r, from, "goals_say");
	read_cluster(r, from, a);
	read_framework(r, from, a);
	read_lists(r, from, a);
	return r->fine;
}

static struct record *answer_of(struct trial *t)
{
	const struct ir_program *p = t->program;

	for (uint32_t i = 0; p && i < p->globals.n; i++)
		if (p->globals.at[i].file == p->root_file &&
		    str_is(sym_str(p->names, p->globals.at[i].name), asked_name)) {
			struct value v = eval_global(&t->ev, i);

			return v.kind == VALUE_RECORD ? v.record : NULL;
		}
	return NULL;
}

/* The records of the question themselves have to be sound; the user wrote them, or named a library of his own. */
static bool subjects_hold(const struct suggest_asker *a, const struct trial *t)
{
	struct str why = trial_complaint(t);

	if (t->sink.errors == 0)
		return true;
	diag_report(a->like->sink, E2706, SPAN_NONE, "nothing can be suggested: %.*s", (int)why.n, why.p);
	return false;
}

bool advice_ask(const struct suggest_asker *a, const struct suggest_question *q, struct range range,
		struct advice *advice)
{
	struct str text = question_text(a->like->arena, q, range);
	struct trial *t = trial_begin(a, q, text);
	struct record *from = answer_of(t);
	struct reader r = { a->like->arena, &t->ev, true };
	bool compiled = t->program != NULL, fine = false;

	if (from && record_check(&t->ev, from, SPAN_NONE, STR("the question")))
		fine = read_advice(&r, from, advice);
	if (compiled && !fine && subjects_hold(a, t))
		diag_report(a->like->sink, E2706, SPAN_NONE, "nothing can be suggested: a value of std:suggest is missing");
	trial_end(t);
	if (!compiled && subject_exists(a, q, &q->model, "model") && subject_exists(a, q, &q->cluster, "cluster"))
		trial_blame(a, q, text);
	return fine;
}
