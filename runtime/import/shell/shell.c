/* shell.c - statements of a script: lists, branches, loops, functions. */
#include "runtime/import/shell/shell_int.h"

static enum truth read_command(struct shell *sh);

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

/* `(( ... ))` as a command: whether it is other than 0; what it assigns is not followed. */
static enum truth read_arithmetic(struct shell *sh)
{
	uint32_t lo = sh->i + 2, hi = shell_skip_bracket(sh, sh->i, '(', ')');
	struct shell_text t;
	int64_t value;

	sh->i = hi;
	if (sh->broken || hi < lo + 2)
		return OPEN;
	t = shell_expand_one(sh, lo, hi - 2, true);
	if (sh->broken || !shell_known(&t) || !shell_arithmetic(sh, shell_view(&t), &value))
		return OPEN;
	return value != 0 ? YES : NO;
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
	sh->mode = open ? mode_under(outer, OPEN) : outer;
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

static enum truth read_for(struct shell *sh)
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
		sh->mode = mode_under(outer, OPEN);
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
static enum truth read_while(struct shell *sh)
{
	static const char *const dos[] = { "do", NULL }, *const dones[] = { "done", NULL };
	enum mode outer = sh->mode;
	uint32_t from = sh->i;

	sh->mode = mode_under(outer, OPEN);
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

/* `{ ... }` and `( ... )`. */
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

/* `name()` or `function name` in front of a body, which runs where the function is called. */
static bool read_function(struct shell *sh)
{
	uint32_t n = shell_name_length(sh, sh->i), at = sh->i, i;
	enum mode outer = sh->mode;
	struct str name;

	if (shell_take_word(sh, "function")) {
		shell_skip_blanks(sh, false);
		at = sh->i;
		n = shell_word_end(sh) - at;
		i = at + n;
		while (i < sh->text.n && (sh->text.p[i] == ' ' || sh->text.p[i] == '\t'))
			i++;
		i += i + 1 < sh->text.n && sh->text.p[i] == '(' && sh->text.p[i + 1] == ')' ? 2 : 0;
	} else {
		for (i = at + n; i < sh->text.n && (sh->text.p[i] == ' ' || sh->text.p[i] == '\t'); i++)
			;
		if (n == 0 || i + 1 >= sh->text.n || sh->text.p[i] != '(' || sh->text.p[i + 1] != ')')
			return false;
		i += 2;
	}
	name = str_slice(sh->text, at, at + n);
	sh->i = i;
	shell_skip_blanks(sh, true);
	*VEC_ADD(sh->f->arena, &sh->functions) = (struct function){ name, sh->i };
	sh->mode = RUNS_NOT;
	read_command(sh);
	sh->mode = outer;
	return true;
}

enum { CALLS_MAX = 10000 };

bool shell_call(struct shell *sh, const struct shell_words *w, enum truth *t)
{
	const struct function *f = NULL;
	const struct shell_words *outer = sh->arguments;
	struct shell_words *arguments;
	uint32_t back = sh->i, pending = sh->here_count;

	for (uint32_t i = sh->functions.n; i-- > 0 && !f;)
		if (str_equal(sh->functions.at[i].name, shell_view(&w->list.at[0])))
			f = &sh->functions.at[i];
	if (!f)
		return false;
	if (++sh->calls > CALLS_MAX) {
		shell_break(sh, w->list.at[0].at[0], "functions call each other more than 10,000 times");
		return true;
	}
	arguments = ARENA_NEW(sh->f->arena, struct shell_words);
	for (uint32_t i = 1; i < w->list.n; i++)
		*VEC_ADD(sh->f->arena, &arguments->list) = w->list.at[i];
	sh->arguments = arguments;
	sh->here_count = 0;
	sh->i = f->body;
	*t = read_command(sh);
	sh->arguments = outer;
	if (sh->broken)
		return true;
	sh->here_count = pending;
	sh->i = back;
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
	if (read_function(sh))
		t = YES;
	else if (shell_at_word(sh, "if"))
		t = read_if(sh);
	else if (shell_at_word(sh, "for") || shell_at_word(sh, "select"))
		t = read_for(sh);
	else if (shell_at_word(sh, "while") || shell_at_word(sh, "until"))
		t = read_while(sh);
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

bool shell_is_word(const struct shell_text *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (!shell_name_char(t->p[i], false))
			return false;
	return t->n > 0;
}

struct str shell_outside(const struct sources *s, const struct shell_script *script, uint32_t at)
{
	struct str all = source_get(s, script->file)->text, nothing = { "", 0 };
	uint32_t lo = at + 1, hi;
	bool braces;

	if (at + 1 >= all.n || all.p[at] != '$')
		return nothing;
	braces = all.p[lo] == '{';
	lo += braces;
	for (hi = lo; hi < all.n && shell_name_char(all.p[hi], hi == lo); hi++)
		;
	if (braces && (hi + 1 >= all.n || (all.p[hi] != '}' && all.p[hi] != '?' &&
					   (all.p[hi] != ':' || all.p[hi + 1] != '?'))))
		return nothing;
	return str_slice(all, lo, hi);
}

struct span shell_span(const struct shell_script *script, const struct shell_text *t)
{
	uint32_t lo = t->n > 0 ? t->at[0] : 0, hi = lo + 1;

	for (uint32_t i = 1; i < t->n && t->at[i] == t->at[i - 1] + 1; i++)
		hi = t->at[i] + 1;
	return (struct span){ script->file, lo, hi };
}
