/* expand.c - quotes and expansions of one piece of a script. */
#include "runtime/import/shell/shell_int.h"

#include <inttypes.h>

void piece_add(struct shell *sh, struct piece *p, char c, uint32_t at)
{
	if (sh->broken)
		return;
	if (++sh->written > SHELL_TEXT_MAX) {
		shell_break(sh, at, "the words of this script are longer than 4 MiB here");
		return;
	}
	*VEC_ADD(sh->f->arena, &p->bytes) = c;
	*VEC_ADD(sh->f->arena, &p->at) = at;
}

struct shell_text piece_text(struct shell *sh, const struct piece *p)
{
	struct shell_text t = { .n = p->bytes.n };

	t.p = arena_copy(sh->f->arena, p->bytes.n ? p->bytes.at : "", p->bytes.n);
	t.at = arena_alloc(sh->f->arena, (p->at.n + 1) * sizeof *t.at);
	if (p->at.n > 0)
		memcpy(t.at, p->at.at, p->at.n * sizeof *t.at);
	return t;
}

void shell_fields_end(struct shell *sh, struct fields *o)
{
	if (o->started || o->now.bytes.n > 0)
		*VEC_ADD(sh->f->arena, &o->done.list) = piece_text(sh, &o->now);
	o->now = (struct piece){ 0 };
	o->started = false;
}

static void add(struct shell *sh, struct fields *o, char c, uint32_t at)
{
	piece_add(sh, &o->now, c, at);
	o->started = true;
}

/* The value of a variable: outside quotes its blanks end words. */
static void add_value(struct shell *sh, struct fields *o, const struct shell_text *t, bool quoted)
{
	for (uint32_t i = 0; i < t->n && !sh->broken; i++) {
		if (!quoted && o->split && strchr(" \t\n\r", t->p[i]))
			shell_fields_end(sh, o);
		else
			add(sh, o, t->p[i], t->at[i]);
	}
}

static void add_items(struct shell *sh, struct fields *o, const struct shell_words *items, bool quoted,
		      bool joined)
{
	for (uint32_t i = 0; i < items->list.n && !sh->broken; i++) {
		if (i > 0 && o->split && !(quoted && joined))
			shell_fields_end(sh, o);
		else if (i > 0)
			add(sh, o, ' ', items->list.at[i].n ? items->list.at[i].at[0] : 0);
		o->started = o->started || quoted;
		add_value(sh, o, &items->list.at[i], quoted);
	}
}

/* `${NAME...}`: lo is behind the brace, hi at the closing one, `from` at the `$`. */
struct braces {
	struct str name;
	uint32_t rest;               /* what stands behind name and index */
	bool all;                    /* [@] or [*] */
	bool joined;                 /* [*]: in quotes one word */
	bool indexed;
	uint32_t index;
};

static bool read_braces(struct shell *sh, uint32_t lo, uint32_t hi, struct braces *b)
{
	uint32_t n = shell_name_length(sh, lo);

	*b = (struct braces){ .name = str_slice(sh->text, lo, lo + n), .rest = lo + n };
	if (n == 0 && lo < hi && sh->text.p[lo] >= '0' && sh->text.p[lo] <= '9') {
		b->rest = lo + 1;
		return true;
	}
	if (n == 0 || lo + n > hi)
		return false;
	if (b->rest + 2 < hi && sh->text.p[b->rest] == '[') {
		char c = sh->text.p[b->rest + 1];

		if (sh->text.p[b->rest + 2] != ']')
			return false;
		b->all = c == '@' || c == '*';
		b->joined = c == '*';
		b->indexed = c >= '0' && c <= '9';
		b->index = b->indexed ? (uint32_t)(c - '0') : 0;
		b->rest += 3;
		return b->all || b->indexed;
	}
	return true;
}

/* `$1` and on of a function as a variable of its own; NULL where it has none, or nobody knows. */
static struct variable *argument(struct shell *sh, uint32_t number)
{
	struct variable *v;

	if (!sh->arguments || number == 0 || number > sh->arguments->list.n)
		return NULL;
	v = ARENA_NEW(sh->f->arena, struct variable);
	*VEC_ADD(sh->f->arena, &v->items.list) = sh->arguments->list.at[number - 1];
	return v;
}

/* What the name in braces, or behind a `$`, means; `lo` is where it begins. */
static struct variable *meant(struct shell *sh, const struct braces *b, uint32_t lo)
{
	char c = lo < sh->text.n ? sh->text.p[lo] : '\0';

	if (b->name.n > 0)
		return shell_variable(sh, b->name);
	return c >= '0' && c <= '9' ? argument(sh, (uint32_t)(c - '0')) : NULL;
}

/* Whether a name that means nothing is empty, and not unknown: an argument that a function was not given. */
static bool is_absent(const struct shell *sh, const struct braces *b)
{
	return b->name.n == 0 && sh->arguments;
}

static void add_variable(struct shell *sh, struct fields *o, const struct variable *v,
			 const struct braces *b, bool quoted)
{
	if (b->all)
		add_items(sh, o, &v->items, quoted, b->joined);
	else if (b->index < v->items.list.n)
		add_value(sh, o, &v->items.list.at[b->index], quoted);
}

