/* extra.c - lines of the option `extra`. In documents and overrides they are NAME=VALUE, with points
 * between the tables on the way; a value reads as true, false, null, a number, [a, b] or a text. On
 * command lines they are words, and none of them is a flag that the target writes from the plan: the last
 * one counts, so that the run would be another one than the plan says.
 */
#include "runtime/emit/emit_int.h"

static bool refuse(struct emission *e, struct str line, const char *why)
{
	diag_report(e->sink, E2005, e->emit->span, "`%.*s` in `extra` %s", (int)line.n, line.p,
		    why);
	return false;
}

/* -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?, the numbers of JSON. */
static bool is_number(struct str s)
{
	uint32_t i = 0, from;

	if (i < s.n && s.p[i] == '-')
		i++;
	from = i;
	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	if (i == from || (s.p[from] == '0' && i > from + 1))
		return false;
	if (i + 1 < s.n && s.p[i] == '.' && s.p[i + 1] >= '0' && s.p[i + 1] <= '9')
		for (i++; i < s.n && s.p[i] >= '0' && s.p[i] <= '9';)
			i++;
	if (i + 1 < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
		i += s.p[i + 1] == '+' || s.p[i + 1] == '-' ? 2 : 1;
		from = i;
		while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
			i++;
		if (i == from)
			return false;
	}
	return i == s.n;
}

static struct str trimmed(struct str s)
{
	while (s.n > 0 && s.p[0] == ' ')
		s = str_slice(s, 1, s.n);
	while (s.n > 0 && s.p[s.n - 1] == ' ')
		s.n--;
	return s;
}

static void read_value(struct arena *a, struct doc *d, struct str s);

static void read_list(struct arena *a, struct doc *d, struct str inside)
{
	uint32_t from = 0;

	d->kind = DOC_LIST;
	if (trimmed(inside).n == 0)
		return;
	for (uint32_t i = 0; i <= inside.n; i++)
		if (i == inside.n || inside.p[i] == ',') {
			read_value(a, doc_add(a, d, STR(""), DOC_NULL), str_slice(inside, from, i));
			from = i + 1;
		}
}

static void read_value(struct arena *a, struct doc *d, struct str s)
{
	s = trimmed(s);
	if (str_is(s, "true") || str_is(s, "false")) {
		d->kind = DOC_BOOL;
		d->truth = s.p[0] == 't';
	} else if (str_is(s, "null")) {
		d->kind = DOC_NULL;
	} else if (is_number(s)) {
		d->kind = DOC_NUMBER;
		d->text = s;
	} else if (s.n >= 2 && s.p[0] == '[' && s.p[s.n - 1] == ']') {
		read_list(a, d, str_slice(s, 1, s.n - 1));
	} else {
		d->kind = DOC_TEXT;
		d->text = s;
	}
}

/* One line put where its name says; a table on the way is made where there is none. The names of a
 * Python file hold their points themselves. */
static bool apply_line(struct emission *e, struct doc *root, struct str line)
{
	const char *sign = memchr(line.p, '=', line.n);
	struct str name, left;
	struct doc *table = root;

	if (!sign || sign == line.p)
		return refuse(e, line, "is not NAME=VALUE");
	name = left = trimmed(str_slice(line, 0, (uint32_t)(sign - line.p)));
	for (uint32_t i = 0; i < left.n; i++) {
		struct doc *next;

		if (left.p[i] != '.' || e->kind == ARTEFACT_PYTHON)
			continue;
		name = str_slice(left, 0, i);
		left = str_slice(left, i + 1, left.n);
		i = UINT32_MAX;
		next = doc_find(table, name);
		if (!next)
			next = doc_add(e->arena, table, name, DOC_TABLE);
		if (next->kind != DOC_TABLE || name.n == 0)
			return refuse(e, line, "leads through something that is no table");
		table = next;
	}
	if (left.n == 0)
		return refuse(e, line, "has no name at the end");
	if (doc_find(table, left))
		return refuse(e, line, "is written by the target already");
	read_value(e->arena, doc_add(e->arena, table, left, DOC_NULL),
		   str_slice(line, (uint32_t)(sign - line.p) + 1, line.n));
	return true;
}

bool extra_apply(struct emission *e, struct doc *root)
{
	struct doc *before = root->last, *first;
	bool fine = true;

	if (!e->takes_extra)
		return true;
	for (uint32_t i = 0; i < e->extra.n; i++)
		fine = apply_line(e, root, e->extra.at[i]) && fine;
	first = before ? before->next : root->first;
	if (first)
		first->note = STR("What the plan hands on as it is.");
	return fine;
}

/* Whether a part has this flag, written or left out: what it says stands in the plan. */
static bool is_written(const struct emission *e, struct str flag)
{
	for (uint32_t i = 0; i < e->parts.n; i++) {
		const struct list *args = e->parts.at[i].args;

		for (uint32_t j = 0; j < args->n; j++)
			if (args->at[j].kind == VALUE_ARG && str_equal(args->at[j].arg->name, flag))
				return true;
	}
	return false;
}

/* The flag that a line begins with, without a value behind `=`; the line becomes what is left. */
static struct str take_flag(struct str *line)
{
	struct str word;
	uint32_t end = 0, sign = 0;

	while (line->n > 0 && line->p[0] == ' ')
		*line = str_slice(*line, 1, line->n);
	while (end < line->n && line->p[end] != ' ')
		end++;
	word = str_slice(*line, 0, end);
	*line = str_slice(*line, end, line->n);
	while (sign < word.n && word.p[sign] != '=')
		sign++;
	return str_slice(word, 0, sign);
}

bool extra_fits(struct emission *e)
{
	bool fine = true;

	for (uint32_t i = 0; i < e->extra.n; i++) {
		struct str line = e->extra.at[i];

		while (line.n > 0) {
			struct str flag = take_flag(&line);

			if (shell_is_flag(flag) && is_written(e, flag))
				fine = refuse(e, flag, "is the target's own: set the field or option behind it");
		}
	}
	return fine;
}
