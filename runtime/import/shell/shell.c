/* shell.c - statements of a script: lists, branches, loops, functions. */
#include "runtime/import/shell/shell_int.h"

static bool at_any(struct shell *sh, const char *const *words)
{
	for (; *words; words++)
		if (shell_at_word(sh, *words))
			return true;
	return false;
}

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

/* `(( ... ))` as a command: what it assigns is not followed. */
static enum truth read_arithmetic(struct shell *sh)
{
	sh->i = shell_skip_bracket(sh, sh->i, '(', ')');
	return OPEN;
}

static enum mode mode_under(enum mode outer, enum truth t)
{
	if (outer == RUNS_NOT || t == NO)
		return RUNS_NOT;
	return outer == MAY_RUN || t == OPEN ? MAY_RUN : RUNS;
}

static enum truth not(enum truth t)
{
	return t == OPEN ? OPEN : t == YES ? NO : YES;
}

static enum truth read_if(struct shell *sh)
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
		sh->mode = mode_under(rest, t);
		shell_read_list(sh, elses);
		rest = mode_under(rest, not(t));
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

/* How often a loop runs is not followed. */
static enum truth read_loop(struct shell *sh)
{
	static const char *const dos[] = { "do", NULL }, *const dones[] = { "done", NULL };
	enum mode outer = sh->mode;
	uint32_t from = sh->i;

	sh->mode = mode_under(outer, OPEN);
	if (shell_take_word(sh, "for") || shell_take_word(sh, "select")) {
		uint32_t n;

		shell_skip_blanks(sh, false);
		n = shell_name_length(sh, sh->i);
		if (n > 0)
			shell_assign(sh, str_slice(sh->text, sh->i, sh->i + n), (struct shell_words){ 0 },
				     false, false, sh->i);
		if (shell_peek(sh, 0) == '(')
			sh->i = shell_skip_bracket(sh, sh->i, '(', ')');
		while (!sh->broken && sh->i < sh->text.n && shell_peek(sh, 0) != '\n' && shell_peek(sh, 0) != ';') {
			uint32_t end = shell_word_end(sh);

			sh->i = end > sh->i ? end : sh->i + 1;
		}
	} else {
		sh->i += 5;
		shell_read_list(sh, dos);
	}
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

static enum truth read_case(struct shell *sh)
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
		sh->mode = mode_under(rest, t);
		shell_read_list(sh, esacs);
		rest = mode_under(rest, not(t));
		shell_skip_blanks(sh, true);
		while (shell_peek(sh, 0) == ';' || shell_peek(sh, 0) == '&')
			sh->i++;
	}
	demand(sh, "esac", from, "this `case` has no `esac`");
	sh->mode = outer;
	return OPEN;
}

/* `{ ... }`; the body of a function counts where it is written, which is where it is called soon. */
static enum truth read_group(struct shell *sh, const char *end)
{
	const char *const ends[] = { end, NULL };
	uint32_t from = sh->i++;
	enum truth t = shell_read_list(sh, ends);

	shell_skip_blanks(sh, true);
	if (!sh->broken && shell_peek(sh, 0) != *end)
		shell_break(sh, from, "this bracket is not closed");
	sh->i += sh->i < sh->text.n;
	return t;
}

static bool skip_function_head(struct shell *sh)
{
	uint32_t n = shell_name_length(sh, sh->i), i = sh->i + n;

	if (shell_take_word(sh, "function")) {
		shell_skip_blanks(sh, false);
		sh->i = shell_word_end(sh);
		i = sh->i;
		n = 1;
	}
	while (i < sh->text.n && (sh->text.p[i] == ' ' || sh->text.p[i] == '\t'))
		i++;
	if (n == 0 || i + 1 >= sh->text.n || sh->text.p[i] != '(' || sh->text.p[i + 1] != ')')
		return false;
	sh->i = i + 2;
	return true;
}

static enum truth read_command(struct shell *sh)
{
	enum truth t;

	if (sh->depth >= SHELL_DEPTH_MAX) {
		shell_break(sh, sh->i, "statements nest deeper than 64 here");
		return OPEN;
	}
	sh->depth++;
	if (skip_function_head(sh))
		shell_skip_blanks(sh, true);
	if (shell_at_word(sh, "if"))
		t = read_if(sh);
	else if (shell_at_word(sh, "for") || shell_at_word(sh, "while") || shell_at_word(sh, "until") || shell_at_word(sh, "select"))
		t = read_loop(sh);
	else if (shell_at_word(sh, "case"))
		t = read_case(sh);
	else if (shell_at_word(sh, "{"))
		t = read_group(sh, "}");
	else if (shell_peek(sh, 0) == '(' && shell_peek(sh, 1) == '(')
		t = read_arithmetic(sh);
	else if (shell_peek(sh, 0) == '(')
		t = read_group(sh, ")");
	else if (shell_take_word(sh, "!")) {
		shell_skip_blanks(sh, false);
		t = not(read_command(sh));
	} else
		t = shell_read_simple(sh);
	sh->depth--;
	return t;
}

