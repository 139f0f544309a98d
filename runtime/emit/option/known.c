/* known.c - what a framework understands, where its target lists it: names by version (E2512).
 *
 * The field `options` holds the rows: name, first and last version, kind of value, and the words of a
 * choice ("a,b", or "0.12:a,b;0.16:a,b,c" where versions differ). `options_version` is what the versions are
 * compared with. Names of documents and overrides are paths with points.
 */
#include "runtime/emit/option/option_int.h"

static struct str text_of(struct emission *e, struct record *r, const char *field)
{
	struct value v = record_get_named(e->ev, r, field);

	return v.kind == VALUE_STRING ? v.text : STR("");
}

static const struct list *list_of(struct emission *e, const char *field)
{
	struct value v = record_get_named(e->ev, e->target, field);

	return v.kind == VALUE_LIST ? v.list : NULL;
}

const struct options *option_rows(struct emission *e)
{
	const struct list *rows, *own;
	struct options *all;

	if (e->options)
		return e->options;
	e->options = all = ARENA_NEW(e->arena, struct options);
	rows = list_of(e, "options");
	own = list_of(e, "own_options");
	all->version = text_of(e, e->target, "options_version");
	for (uint32_t i = 0; rows && i < rows->n; i++) {
		struct record *r = rows->at[i].record;

		*VEC_ADD(e->arena, &all->at) = (struct option){
			text_of(e, r, "name"), text_of(e, r, "since"), text_of(e, r, "until"),
			text_of(e, r, "kind"), text_of(e, r, "words"), text_of(e, r, "file"),
		};
	}
	for (uint32_t i = 0; own && i < own->n; i++)
		if (own->at[i].kind == VALUE_STRING)
			*VEC_ADD(e->arena, &all->own) = own->at[i].text;
	return all;
}

/* ---- one name -------------------------------------------------------------------------------- */

static struct str file_name(struct str path)
{
	uint32_t lo = path.n;

	while (lo > 0 && path.p[lo - 1] != '/')
		lo--;
	return str_slice(path, lo, path.n);
}

/* Rows that name a file are that file's; the others are everybody's who is not named. */
static bool has_rows_of_its_own(const struct options *all, struct str file)
{
	for (uint32_t i = 0; i < all->at.n; i++)
		if (str_equal(all->at.at[i].file, file))
			return true;
	return false;
}

static bool is_own(const struct options *all, struct str name)
{
	for (uint32_t i = 0; i < all->own.n; i++)
		if (str_equal(all->own.at[i], name))
			return true;
	return false;
}

/* Which rows are those of the file that is written: its own, or empty for those of no file. */
static struct str rows_of_file(const struct emission *e, const struct options *all)
{
	struct str file = file_name(e->to);

	return has_rows_of_its_own(all, file) ? file : STR("");
}

static const struct option *find_row(const struct emission *e, const struct options *all, struct str name)
{
	struct str file = rows_of_file(e, all);

	for (uint32_t i = 0; i < all->at.n; i++)
		if (str_equal(all->at.at[i].name, name) && str_equal(all->at.at[i].file, file))
			return &all->at.at[i];
	return NULL;
}

/* A table with a row of its own is open: what lies in it is not looked into. */
static bool lies_in_open(const struct emission *e, const struct options *all, struct str path)
{
	for (uint32_t i = path.n; i-- > 0;) {
		const struct option *row = path.p[i] == '.' ? find_row(e, all, str_slice(path, 0, i)) : NULL;

		if (row && str_is(row->kind, "any"))
			return true;
	}
	return false;
}

bool option_has_row(struct emission *e, struct str name)
{
	const struct options *all = option_rows(e);

	return is_own(all, name) || find_row(e, all, name);
}

static struct diag *refusal(struct emission *e, struct str name)
{
	struct diag *d = diag_new(e->sink, E2512, e->place);

	diag_note(d, "`own_options = [\"%.*s\"]` hands on what a fork or a plugin adds", (int)name.n, name.p);
	return d;
}

static void report_unknown(struct emission *e, const struct options *all, struct str name)
{
	struct str file = rows_of_file(e, all);
	struct diag *d = refusal(e, name);
	struct suggestions s;

	diag_message(d, "`%.*s` is no option of %.*s %.*s", (int)name.n, name.p, (int)e->target_name.n,
		     e->target_name.p, (int)e->version.n, e->version.p);
	suggestions_init(&s, e->arena, name);
	for (uint32_t i = 0; i < all->at.n; i++)
		if (str_equal(all->at.at[i].file, file))
			suggestions_add(&s, all->at.at[i].name, true);
	diag_suggest(d, &s);
	diag_submit(d);
}

static bool in_time(struct emission *e, const struct options *all, const struct option *o)
{
	bool early = o->since.n > 0 && !version_reaches(all->version, o->since);
	bool late = o->until.n > 0 && !version_reaches(o->until, all->version);
	struct diag *d;

	if (!early && !late)
		return true;
	d = refusal(e, o->name);
	diag_message(d, early ? "`%.*s` comes with %.*s; this artefact is for %.*s"
			      : "`%.*s` went after %.*s; this artefact is for %.*s",
		     (int)o->name.n, o->name.p, (int)(early ? o->since.n : o->until.n),
		     early ? o->since.p : o->until.p, (int)all->version.n, all->version.p);
	diag_submit(d);
	return false;
}

const struct option *option_find(struct emission *e, struct str name, bool *known)
{
	const struct options *all = option_rows(e);
	const struct option *row;

	*known = true;
	if (all->at.n == 0 || is_own(all, name))
		return NULL;
	row = find_row(e, all, name);
	if (!row && lies_in_open(e, all, name))
		return NULL;
	if (!row)
		report_unknown(e, all, name);
	*known = row && in_time(e, all, row);
	return *known ? row : NULL;
}
