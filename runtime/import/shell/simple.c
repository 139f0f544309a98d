/* simple.c - assignments and simple commands. */
#include "runtime/import/shell/shell_int.h"

#include <inttypes.h>

/* `NAME=(...)`: the reader stands on the bracket. */
static struct shell_words read_array(struct shell *sh)
{
	uint32_t end = shell_skip_bracket(sh, sh->i, '(', ')');
	struct fields o = { .split = true };

	sh->i++;
	while (!sh->broken && sh->i + 1 < end) {
		uint32_t hi;

		shell_skip_blanks(sh, true);
		if (sh->i + 1 >= end)
			break;
		hi = shell_word_end(sh);
		if (hi == sh->i || hi > end - 1) {
			sh->i++;
			continue;
		}
		shell_expand(sh, &o, sh->i, hi, false);
		shell_fields_end(sh, &o);
		sh->i = hi;
	}
	if (!sh->broken)
		sh->i = end;
	return o.done;
}

/* `NAME=word`, `NAME+=word`, `NAME=(...)`, `NAME[...]=word`. */
static bool read_assignment(struct shell *sh, struct shell_names *assigned)
{
	uint32_t n = shell_name_length(sh, sh->i), at = sh->i, i = sh->i + n;
	struct str name = str_slice(sh->text, at, at + n);
	struct shell_words items = { 0 };
	bool append = false, array = false, indexed = false;

	if (n == 0)
		return false;
	if (i < sh->text.n && sh->text.p[i] == '[') {
		while (i < sh->text.n && !strchr("] \n", sh->text.p[i]))
			i++;
		i += i < sh->text.n && sh->text.p[i] == ']';
		indexed = true;
	}
	if (i < sh->text.n && sh->text.p[i] == '+') {
		append = true;
		i++;
	}
	if (i >= sh->text.n || sh->text.p[i] != '=')
		return false;
	sh->i = i + 1;
	if (shell_peek(sh, 0) == '(') {
		array = true;
		items = read_array(sh);
	} else {
		uint32_t end = shell_word_end(sh);

		*VEC_ADD(sh->f->arena, &items.list) = shell_expand_one(sh, sh->i, end, false);
		sh->i = end;
	}
	/* One element of a list: which one the list has then is not followed. */
	if (indexed && sh->mode == RUNS)
		sh->mode = MAY_RUN, shell_assign(sh, name, items, false, false, at), sh->mode = RUNS;
	else
		shell_assign(sh, name, items, array, append, at);
	*VEC_ADD(sh->f->arena, &assigned->list) = name;
	return true;
}

/* `> file`, `2>&1`, `<<END`: nothing of it is a word of the command. */
static void read_redirection(struct shell *sh)
{
	bool here = shell_peek(sh, 0) == '<' && shell_peek(sh, 1) == '<' && shell_peek(sh, 2) != '<';
	uint32_t end, lo, hi;
	bool plain;

	while (shell_peek(sh, 0) == '<' || shell_peek(sh, 0) == '>' || shell_peek(sh, 0) == '&' || shell_peek(sh, 0) == '|')
		sh->i++;
	if (here && shell_peek(sh, 0) == '-')
		sh->i++;
	if (shell_peek(sh, 0) == '(') {
		sh->i = shell_skip_bracket(sh, sh->i, '(', ')');
		return;
	}
	shell_skip_blanks(sh, false);
	end = shell_word_end(sh);
	lo = sh->i;
	hi = end;
	sh->i = end;
	if (!here || sh->broken || hi == lo)
		return;
	plain = strchr("'\"\\", sh->text.p[lo]) != NULL;
	if (plain) {
		hi -= sh->text.p[lo] != '\\' && hi > lo + 1;
		lo++;
	}
	if (sh->here_count < PLAN_COUNT(sh->here))
		sh->here[sh->here_count++] = (struct document){ str_slice(sh->text, lo, hi), plain };
}

static bool at_redirection(struct shell *sh)
{
	uint32_t k = 0;

	while (shell_peek(sh, k) >= '0' && shell_peek(sh, k) <= '9')
		k++;
	if (shell_peek(sh, k) == '<' || shell_peek(sh, k) == '>') {
		sh->i += k;
		return true;
	}
	return shell_peek(sh, 0) == '&' && shell_peek(sh, 1) == '>';
}

bool shell_is_declaration(const struct shell_words *w)
{
	static const char *const words[] = { "export", "declare", "local", "readonly", "typeset" };

	for (size_t i = 0; w->list.n > 0 && i < PLAN_COUNT(words); i++)
		if (str_is(shell_view(&w->list.at[0]), words[i]))
			return true;
	return false;
}

/* `read -r -d '' NAME <<END`: the whole document. */
static bool read_document(struct shell *sh, const struct shell_words *w)
{
	const struct shell_text *name = &w->list.at[w->list.n - 1];
	const struct document *d = sh->here_count > 0 ? &sh->here[sh->here_count - 1] : NULL;
	struct shell_words items = { 0 };
	struct str at;
	uint32_t lo, hi;
	bool whole = false;

	for (uint32_t i = 1; i + 1 < w->list.n; i++)
		whole = whole || (w->list.at[i].n >= 2 && w->list.at[i].p[0] == '-' &&
				  memchr(w->list.at[i].p, 'd', w->list.at[i].n));
	if (!d || !whole || !shell_is_word(name))
		return false;
	shell_document(sh, &lo, &hi);
	if (d->plain)
		return false;
	*VEC_ADD(sh->f->arena, &items.list) = shell_expand_one(sh, lo, hi, true);
	at = str_slice(sh->text, name->at[0], name->at[0] + name->n);
	shell_assign(sh, at, items, false, false, name->at[0]);
	return true;
}

