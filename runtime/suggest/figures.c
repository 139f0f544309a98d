/* figures.c - what the other values of a choice would cost: the best step that was found with each. */
#include "runtime/report/units.h"
#include "runtime/suggest/suggest_int.h"

enum { SHOWN_MAX = 8 };

/* A value of one field, and the best step with it. */
struct figure {
	struct str text;
	double time;                 /* 0: nothing with it is feasible */
};

/* Whether the fields of choice k before f have the best candidate's values. */
static bool agrees(const struct choice *c, uint32_t value, uint32_t best, uint32_t f)
{
	for (uint32_t i = 0; i < f; i++)
		if (!str_equal(c->values[value].at[i], c->values[best].at[i]))
			return false;
	return true;
}

static uint32_t figure_of(struct figure *at, uint32_t *n, struct str text)
{
	for (uint32_t i = 0; i < *n; i++)
		if (str_equal(at[i].text, text))
			return i;
	at[*n] = (struct figure){ text, 0 };
	return (*n)++;
}

/* The values of field f, in the order that they were tried. The count. */
static uint32_t figures_of(const struct advice *a, const struct found *found, uint32_t k, uint32_t f,
			   struct figure *at)
{
	const struct choice *c = &a->choices[k];
	uint32_t n = 0;

	for (uint32_t v = 0; v < c->count; v++)
		if (agrees(c, v, found->best[k], f))
			figure_of(at, &n, c->values[v].at[f]);
	for (uint64_t i = 0; i < found->total; i++) {
		uint32_t v = candidate_value(a, i + 1, k), at_value;

		if (found->times[i] == 0 || !agrees(c, v, found->best[k], f))
			continue;
		at_value = figure_of(at, &n, c->values[v].at[f]);
		if (at[at_value].time == 0 || found->times[i] < at[at_value].time)
			at[at_value].time = found->times[i];
	}
	return n;
}

/* Of more than can be read the slowest go. */
static void leave_out_slowest(struct figure *at, uint32_t *n, struct str kept)
{
	while (*n > SHOWN_MAX) {
		uint32_t worst = IR_NONE;

		for (uint32_t i = 0; i < *n; i++)
			if (!str_equal(at[i].text, kept) &&
			    (worst == IR_NONE || at[worst].time > 0) &&
			    (worst == IR_NONE || at[i].time == 0 || at[i].time > at[worst].time))
				worst = i;
		memmove(at + worst, at + worst + 1, (*n - worst - 1) * sizeof *at);
		(*n)--;
	}
}

static struct str last_part(struct str path)
{
	uint32_t i = path.n;

	while (i > 0 && path.p[i - 1] != '.')
		i--;
	return str_slice(path, i, path.n);
}

/* "recompute.full" of a field that is called recompute. */
static struct str without_field(struct str text, struct str name)
{
	bool named = text.n > name.n + 1 && memcmp(text.p, name.p, name.n) == 0 && text.p[name.n] == '.';

	return named ? str_slice(text, name.n + 1, text.n) : text;
}

static void put_field(struct out *o, const struct advice *a, const struct found *found, uint32_t k, uint32_t f)
{
	const struct choice *c = &a->choices[k];
	struct figure *at = ARENA_ARRAY(o->arena, struct figure, c->count + 1);
	uint32_t n = figures_of(a, found, k, f, at);
	struct out line;
	struct str name = last_part(c->fields.at[f]), taken = c->values[found->best[k]].at[f];

	if (n < 2)
		return;
	leave_out_slowest(at, &n, taken);
	out_init(&line, o->arena);
	out_printf(&line, "Best step with %.*s ", (int)name.n, name.p);
	for (uint32_t i = 0; i < n; i++) {
		struct str text = without_field(at[i].text, name);

		out_printf(&line, "%s%.*s: ", i > 0 ? ", " : "", (int)text.n, text.p);
		if (at[i].time > 0)
			put_time(&line, at[i].time);
		else
			out_text(&line, "none");
	}
	out_char(&line, '.');
	put_wrapped(o, "#", out_view(&line));
}

void put_figures(struct out *o, const struct advice *a, const struct found *found, uint32_t k)
{
	for (uint32_t f = 0; a->choices[k].count > 1 && f < a->choices[k].fields.n; f++)
		put_field(o, a, found, k, f);
}
