/* compare.c - one result under two profiles: the fields that differ are taken over one at a time. */
#include <math.h>

#include "runtime/ask/profiles/profiles.h"

/* What is asked for, in whole units. */
struct measured {
	struct job_number result;
	double unit;
};

static int64_t measure(const struct job *j, const struct measured *m)
{
	double x = value_to_double(job_number_read(j, m->result)) / m->unit;

	/* Nothing a job has comes near: 2^62 ns are a hundred years, 2^62 bytes four exabytes. */
	invariant(fabs(x) < 0x1p62, "a result of the cost model is out of range");
	return llround(x);
}

static const struct job *under(struct eval *ev, const struct job *j, struct str profile)
{
	struct record *r = job_under_profile(ev, j->record, profile);

	return r ? job_evaluate(ev, r, SPAN_NONE) : NULL;
}

/* The value with one field of the other profile. */
static int64_t with_field(struct eval *ev, const struct job *from, const struct job *to, uint32_t field,
			  const struct measured *m, bool *refused)
{
	struct arena_mark mark = arena_mark(ev->arena);
	struct job changed = *from;
	struct engine_error error;
	int64_t value = 0;

	profile_field_copy(field, &changed.profile, &to->profile);
	changed.input.profile = &changed.profile;
	changed.input.hardware = &changed.hardware;
	*refused = !job_price(&changed, NULL, ev->arena, &error);
	if (!*refused)
		value = measure(&changed, m);
	arena_reset(ev->arena, mark);
	return value;
}

static int64_t size_of(int64_t x)
{
	return x < 0 ? -x : x;
}

/* Largest first; equal ones stay in the order of the table. */
static void sort_effects(struct profile_effect *at, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct profile_effect e = at[i];
		uint32_t k = i;

		for (; k > 0 && size_of(at[k - 1].effect) < size_of(e.effect); k--)
			at[k] = at[k - 1];
		at[k] = e;
	}
}

bool profiles_compare(struct eval *ev, const struct job *job, struct job_number result, double unit,
		      struct str before, struct str after, struct profile_difference *d)
{
	const struct job *from = under(ev, job, before), *to = under(ev, job, after);
	const struct measured m = { result, unit };

	if (!from || !to)
		return false;
	*d = (struct profile_difference){ .before_name = before,
					  .after_name = after,
					  .before = measure(from, &m),
					  .after = measure(to, &m) };
	d->effects = ARENA_ARRAY(ev->arena, struct profile_effect, profile_field_count());
	d->together = d->after - d->before;
	for (uint32_t i = 0; i < profile_field_count(); i++) {
		struct profile_effect *e = &d->effects[d->effect_count];
		int64_t value;

		if (profile_field_equal(i, &from->profile, &to->profile))
			continue;
		*e = (struct profile_effect){ .field = profile_field_name(i) };
		value = with_field(ev, from, to, i, &m, &e->refused);
		e->effect = e->refused ? 0 : value - d->before;
		d->together -= e->effect;
		d->effect_count++;
	}
	sort_effects(d->effects, d->effect_count);
	return true;
}