/* `let NAME=...`: one assignment; others are not followed. */
static enum truth read_let(struct shell *sh, const struct shell_words *w)
{
	for (uint32_t i = 1; i < w->list.n; i++) {
		const struct shell_text *t = &w->list.at[i];
		const char *equals = memchr(t->p, '=', t->n);
		uint32_t n = equals ? (uint32_t)(equals - t->p) : 0;
		struct shell_text name = { t->p, t->at, n };
		struct shell_words items = { 0 };
		struct piece p = { 0 };
		char digits[24];
		int64_t value;

		if (n == 0 || !shell_is_word(&name))
			continue;
		if (shell_known(t) && shell_arithmetic(sh, str_slice(shell_view(t), n + 1, t->n), &value))
			(void)snprintf(digits, sizeof digits, "%" PRIi64, value);
		else
			(void)snprintf(digits, sizeof digits, "%c", SHELL_UNKNOWN);
		for (const char *d = digits; *d; d++)
			piece_add(sh, &p, *d, t->at[0]);
		*VEC_ADD(sh->f->arena, &items.list) = piece_text(sh, &p);
		shell_assign(sh, shell_view(&name), items, false, false, t->at[0]);
	}
	return OPEN;
}

/* `shift`, `shift N` in a function. */
static void shift(struct shell *sh, const struct shell_words *w)
{
	struct shell_words *rest = ARENA_NEW(sh->f->arena, struct shell_words);
	int64_t n = 1;

	if (w->list.n > 1 && !shell_arithmetic(sh, shell_view(&w->list.at[1]), &n))
		n = 1;
	for (uint32_t i = n > 0 ? (uint32_t)(n > 1000000 ? 1000000 : n) : 0; i < sh->arguments->list.n; i++)
		*VEC_ADD(sh->f->arena, &rest->list) = sh->arguments->list.at[i];
	sh->arguments = rest;
}

/* Commands that no argument comes out of, whether they run or not. */
static bool says_nothing(struct str name)
{
	static const char *const words[] = { "true", ":", "echo", "printf", "exit", "return", "break", "continue",
					     "shift", "mkdir", "sleep", "wait" };

	for (size_t i = 0; i < PLAN_COUNT(words); i++)
		if (str_is(name, words[i]))
			return true;
	return false;
}

static enum truth finish_command(struct shell *sh, const struct shell_words *w)
{
	struct str name = w->list.n > 0 ? shell_view(&w->list.at[0]) : (struct str){ "", 0 };
	enum truth t;

	if (w->list.n == 0)
		return YES;
	if (sh->mode != RUNS_NOT && shell_call(sh, w, &t))
		return t;
	if (str_is(name, "read") && read_document(sh, w))
		return OPEN;
	if (str_is(name, "let"))
		return read_let(sh, w);
	if (str_is(name, "shift") && sh->arguments && sh->mode == RUNS)
		shift(sh, w);
	if (str_is(name, "[") || str_is(name, "test") || str_is(name, "[["))
		return shell_test(sh, w);
	if (str_is(name, "false"))
		return NO;
	if (sh->mode == RUNS)
		*VEC_ADD(sh->f->arena, &sh->script->commands) = *w;
	else if (sh->mode == MAY_RUN && w->list.at[0].n > 0 && !says_nothing(name))
		*VEC_ADD(sh->f->arena, &sh->script->unsure) = shell_span(sh->script, &w->list.at[0]);
	return YES;
}

/* A character that is a word by itself. */
static void read_sign(struct shell *sh, struct fields *o)
{
	*VEC_ADD(sh->f->arena, &o->done.list) = shell_expand_one(sh, sh->i, sh->i + 1, true);
	sh->i++;
}

enum truth shell_read_simple(struct shell *sh)
{
	struct fields o = { .split = true };
	struct shell_names assigned = { 0 };
	uint32_t start = sh->i;

	while (!sh->broken) {
		uint32_t end;

		shell_skip_blanks(sh, false);
		if (at_redirection(sh)) {
			read_redirection(sh);
			continue;
		}
		/* `[[ a < b && c ]]` has signs of its own. */
		if (o.done.list.n > 0 && str_is(shell_view(&o.done.list.at[0]), "[[") &&
		    !str_is(shell_view(&o.done.list.at[o.done.list.n - 1]), "]]") &&
		    strchr("&|()<>", shell_peek(sh, 0)) && shell_peek(sh, 0) != '\0') {
			read_sign(sh, &o);
			continue;
		}
		if (shell_ends_word(shell_peek(sh, 0)))
			break;
		if ((o.done.list.n == 0 || shell_is_declaration(&o.done)) && read_assignment(sh, &assigned))
			continue;
		end = shell_word_end(sh);
		if (sh->broken)
			break;
		if (end == sh->i) {
			read_sign(sh, &o);
			continue;
		}
		shell_expand(sh, &o, sh->i, end, false);
		shell_fields_end(sh, &o);
		sh->i = end;
	}
	if (sh->broken)
		return OPEN;
	/* A bracket that nothing opened. */
	if (sh->i == start && shell_peek(sh, 0) == ')')
		shell_break(sh, sh->i, "nothing opened this bracket");
	shell_note_exports(sh, &o.done, &assigned);
	return finish_command(sh, &o.done);
}
