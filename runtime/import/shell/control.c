/* control.c - branches and loops: which of their statements run, as far as that is known. */
#include "runtime/import/shell/shell_int.h"

static void demand(struct shell *sh, const char *word, uint32_t from, const char *what)
{
	shell_skip_blanks(sh, true);
	while (shell_peek(sh, 0) == ';') {
		sh->i++;
		shell_skip_blanks(sh, true);
	}
	if (!shell_take_word(sh, word) && !sh->broken)
		shell_break(sh, from, what);
}

enum mode shell_mode(enum mode outer, enum truth t)
{
	if (outer == RUNS_NOT || t == NO)
		return RUNS_NOT;
	return outer == MAY_RUN || t == OPEN ? MAY_RUN : RUNS;
}

enum truth shell_not(enum truth t)
{
	return t == OPEN ? OPEN : t == YES ? NO : YES;
}

enum truth shell_read_if(struct shell *sh)
{
	static const char *const thens[] = { "then", NULL }, *const elses[] = { "elif", "else", "fi", NULL },
				 *const fis[] = { "fi", NULL };
	enum mode outer = sh->mode, rest = outer;
	uint32_t from = sh->i;

	sh->i += 2;
	do {
		enum truth t;

		sh->mode = rest;
		t = shell_read_list(sh, thens);
		demand(sh, "then", from, "this `if` has no `then`");
		sh->mode = shell_mode(rest, t);
		shell_read_list(sh, elses);
		rest = shell_mode(rest, shell_not(t));
		shell_skip_blanks(sh, true);
	} while (!sh->broken && shell_take_word(sh, "elif"));
	if (!sh->broken && shell_take_word(sh, "else")) {
		sh->mode = rest;
		shell_read_list(sh, fis);
	}
	demand(sh, "fi", from, "this `if` has no `fi`");
	sh->mode = outer;
	return OPEN;
}

/* The words behind `in`, up to the end of the line; false where they are not known. */
static bool read_loop_words(struct shell *sh, struct fields *o)
{
	bool known = shell_take_word(sh, "in");

	while (!sh->broken && !shell_ends_word(shell_peek(sh, 0) == ' ' ? 'x' : shell_peek(sh, 0))) {
		uint32_t end;

		shell_skip_blanks(sh, false);
		end = shell_word_end(sh);
		if (end == sh->i)
			break;
		shell_expand(sh, o, sh->i, end, false);
		shell_fields_end(sh, o);
		sh->i = end;
	}
	for (uint32_t i = 0; i < o->done.list.n; i++)
		known = known && shell_known(&o->done.list.at[i]) &&
			!memchr(o->done.list.at[i].p, '*', o->done.list.at[i].n);
	return known && shell_peek(sh, 0) != '(';
}

static bool leaves(const struct shell *sh, uint32_t lo, uint32_t hi)
{
	for (uint32_t i = lo; i + 8 < hi; i++)
		if (memcmp(sh->text.p + i, "break", 5) == 0 || memcmp(sh->text.p + i, "continue", 8) == 0)
			return true;
	return false;
}

/* The body once for each word. One that leaves the loop by itself is not followed. */
static void run_body(struct shell *sh, struct str name, uint32_t at, const struct shell_words *words)
{
	static const char *const dones[] = { "done", NULL };
	enum mode outer = sh->mode;
	uint32_t body = sh->i;
	bool open;

	sh->mode = RUNS_NOT;
	shell_read_list(sh, dones);
	open = !sh->broken && leaves(sh, body, sh->i);
	sh->mode = open ? shell_mode(outer, OPEN) : outer;
	for (uint32_t i = 0; i < (open ? 1 : words->list.n) && !sh->broken; i++) {
		struct shell_words one = { 0 };

		if (words->list.n > i)
			*VEC_ADD(sh->f->arena, &one.list) = words->list.at[i];
		shell_assign(sh, name, one, false, false, at);
		sh->i = body;
		shell_read_list(sh, dones);
	}
	sh->mode = outer;
}

enum truth shell_read_for(struct shell *sh)
{
	static const char *const dones[] = { "done", NULL };
	enum mode outer = sh->mode;
	uint32_t from = sh->i, at, n;
	struct fields words = { .split = true };
	bool known;

