/* shell.c - statements of a script: lists, branches, loops, functions, assignments, commands. */
#include "runtime/import/shell/shell_int.h"

/* ---- between words --------------------------------------------------------------------------- */

static char peek(const struct shell *sh, uint32_t ahead)
{
	return sh->i + ahead < sh->text.n ? sh->text.p[sh->i + ahead] : '\0';
}

/* The texts of here-documents stand behind the line that asks for them. */
static void skip_documents(struct shell *sh)
{
	for (uint32_t k = 0; k < sh->here_count; k++) {
		bool found = false;

		while (!found && sh->i < sh->text.n) {
			uint32_t lo = sh->i, hi;

			while (sh->i < sh->text.n && sh->text.p[sh->i] != '\n')
				sh->i++;
			hi = sh->i;
			sh->i += sh->i < sh->text.n;
			while (lo < hi && sh->text.p[lo] == '\t')
				lo++;
			while (hi > lo && sh->text.p[hi - 1] == '\r')
				hi--;
			found = str_equal(str_slice(sh->text, lo, hi), sh->here[k]);
		}
	}
	sh->here_count = 0;
}

/* `#SBATCH --nodes=4`: its words, as they stand. */
static void read_directive(struct shell *sh, uint32_t lo, uint32_t hi)
{
	struct piece p = { 0 };

	if (hi - lo < 8 || memcmp(sh->text.p + lo, "#SBATCH", 7) != 0)
		return;
	for (uint32_t i = lo + 7; i <= hi; i++) {
		bool blank = i == hi || strchr(" \t\r", sh->text.p[i]);

		if (!blank) {
			piece_add(sh, &p, sh->text.p[i], i);
		} else if (p.bytes.n > 0) {
			*VEC_ADD(sh->f->arena, &sh->script->directives.list) = piece_text(sh, &p);
			p = (struct piece){ 0 };
		}
		if (!blank && sh->text.p[i] == '#')
			break;
	}
}

static void skip_comment(struct shell *sh)
{
	uint32_t lo = sh->i;

	while (sh->i < sh->text.n && sh->text.p[sh->i] != '\n')
		sh->i++;
	read_directive(sh, lo, sh->i);
}

/* Blanks and continued lines; comments, and with `lines` the ends of lines too. */
static void skip_blanks(struct shell *sh, bool lines)
{
	for (;;) {
		char c = peek(sh, 0);

		if (c == ' ' || c == '\t' || c == '\r')
			sh->i++;
		else if (c == '\\' && peek(sh, 1) == '\n')
			sh->i += 2;
		else if (c == '\\' && peek(sh, 1) == '\r' && peek(sh, 2) == '\n')
			sh->i += 3;
		else if (c == '#')
			skip_comment(sh);
		else if (c == '\n' && lines) {
			sh->i++;
			skip_documents(sh);
		} else
			return;
	}
}

static bool ends_word(char c)
{
	return c == '\0' || strchr(" \t\r\n;&|<>()", c);
}

/* Where the word at the reader ends. */
static uint32_t word_end(struct shell *sh)
{
	uint32_t i = sh->i;

	while (!sh->broken && i < sh->text.n && !ends_word(sh->text.p[i])) {
		char c = sh->text.p[i];

		if (c == '\\' && i + 1 < sh->text.n)
			i += 2;
		else if (c == '\'' || c == '"' || c == '`')
			i = shell_skip_quoted(sh, i);
		else if (c == '$')
			i = shell_skip_dollar(sh, i);
		else
			i++;
	}
	return i;
}

/* The word at the reader when it is one of the script's own, like `if`. */
static bool at_word(struct shell *sh, const char *word)
{
	uint32_t n = (uint32_t)strlen(word);

	return sh->i + n <= sh->text.n && memcmp(sh->text.p + sh->i, word, n) == 0 &&
	       ends_word(peek(sh, n));
}

static bool take_word(struct shell *sh, const char *word)
{
	if (!at_word(sh, word))
		return false;
	sh->i += (uint32_t)strlen(word);
	return true;
}

static bool at_any(struct shell *sh, const char *const *words)
{
	for (; *words; words++)
		if (at_word(sh, *words))
			return true;
	return false;
}

static void demand(struct shell *sh, const char *word, uint32_t from, const char *what)
{
	skip_blanks(sh, true);
	while (peek(sh, 0) == ';') {
		sh->i++;
		skip_blanks(sh, true);
	}
	if (!take_word(sh, word) && !sh->broken)
		shell_break(sh, from, what);
}

/* ---- assignments and commands ---------------------------------------------------------------- */

static enum truth read_list(struct shell *sh, const char *const *ends);

/* `NAME=(...)`: the reader stands on the bracket. */
static struct shell_words read_array(struct shell *sh)
{
	uint32_t end = shell_skip_bracket(sh, sh->i, '(', ')');
	struct fields o = { .split = true };

