/* release.c - which releases of Megatron core know all arguments of a script, by the list of options that
 * the target carries (std:options/megatron.csv). */
#include "runtime/import/megatron/megatron_int.h"

#include "compiler/base/embed.h"

/* What a plan means without a framework (schema `framework`), and the first release that is listed. */
enum { RELEASE_USUAL = 14, RELEASE_FIRST = 12, RELEASE_LAST = 20 };

struct releases {
	uint32_t lo, hi;             /* minor numbers: 0.12 is 12 */
};

static struct str option_list(void)
{
	for (const struct embedded_file *f = stdlib_files; f->name; f++)
		if (strcmp(f->name, "options/megatron.csv") == 0)
			return (struct str){ (const char *)f->bytes, f->size };
	return (struct str){ "", 0 };
}

/* Cuts the part in front of a character off a text, which goes on behind it. */
static struct str take(struct str *t, char stop)
{
	const char *at = memchr(t->p, stop, t->n);
	uint32_t n = at ? (uint32_t)(at - t->p) : t->n;
	struct str head = str_slice(*t, 0, n);

	*t = str_slice(*t, at ? n + 1 : n, t->n);
	return head;
}

/* "0.16" is 16; `otherwise` for no release. */
static uint32_t minor_of(struct str release, uint32_t otherwise)
{
	uint32_t n = 0;

	if (!str_starts(release, "0."))
		return otherwise;
	for (uint32_t i = 2; i < release.n && release.p[i] >= '0' && release.p[i] <= '9'; i++)
		n = n * 10 + (uint32_t)(release.p[i] - '0');
	return n;
}

static bool has_word(struct str words, struct str word)
{
	while (words.n > 0)
		if (str_equal(take(&words, ','), word))
			return true;
	return false;
}

/* A word of a choice is there from the first entry RELEASE:words that has it. */
static void narrow_by_word(struct releases *r, struct str words, struct str word)
{
	while (words.n > 0) {
		struct str entry = take(&words, ';'), release;

		if (!memchr(entry.p, ':', entry.n))
			return;
		release = take(&entry, ':');
		if (!has_word(entry, word))
			continue;
		r->lo = minor_of(release, r->lo) > r->lo ? minor_of(release, r->lo) : r->lo;
		return;
	}
}

static void narrow(struct releases *r, const struct megatron_arg *a, struct str list)
{
	while (list.n > 0) {
		struct str row = take(&list, '\n'), since, until;

		if (!str_equal(take(&row, ','), shell_view(&a->flag)))
			continue;
		since = take(&row, ',');
		until = take(&row, ',');
		(void)take(&row, ',');
		r->lo = minor_of(since, 0) > r->lo ? minor_of(since, 0) : r->lo;
		r->hi = minor_of(until, r->hi) < r->hi ? minor_of(until, r->hi) : r->hi;
		if (row.n > 1 && row.p[0] == '"')
			row = str_slice(row, 1, row.n - 1);
		for (uint32_t i = 0; i < a->values.n; i++)
			narrow_by_word(r, row, shell_view(&a->values.at[i]));
		return;
	}
}

void megatron_write_release(struct megatron *m)
{
	struct releases r = { RELEASE_FIRST, RELEASE_LAST };
	uint32_t chosen;

	for (uint32_t i = 0; i < m->args.n; i++)
		narrow(&r, &m->args.at[i], option_list());
	if (r.lo > r.hi)
		plan_text_comment(&m->w, "No release knows all arguments: some come with 0.%u, others went after 0.%u.",
				  r.lo, r.hi);
	if (r.lo <= RELEASE_USUAL && r.hi >= RELEASE_USUAL)
		return;
	chosen = r.lo > RELEASE_USUAL ? r.lo : r.hi;
	if (r.lo < r.hi)
		plan_text_comment(&m->w, "Megatron core 0.%u to 0.%u know all arguments.", r.lo, r.hi);
	plan_text_line(&m->w, SPAN_NONE, "framework = megatron with { version = \"0.%u\" }", chosen);
}