	sh->i += shell_at_word(sh, "for") ? 3 : 6;
	shell_skip_blanks(sh, false);
	at = sh->i;
	n = shell_name_length(sh, at);
	sh->i += n;
	shell_skip_blanks(sh, false);
	if (shell_peek(sh, 0) == '(')
		sh->i = shell_skip_bracket(sh, sh->i, '(', ')');
	known = n > 0 && from + 3 <= at && read_loop_words(sh, &words);
	demand(sh, "do", from, "this loop has no `do`");
	if (known) {
		run_body(sh, str_slice(sh->text, at, at + n), at, &words.done);
	} else {
		sh->mode = shell_mode(outer, OPEN);
		if (n > 0)
			shell_assign(sh, str_slice(sh->text, at, at + n), (struct shell_words){ 0 }, false, false,
				     at);
		shell_read_list(sh, dones);
		sh->mode = outer;
	}
	demand(sh, "done", from, "this loop has no `done`");
	return OPEN;
}

/* How often a loop on a condition runs is not followed. */
enum truth shell_read_while(struct shell *sh)
{
	static const char *const dos[] = { "do", NULL }, *const dones[] = { "done", NULL };
	enum mode outer = sh->mode;
	uint32_t from = sh->i;

	sh->mode = shell_mode(outer, OPEN);
	sh->i += 5;
	shell_read_list(sh, dos);
	demand(sh, "do", from, "this loop has no `do`");
	shell_read_list(sh, dones);
	demand(sh, "done", from, "this loop has no `done`");
	sh->mode = outer;
	return OPEN;
}

static bool pattern_is_plain(struct str p)
{
	for (uint32_t i = 0; i < p.n; i++)
		if (strchr("*?[]", p.p[i]))
			return false;
	return true;
}

/* Whether one of the patterns up to the closing bracket is the word. */
static enum truth read_patterns(struct shell *sh, const struct shell_text *word)
{
	enum truth t = shell_known(word) ? NO : OPEN;

	shell_skip_blanks(sh, true);
	if (shell_peek(sh, 0) == '(')
		sh->i++;
	while (!sh->broken && sh->i < sh->text.n && shell_peek(sh, 0) != ')') {
		uint32_t end;
		struct shell_text p;

		shell_skip_blanks(sh, true);
		end = shell_word_end(sh);
		p = shell_expand_one(sh, sh->i, end, false);
		if (end == sh->i && shell_peek(sh, 0) != '|' && shell_peek(sh, 0) != ')') {
			shell_break(sh, sh->i, "a pattern of this `case` was expected here");
			return OPEN;
		}
		if (t == NO && end > sh->i)
			t = str_is(shell_view(&p), "*") ? YES :
			    !shell_known(&p) || !pattern_is_plain(shell_view(&p)) ? OPEN :
			    str_equal(shell_view(&p), shell_view(word)) ? YES : NO;
		sh->i = end + (shell_peek(sh, end - sh->i) == '|');
	}
	sh->i += sh->i < sh->text.n;
	return t;
}

enum truth shell_read_case(struct shell *sh)
{
	static const char *const esacs[] = { "esac", NULL };
	enum mode outer = sh->mode, rest = outer;
	uint32_t from = sh->i, end;
	struct shell_text word;

	sh->i += 4;
	shell_skip_blanks(sh, true);
	end = shell_word_end(sh);
	word = shell_expand_one(sh, sh->i, end, false);
	sh->i = sh->broken ? sh->text.n : end;
	demand(sh, "in", from, "this `case` has no `in`");
	for (;;) {
		enum truth t;

		shell_skip_blanks(sh, true);
		if (sh->broken || sh->i >= sh->text.n || shell_at_word(sh, "esac"))
			break;
		t = read_patterns(sh, &word);
		sh->mode = shell_mode(rest, t);
		shell_read_list(sh, esacs);
		rest = shell_mode(rest, shell_not(t));
		shell_skip_blanks(sh, true);
		while (shell_peek(sh, 0) == ';' || shell_peek(sh, 0) == '&')
			sh->i++;
	}
	demand(sh, "esac", from, "this `case` has no `esac`");
	sh->mode = outer;
	return OPEN;
}