	sh->i++;
	while (!sh->broken && sh->i + 1 < end) {
		uint32_t hi;

		skip_blanks(sh, true);
		if (sh->i + 1 >= end)
			break;
		hi = word_end(sh);
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
static bool read_assignment(struct shell *sh)
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
	if (peek(sh, 0) == '(') {
		array = true;
		items = read_array(sh);
	} else {
		uint32_t end = word_end(sh);

		*VEC_ADD(sh->f->arena, &items.list) = shell_expand_one(sh, sh->i, end, false);
		sh->i = end;
	}
	/* One element of a list: which one the list has then is not followed. */
	if (indexed && sh->mode == RUNS)
		sh->mode = MAY_RUN, shell_assign(sh, name, items, false, false, at), sh->mode = RUNS;
	else
		shell_assign(sh, name, items, array, append, at);
	return true;
}

/* `> file`, `2>&1`, `<<END`: nothing of it is a word of the command. */
static void read_redirection(struct shell *sh)
{
	bool here = peek(sh, 0) == '<' && peek(sh, 1) == '<' && peek(sh, 2) != '<';
	uint32_t end, lo, hi;

	while (peek(sh, 0) == '<' || peek(sh, 0) == '>' || peek(sh, 0) == '&' || peek(sh, 0) == '|')
		sh->i++;
	if (here && peek(sh, 0) == '-')
		sh->i++;
	if (peek(sh, 0) == '(') {
		sh->i = shell_skip_bracket(sh, sh->i, '(', ')');
		return;
	}
	skip_blanks(sh, false);
	end = word_end(sh);
	lo = sh->i;
	hi = end;
	sh->i = end;
	if (!here || sh->broken || hi == lo)
		return;
	if (strchr("'\"\\", sh->text.p[lo])) {
		hi -= sh->text.p[lo] != '\\' && hi > lo + 1;
		lo++;
	}
	if (sh->here_count < PLAN_COUNT(sh->here))
		sh->here[sh->here_count++] = str_slice(sh->text, lo, hi);
}

static bool at_redirection(struct shell *sh)
{
	uint32_t k = 0;

	while (peek(sh, k) >= '0' && peek(sh, k) <= '9')
		k++;
	if (peek(sh, k) == '<' || peek(sh, k) == '>') {
		sh->i += k;
		return true;
	}
	return peek(sh, 0) == '&' && peek(sh, 1) == '>';
}

static bool is_declaration(const struct shell_words *w)
{
	static const char *const words[] = { "export", "declare", "local", "readonly", "typeset" };

	for (size_t i = 0; w->list.n > 0 && i < PLAN_COUNT(words); i++)
		if (str_is(shell_view(&w->list.at[0]), words[i]))
			return true;
	return false;
}

static enum truth finish_command(struct shell *sh, const struct shell_words *w)
{
	struct str name = w->list.n > 0 ? shell_view(&w->list.at[0]) : (struct str){ "", 0 };

	if (w->list.n == 0)
		return YES;
	if (str_is(name, "[") || str_is(name, "test") || str_is(name, "[["))
		return shell_test(sh, w);
	if (str_is(name, "false"))
		return NO;
	if (sh->mode == RUNS)
		*VEC_ADD(sh->f->arena, &sh->script->commands) = *w;
	else if (sh->mode == MAY_RUN && w->list.at[0].n > 0)
		*VEC_ADD(sh->f->arena, &sh->script->unsure) = shell_span(sh->script, &w->list.at[0]);
	return YES;
}

/* `(( ... ))` as a command: what it assigns is not followed. */
static enum truth read_arithmetic(struct shell *sh)
{
	sh->i = shell_skip_bracket(sh, sh->i, '(', ')');
	return OPEN;
}

/* A character that is a word by itself. */
static void read_sign(struct shell *sh, struct fields *o)
{
	*VEC_ADD(sh->f->arena, &o->done.list) = shell_expand_one(sh, sh->i, sh->i + 1, true);
	sh->i++;
}

static enum truth read_simple(struct shell *sh)
{
	struct fields o = { .split = true };
	uint32_t start = sh->i;

