/* values.c - the values of flags and keys against the kinds of their options. */
#include "runtime/emit/option/option_int.h"

/* The part of `words` for the version: the last entry RELEASE:words that is not newer. */
static struct str words_at(const struct options *all, struct str words)
{
	struct str found = words;

	for (uint32_t at = 0; at < words.n;) {
		const char *stop = memchr(words.p + at, ';', words.n - at);
		uint32_t end = stop ? (uint32_t)(stop - words.p) : words.n;
		const char *colon = memchr(words.p + at, ':', end - at);
		uint32_t from = colon ? (uint32_t)(colon - words.p) : at;

		if (!colon || version_reaches(all->version, str_slice(words, at, from)))
			found = str_slice(words, colon ? from + 1 : at, end);
		at = end + 1;
	}
	return found;
}

static bool is_word_of(struct str words, struct str word)
{
	for (uint32_t at = 0; at <= words.n;) {
		const char *stop = at < words.n ? memchr(words.p + at, ',', words.n - at) : NULL;
		uint32_t end = stop ? (uint32_t)(stop - words.p) : words.n;

		if (str_equal(str_slice(words, at, end), word))
			return true;
		at = end + 1;
	}
	return false;
}

/* Python's int() and float(), as far as an artefact writes them. */
static bool is_number(struct str s, bool whole)
{
	bool digits = false;
	uint32_t i = s.n > 0 && (s.p[0] == '-' || s.p[0] == '+') ? 1 : 0;

	for (; i < s.n; i++) {
		bool digit = s.p[i] >= '0' && s.p[i] <= '9';
		bool exponent = digits && (s.p[i] == 'e' || s.p[i] == 'E') && i + 1 < s.n;

		if (!digit && !(s.p[i] == '_' && digits) && (whole || (s.p[i] != '.' && !exponent)))
			return false;
		if (exponent && (s.p[i + 1] == '-' || s.p[i + 1] == '+'))
			i++;
		digits = digits || digit;
	}
	return digits;
}

/* What is wrong with a word for a kind; an empty text when nothing is. The shell decides on variables. */
static struct str fault_of(struct emission *e, const struct option *o, struct str word)
{
	struct str words = words_at(e->options, o->words);
	struct out why;

	if (shell_has_variable(word))
		return STR("");
	if (str_starts(o->kind, "int"))
		return is_number(word, true) ? STR("") : STR("it takes a whole number");
	if (str_starts(o->kind, "float"))
		return is_number(word, false) ? STR("") : STR("it takes a number");
	if (!str_starts(o->kind, "choice") || is_word_of(words, word))
		return STR("");
	out_init(&why, e->arena);
	out_text(&why, "it is one of ");
	for (uint32_t i = 0; i < words.n; i++)
		if (words.p[i] == ',')
			out_text(&why, ", ");
		else
			out_char(&why, words.p[i]);
	return out_view(&why);
}

static bool refuse_value(struct emission *e, const struct option *o, struct str word, struct str why)
{
	struct diag *d = diag_new(e->sink, E2512, e->place);

	diag_message(d, "`%.*s%s%.*s`: %.*s", (int)o->name.n, o->name.p, word.n > 0 ? " " : "", (int)word.n,
		     word.p, (int)why.n, why.p);
	diag_submit(d);
	return false;
}

static bool takes_many(struct str kind)
{
	return str_ends(kind, "s") || str_is(kind, "string") || str_is(kind, "pattern");
}

bool option_check_flag(struct emission *e, struct str name, const struct str *words, uint32_t n)
{
	bool known, fine = true;
	const struct option *o = option_find(e, name, &known);

	if (!o || str_is(o->kind, "any"))
		return known;
	if (str_is(o->kind, "switch"))
		return n == 0 || refuse_value(e, o, words[0], STR("it takes no value"));
	if (n == 0)
		return refuse_value(e, o, STR(""), STR("it wants a value"));
	if (n > 1 && !takes_many(o->kind))
		return refuse_value(e, o, words[1], STR("it takes one value"));
	for (uint32_t i = 0; i < n; i++) {
		struct str why = fault_of(e, o, words[i]);

		if (why.n > 0)
			fine = refuse_value(e, o, words[i], why);
	}
	return fine;
}

bool options_check_arg(struct emission *e, const struct arg *arg)
{
	struct words words;
	bool known;

	if (!shell_is_flag(arg->name)) {
		(void)option_find(e, arg->name, &known);
		return known;
	}
	return !emit_words(e, arg, &words) || option_check_flag(e, arg->name, words.at.at, words.at.n);
}

/* ---- documents ------------------------------------------------------------------------------- */

static struct str path_of(struct arena *a, struct str above, struct str name)
{
	struct out o;

	if (above.n == 0)
		return name;
	out_init(&o, a);
	out_printf(&o, "%.*s.%.*s", (int)above.n, above.p, (int)name.n, name.p);
	return out_view(&o);
}

/* Behind "none|" and "auto|" stands the kind of what is neither. */
static struct str plain_kind(struct str kind, const struct doc *d, bool *given)
{
	*given = true;
	if (str_starts(kind, "none|"))
		*given = d->kind != DOC_NULL;
	else if (str_starts(kind, "auto|"))
		*given = d->kind != DOC_TEXT || !str_is(d->text, "auto");
	else
		return kind;
	return str_slice(kind, 5, kind.n);
}

static struct str doc_fault(struct emission *e, const struct option *o, const struct doc *d)
{
	bool given;
	struct str kind = plain_kind(o->kind, d, &given);

	if (!given || str_is(kind, "any"))
		return STR("");
	if (str_is(kind, "bool"))
		return d->kind == DOC_BOOL ? STR("") : STR("it is true or false");
	if (str_is(kind, "list"))
		return d->kind == DOC_LIST ? STR("") : STR("it takes a list");
	if (str_is(kind, "int") || str_is(kind, "float"))
		return d->kind == DOC_NUMBER && (str_is(kind, "float") || is_number(d->text, true))
			       ? STR("") : STR("it takes a number");
	if (d->kind != DOC_TEXT)
		return STR("it takes a text");
	return str_is(kind, "choice") ? fault_of(e, o, d->text) : STR("");
}

static bool check_member(struct emission *e, const struct doc *d, struct str above);

static bool check_members(struct emission *e, const struct doc *table, struct str above)
{
	bool fine = true;

	for (const struct doc *d = table->first; d; d = d->next)
		fine = check_member(e, d, above) && fine;
	return fine;
}

/* A table is open where it has a row of its own, as `optimizer.params` has. */
static bool check_member(struct emission *e, const struct doc *d, struct str above)
{
	struct str name = path_of(e->arena, above, d->name), why;
	const struct option *o;
	bool known;

	if (d->kind == DOC_TABLE && !option_has_row(e, name))
		return check_members(e, d, name);
	o = option_find(e, name, &known);
	if (!o || d->kind == DOC_TABLE)
		return known;
	why = doc_fault(e, o, d);
	return why.n == 0 || refuse_value(e, o, STR(""), why);
}

bool options_check_document(struct emission *e, const struct doc *root)
{
	return option_rows(e)->at.n == 0 || check_members(e, root, STR(""));
}