static bool is_empty(const struct variable *v)
{
	return v->items.list.n == 0 || (v->items.list.n == 1 && v->items.list.at[0].n == 0);
}

/* One that is assigned to something unknown may be empty, or not. */
static bool is_open(const struct variable *v)
{
	return v->items.list.n == 1 && v->items.list.at[0].n == 1 &&
	       v->items.list.at[0].p[0] == SHELL_UNKNOWN;
}

/* `-`, `=`, `?` and `+` with or without a colon in front. */
static void expand_operator(struct shell *sh, struct fields *o, const struct braces *b, uint32_t from,
			    uint32_t hi, bool quoted)
{
	struct variable *v = meant(sh, b, from + 2);
	uint32_t i = b->rest;
	bool colon = sh->text.p[i] == ':', there;
	char c;

	i += colon;
	c = i < hi ? sh->text.p[i] : '\0';
	if (c == '\0' || !strchr("-=?+", c) || (v && is_open(v))) {
		add(sh, o, SHELL_UNKNOWN, from);
		return;
	}
	there = v && !(colon && is_empty(v));
	if (there && c != '+') {
		add_variable(sh, o, v, b, quoted);
	} else if (c == '-' || (c == '+' && there)) {
		shell_expand(sh, o, i + 1, hi, quoted);
	} else if (c == '=') {
		struct shell_words one = { 0 };

		*VEC_ADD(sh->f->arena, &one.list) = shell_expand_one(sh, i + 1, hi, false);
		if (sh->broken)
			return;
		shell_assign(sh, b->name, one, false, false, from);
		v = shell_variable(sh, b->name);
		if (v)
			add_variable(sh, o, v, b, quoted);
	} else if (c == '?') {
		add(sh, o, SHELL_UNKNOWN, from);
	}
}

static void expand_braces(struct shell *sh, struct fields *o, uint32_t from, uint32_t hi, bool quoted)
{
	struct variable *v;
	struct braces b;

	if (!read_braces(sh, from + 2, hi, &b)) {
		add(sh, o, SHELL_UNKNOWN, from);
		return;
	}
	if (b.rest < hi) {
		expand_operator(sh, o, &b, from, hi, quoted);
		return;
	}
	v = meant(sh, &b, from + 2);
	if (v)
		add_variable(sh, o, v, &b, quoted);
	else if (!is_absent(sh, &b))
		add(sh, o, SHELL_UNKNOWN, from);
}

/* `$((...))`: [lo, hi) lies inside both brackets. */
static void expand_arithmetic(struct shell *sh, struct fields *o, uint32_t from, uint32_t lo, uint32_t hi)
{
	struct shell_text t = shell_expand_one(sh, lo, hi, true);
	char digits[24];
	int64_t value;

	if (sh->broken || !shell_known(&t) || !shell_arithmetic(sh, shell_view(&t), &value)) {
		add(sh, o, SHELL_UNKNOWN, from);
		return;
	}
	(void)snprintf(digits, sizeof digits, "%" PRIi64, value);
	for (const char *p = digits; *p; p++)
		add(sh, o, *p, from);
}

/* `$(cat <<END ... END)`: [lo, hi) lies inside the brackets. false for any other command. */
static bool expand_document(struct shell *sh, struct fields *o, uint32_t lo, uint32_t hi, bool quoted)
{
	static const char head[] = "cat <<";
	uint32_t i = lo, end, behind;
	struct shell_text t;
	struct str name;
	bool plain;

	while (i < hi && strchr(" \t\n", sh->text.p[i]))
		i++;
	if (hi - i < sizeof head || memcmp(sh->text.p + i, head, sizeof head - 1) != 0)
		return false;
	i += sizeof head - 1;
	i += sh->text.p[i] == '-';
	while (i < hi && strchr(" '\"", sh->text.p[i]))
		i++;
	plain = sh->text.p[i - 1] != '<' && sh->text.p[i - 1] != '-' && sh->text.p[i - 1] != ' ';
	name = str_slice(sh->text, i, i + shell_name_length(sh, i));
	while (i < hi && sh->text.p[i] != '\n')
		i++;
	end = i < hi ? shell_document_end(sh, i + 1, name, &behind) : hi;
	if (name.n == 0 || end >= hi)
		return false;
	while (end > i + 1 && sh->text.p[end - 1] == '\n')
		end--;
	if (plain)
		return false;
	t = shell_expand_one(sh, i + 1, end, true);
	add_value(sh, o, &t, quoted);
	return true;
}

/* $'...': the escapes of blanks and quotes; others stay as they are written. */
static void expand_ansi(struct shell *sh, struct fields *o, uint32_t lo, uint32_t hi)
{
	o->started = true;
	for (uint32_t k = lo; k < hi; k++) {
		char c = sh->text.p[k];

		if (c == '\\' && k + 1 < hi) {
			c = sh->text.p[++k];
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
		}
		add(sh, o, c, k);
	}
}

