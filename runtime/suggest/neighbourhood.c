/* neighbourhood.c - the values of all choices as a sweep, run; nothing is sampled, so the best of it is the best. */
#include "runtime/suggest/suggest_int.h"

/* Where the search goes out from: a job that is sound whatever the choices are, with as many samples as GPUs. */
static struct str start_text(struct arena *arena, const struct suggest_question *q, const struct advice *a)
{
	const char *start = free_name(q, "start", "start_job");
	struct out o;

	out_init(&o, arena);
	out_text(&o, "edition 1\n");
	put_imports(&o, q);
	if (has_target(q)) {
		out_text(&o, "import \"std:targets/");
		out_str(&o, q->target);
		out_text(&o, "\" { ");
		put_name(&o, q->target);
		out_text(&o, " }\n");
	}
	out_printf(&o, "job %s {\n", start);
	put_job_head(&o, q, a);
	for (uint32_t i = 0; i < a->setting_count; i++)
		out_printf(&o, "  %.*s = %.*s\n", (int)a->settings[i].field.n, a->settings[i].field.p,
			   (int)a->settings[i].value.n, a->settings[i].value.p);
	for (uint32_t k = 0; k < a->choice_count; k++)
		for (uint32_t i = 0; a->choices[k].count == 1 && i < a->choices[k].fields.n; i++)
			if (!field_below(a->choices[k].fields.at[i], "batch").p)
				out_printf(&o, "  %.*s = %.*s\n", (int)a->choices[k].fields.at[i].n,
					   a->choices[k].fields.at[i].p, (int)a->choices[k].values[0].at[i].n,
					   a->choices[k].values[0].at[i].p);
	out_printf(&o, "  batch { sequence = %lld, global = %lld }\n}\n", (long long)a->sequence,
		   (long long)a->gpus);
	if (has_target(q))
		put_launch(&o, q, start);
	put_sweep(&o, q, a, start, NULL);
	return str_copy(arena, out_view(&o));
}

uint32_t candidate_value(const struct advice *a, uint64_t number, uint32_t k)
{
	uint64_t rest = number - 1;

	for (uint32_t i = a->choice_count; i-- > k + 1;)
		if (a->choices[i].count > 1)
			rest /= a->choices[i].count;
	return a->choices[k].count > 1 ? (uint32_t)(rest % a->choices[k].count) : 0;
}

static void keep_times(const struct search *s, const struct advice *a, struct arena *arena, struct found *f)
{
	uint32_t best;

	f->times = ARENA_ARRAY(arena, double, s->total);
	f->best = ARENA_ARRAY(arena, uint32_t, a->choice_count + 1);
	for (uint32_t i = 0; i < s->kept; i++)
		f->times[s->feasible[i].number - 1] = value_to_double(s->feasible[i].goals[0]);
	if (search_top(s, 1, &best) == 0)
		return;
	for (uint32_t k = 0; k < a->choice_count; k++)
		f->best[k] = candidate_value(a, s->feasible[best].number, k);
}

/* The condition behind which nothing was left, in its own words where it has any. */
static struct str hindrance_of(const struct search *s, struct arena *arena)
{
	const struct search_row *last = NULL;
	struct out o;

	for (uint32_t i = 0; i < s->row_count && (!last || last->left > 0); i++)
		if (s->rows[s->order[i]].removed > 0)
			last = &s->rows[s->order[i]];
	if (!last)
		return STR("");
	out_init(&o, arena);
	out_printf(&o, "`%.*s` rules out the last %llu of the %llu ways that were tried", (int)last->name.n,
		   last->name.p, (unsigned long long)last->removed, (unsigned long long)s->total);
	if (last->text.n > 0)
		out_printf(&o, ": %.*s", (int)last->text.n, last->text.p);
	return str_copy(arena, out_view(&o));
}

static uint64_t removed_by(const struct search *s, struct str name)
{
	for (uint32_t i = 0; i < s->row_count; i++)
		if (s->rows[i].condition && s->rows[i].condition->own && str_equal(s->rows[i].name, name))
			return s->rows[i].removed;
	return 0;
}

static void judge_limits(const struct search *s, const struct advice *a, struct arena *arena, struct found *f)
{
	f->idle = ARENA_ARRAY(arena, bool, a->limit_count + 1);
	for (uint32_t i = 0; i < a->limit_count; i++) {
		f->idle[i] = removed_by(s, a->limits[i].name) == 0;
		f->tight = f->tight || (str_is(a->limits[i].name, "fits") && !f->idle[i]);
	}
}

/* A degree that no number is left for: there is nothing to go through. */
static const struct choice *without_values(const struct advice *a)
{
	for (uint32_t k = 0; k < a->choice_count; k++)
		if (a->choices[k].count == 0)
			return &a->choices[k];
	return NULL;
}

static struct str no_value(struct arena *arena, const struct choice *c)
{
	struct out o;

	out_init(&o, arena);
	out_printf(&o, "no value of %.*s divides everything that it has to", (int)c->fields.at[0].n,
		   c->fields.at[0].p);
	return str_copy(arena, out_view(&o));
}

void neighbourhood_search(const struct suggest_asker *a, const struct suggest_question *q,
			  const struct advice *advice, struct found *found)
{
	const struct choice *empty = without_values(advice);
	struct arena *arena = a->like->arena;
	struct search *s = NULL;
	struct trial *t;

	*found = (struct found){ 0 };
	if (empty) {
		found->hindrance = no_value(arena, empty);
		return;
	}
	t = trial_begin(a, q, start_text(arena, q, advice));
	if (t->program)
		s = search_run(&t->ev, 0, &(struct search_options){ .threads = a->threads });
	if (s) {
		found->total = s->total;
		found->feasible = s->feasible_count;
		judge_limits(s, advice, arena, found);
		keep_times(s, advice, arena, found);
		found->hindrance = hindrance_of(s, arena);
	} else {
		found->hindrance = str_copy(arena, trial_complaint(t));
	}
	trial_end(t);
}