/* Commands joined by `&&`, `||` and pipes. */
static enum truth read_chain(struct shell *sh)
{
	enum mode outer = sh->mode;
	enum truth t = read_command(sh);

	for (;;) {
		char c, d;

		shell_skip_blanks(sh, false);
		c = shell_peek(sh, 0);
		d = shell_peek(sh, 1);
		if (sh->broken || (c != '|' && !(c == '&' && d == '&')))
			break;
		sh->i += d == c || (c == '|' && d == '&') ? 2 : 1;
		if (d == c)
			sh->mode = mode_under(outer, c == '&' ? t : not(t));
		shell_skip_blanks(sh, true);
		if (d == c && sh->mode == RUNS_NOT)
			read_command(sh);
		else
			t = read_command(sh);
		sh->mode = outer;
	}
	sh->mode = outer;
	return t;
}

/* Statements up to a word of `ends`, or a closing bracket. How the last one ended. */
enum truth shell_read_list(struct shell *sh, const char *const *ends)
{
	enum truth t = YES;

	for (;;) {
		uint32_t before;

		shell_skip_blanks(sh, true);
		if (sh->broken || sh->i >= sh->text.n)
			return t;
		if (at_any(sh, ends) || (shell_peek(sh, 0) == ')' && strcmp(ends[0], ")") == 0))
			return t;
		/* `;;` ends a branch of a case. */
		if (shell_peek(sh, 0) == ';' && shell_peek(sh, 1) == ';' && strcmp(ends[0], "esac") == 0)
			return t;
		if (shell_peek(sh, 0) == ';' || shell_peek(sh, 0) == '&' || shell_peek(sh, 0) == '|') {
			sh->i++;
			continue;
		}
		before = sh->i;
		t = read_chain(sh);
		if (!sh->broken && sh->i == before)
			sh->i++;
	}
}

/* ---- entry ----------------------------------------------------------------------------------- */

static bool is_text(struct shell *sh)
{
	for (uint32_t i = 0; i < sh->text.n; i++)
		if ((unsigned char)sh->text.p[i] < 0x20 && !strchr("\t\n\r\f\v", sh->text.p[i])) {
			shell_break(sh, i, "a control character: this is no script");
			return false;
		}
	for (uint32_t i = 0; i < sh->text.n; i++)
		if (sh->text.p[i] == '\0') {
			shell_break(sh, i, "a zero byte: this is no script");
			return false;
		}
	return true;
}

bool shell_read(struct foreign *f, const struct sources *s, uint32_t file, struct shell_script *result)
{
	static const char *const none[] = { "\n", NULL };
	struct shell sh = { .f = f, .script = result, .text = source_get(s, file)->text };

	*result = (struct shell_script){ .file = file };
	if (!is_text(&sh))
		return false;
	shell_read_list(&sh, none);
	return !sh.broken;
}

struct str shell_unknown(const struct sources *s, const struct shell_script *script,
			 const struct shell_text *text)
{
	const char *p = memchr(text->p, SHELL_UNKNOWN, text->n);
	struct str all = source_get(s, script->file)->text;
	uint32_t lo, hi, open = 0;

	if (!p)
		return (struct str){ "", 0 };
	lo = hi = text->at[p - text->p];
	if (all.p[hi] == '$')
		hi++;
	for (; hi < all.n && hi - lo < 60; hi++) {
		char c = all.p[hi];

		if (c == '{' || c == '(')
			open++;
		else if ((c == '}' || c == ')') && open > 0 && --open == 0)
			return str_slice(all, lo, hi + 1);
		else if (open == 0 && !shell_name_char(c, false) && hi > lo)
			break;
	}
	return str_slice(all, lo, hi);
}

struct span shell_span(const struct shell_script *script, const struct shell_text *t)
{
	uint32_t lo = t->n > 0 ? t->at[0] : 0, hi = lo + 1;

	for (uint32_t i = 1; i < t->n && t->at[i] == t->at[i - 1] + 1; i++)
		hi = t->at[i] + 1;
	return (struct span){ script->file, lo, hi };
}