/* `$#`, `$@` and `$*` of a function; false for anything else. */
static bool expand_arguments(struct shell *sh, struct fields *o, uint32_t i, bool quoted)
{
	char c = i + 1 < sh->text.n ? sh->text.p[i + 1] : '\0', digits[12];
	struct variable *v;

	if (!sh->arguments)
		return false;
	if (c == '#') {
		(void)snprintf(digits, sizeof digits, "%" PRIu32, (uint32_t)sh->arguments->list.n);
		for (const char *d = digits; *d; d++)
			add(sh, o, *d, i);
	} else if (c == '@' || c == '*') {
		add_items(sh, o, sh->arguments, quoted, c == '*');
	} else if (c >= '1' && c <= '9') {
		v = argument(sh, (uint32_t)(c - '0'));
		if (v)
			add_value(sh, o, &v->items.list.at[0], quoted);
	} else {
		return false;
	}
	return true;
}

static uint32_t expand_dollar(struct shell *sh, struct fields *o, uint32_t i, uint32_t hi, bool quoted)
{
	bool ansi = i + 1 < hi && sh->text.p[i + 1] == '\'';
	uint32_t end = ansi && quoted ? i + 1 : shell_skip_dollar(sh, i), n = shell_name_length(sh, i + 1);
	const struct variable *v;

	if (sh->broken)
		return hi;
	if (end > hi)
		end = hi;
	if (end == i + 1) {
		add(sh, o, '$', i);
	} else if (ansi) {
		expand_ansi(sh, o, i + 2, end - 1);
	} else if (expand_arguments(sh, o, i, quoted)) {
		return end;
	} else if (sh->text.p[i + 1] == '{') {
		expand_braces(sh, o, i, end - 1, quoted);
	} else if (end - i >= 6 && sh->text.p[i + 1] == '(' && sh->text.p[i + 2] == '(' &&
		   sh->text.p[end - 2] == ')') {
		expand_arithmetic(sh, o, i, i + 3, end - 2);
	} else if (sh->text.p[i + 1] == '(' && expand_document(sh, o, i + 2, end - 1, quoted)) {
		return end;
	} else if (n > 0 && (v = shell_variable(sh, str_slice(sh->text, i + 1, i + 1 + n)))) {
		if (v->items.list.n > 0)
			add_value(sh, o, &v->items.list.at[0], quoted);
	} else {
		add(sh, o, SHELL_UNKNOWN, i);
	}
	return end;
}

static uint32_t expand_double(struct shell *sh, struct fields *o, uint32_t i)
{
	uint32_t end = shell_skip_quoted(sh, i);

	if (sh->broken)
		return sh->text.n;
	/* "${list[@]}" of an empty list, and "$@" of no arguments, are no word at all. */
	if (!(end - i > 8 && sh->text.p[i + 1] == '$' && sh->text.p[end - 3] == ']') &&
	    !(end - i == 4 && sh->arguments && memcmp(sh->text.p + i + 1, "$@", 2) == 0))
		o->started = true;
	shell_expand(sh, o, i + 1, end - 1, true);
	return end;
}

static uint32_t expand_single(struct shell *sh, struct fields *o, uint32_t i)
{
	uint32_t end = shell_skip_quoted(sh, i);

	o->started = true;
	for (uint32_t k = i + 1; !sh->broken && k + 1 < end; k++)
		add(sh, o, sh->text.p[k], k);
	return end;
}

static uint32_t expand_backslash(struct shell *sh, struct fields *o, uint32_t i, uint32_t hi, bool quoted)
{
	char c = i + 1 < hi ? sh->text.p[i + 1] : '\0';

	if (c == '\n')
		return i + 2;
	if (c == '\r' && i + 2 < hi && sh->text.p[i + 2] == '\n')
		return i + 3;
	if (c == '\0' || (quoted && !strchr("$`\"\\", c))) {
		add(sh, o, '\\', i);
		return i + 1;
	}
	add(sh, o, c, i + 1);
	return i + 2;
}

void shell_expand(struct shell *sh, struct fields *o, uint32_t lo, uint32_t hi, bool quoted)
{
	uint32_t i = lo;

	if (sh->depth++ >= SHELL_DEPTH_MAX)
		shell_break(sh, lo, "expansions nest deeper than 64 here");
	while (!sh->broken && i < hi) {
		char c = sh->text.p[i];

		if (c == '\\') {
			i = expand_backslash(sh, o, i, hi, quoted);
		} else if (c == '$') {
			i = expand_dollar(sh, o, i, hi, quoted);
		} else if (c == '`') {
			add(sh, o, SHELL_UNKNOWN, i);
			i = shell_skip_quoted(sh, i);
		} else if (c == '"' && !quoted) {
			i = expand_double(sh, o, i);
		} else if (c == '\'' && !quoted) {
			i = expand_single(sh, o, i);
		} else {
			add(sh, o, c, i++);
		}
	}
	sh->depth--;
}

struct shell_text shell_expand_one(struct shell *sh, uint32_t lo, uint32_t hi, bool quoted)
{
	struct fields o = { .split = false };

	shell_expand(sh, &o, lo, hi, quoted);
	return piece_text(sh, &o.now);
}