	while (!sh->broken) {
		uint32_t end;

		skip_blanks(sh, false);
		if (at_redirection(sh)) {
			read_redirection(sh);
			continue;
		}
		/* `[[ a < b && c ]]` has signs of its own. */
		if (o.done.list.n > 0 && str_is(shell_view(&o.done.list.at[0]), "[[") &&
		    !str_is(shell_view(&o.done.list.at[o.done.list.n - 1]), "]]") &&
		    strchr("&|()<>", peek(sh, 0)) && peek(sh, 0) != '\0') {
			read_sign(sh, &o);
			continue;
		}
		if (ends_word(peek(sh, 0)))
			break;
		if ((o.done.list.n == 0 || is_declaration(&o.done)) && read_assignment(sh))
			continue;
		end = word_end(sh);
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
	if (sh->i == start && peek(sh, 0) == ')')
		shell_break(sh, sh->i, "nothing opened this bracket");
	return finish_command(sh, &o.done);
}

/* ---- compound commands ----------------------------------------------------------------------- */

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
		t = read_list(sh, thens);
		demand(sh, "then", from, "this `if` has no `then`");
		sh->mode = mode_under(rest, t);
		read_list(sh, elses);
		rest = mode_under(rest, not(t));
		skip_blanks(sh, true);
	} while (!sh->broken && take_word(sh, "elif"));
	if (!sh->broken && take_word(sh, "else")) {
		sh->mode = rest;
		read_list(sh, fis);
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
	if (take_word(sh, "for") || take_word(sh, "select")) {
		uint32_t n;

		skip_blanks(sh, false);
		n = shell_name_length(sh, sh->i);
		if (n > 0)
			shell_assign(sh, str_slice(sh->text, sh->i, sh->i + n), (struct shell_words){ 0 },
				     false, false, sh->i);
		if (peek(sh, 0) == '(')
			sh->i = shell_skip_bracket(sh, sh->i, '(', ')');
		while (!sh->broken && sh->i < sh->text.n && peek(sh, 0) != '\n' && peek(sh, 0) != ';') {
			uint32_t end = word_end(sh);

			sh->i = end > sh->i ? end : sh->i + 1;
		}
	} else {
		sh->i += 5;
		read_list(sh, dos);
	}
	demand(sh, "do", from, "this loop has no `do`");
	read_list(sh, dones);
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

	skip_blanks(sh, true);
	if (peek(sh, 0) == '(')
		sh->i++;
	while (!sh->broken && sh->i < sh->text.n && peek(sh, 0) != ')') {
		uint32_t end;
		struct shell_text p;

		skip_blanks(sh, true);
		end = word_end(sh);
		p = shell_expand_one(sh, sh->i, end, false);
		if (end == sh->i && peek(sh, 0) != '|' && peek(sh, 0) != ')') {
			shell_break(sh, sh->i, "a pattern of this `case` was expected here");
			return OPEN;
		}
		if (t == NO && end > sh->i)
			t = str_is(shell_view(&p), "*") ? YES :
			    !shell_known(&p) || !pattern_is_plain(shell_view(&p)) ? OPEN :
			    str_equal(shell_view(&p), shell_view(word)) ? YES : NO;
		sh->i = end + (peek(sh, end - sh->i) == '|');
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
	skip_blanks(sh, true);
	end = word_end(sh);
	word = shell_expand_one(sh, sh->i, end, false);
	sh->i = sh->broken ? sh->text.n : end;
	demand(sh, "in", from, "this `case` has no `in`");
	for (;;) {
		enum truth t;

		skip_blanks(sh, true);
		if (sh->broken || sh->i >= sh->text.n || at_word(sh, "esac"))
			break;
		t = read_patterns(sh, &word);
		sh->mode = mode_under(rest, t);
		read_list(sh, esacs);
		rest = mode_under(rest, not(t));
		skip_blanks(sh, true);
		while (peek(sh, 0) == ';' || peek(sh, 0) == '&')
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
	enum truth t = read_list(sh, ends);

	skip_blanks(sh, true);
	if (!sh->broken && peek(sh, 0) != *end)
		shell_break(sh, from, "this bracket is not closed");
	sh->i += sh->i < sh->text.n;
	return t;
}

static bool skip_function_head(struct shell *sh)
{
	uint32_t n = shell_name_length(sh, sh->i), i = sh->i + n;

	if (take_word(sh, "function")) {
		skip_blanks(sh, false);
		sh->i = word_end(sh);
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
		skip_blanks(sh, true);
	if (at_word(sh, "if"))
		t = read_if(sh);
	else if (at_word(sh, "for") || at_word(sh, "while") || at_word(sh, "until") || at_word(sh, "select"))
		t = read_loop(sh);
	else if (at_word(sh, "case"))
		t = read_case(sh);
	else if (at_word(sh, "{"))
		t = read_group(sh, "}");
	else if (peek(sh, 0) == '(' && peek(sh, 1) == '(')
		t = read_arithmetic(sh);
	else if (peek(sh, 0) == '(')
		t = read_group(sh, ")");
	else if (take_word(sh, "!")) {
		skip_blanks(sh, false);
		t = not(read_command(sh));
	} else
		t = read_simple(sh);
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

		skip_blanks(sh, false);
		c = peek(sh, 0);
		d = peek(sh, 1);
		if (sh->broken || (c != '|' && !(c == '&' && d == '&')))
			break;
		sh->i += d == c || (c == '|' && d == '&') ? 2 : 1;
		if (d == c)
			sh->mode = mode_under(outer, c == '&' ? t : not(t));
		skip_blanks(sh, true);
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
static enum truth read_list(struct shell *sh, const char *const *ends)
{
	enum truth t = YES;

	for (;;) {
		uint32_t before;

		skip_blanks(sh, true);
		if (sh->broken || sh->i >= sh->text.n)
			return t;
		if (at_any(sh, ends) || (peek(sh, 0) == ')' && strcmp(ends[0], ")") == 0))
			return t;
		/* `;;` ends a branch of a case. */
		if (peek(sh, 0) == ';' && peek(sh, 1) == ';' && strcmp(ends[0], "esac") == 0)
			return t;
		if (peek(sh, 0) == ';' || peek(sh, 0) == '&' || peek(sh, 0) == '|') {
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
	read_list(&sh, none);
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
