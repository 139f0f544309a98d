/* shell.c - commands of a script: lists and chains of them, groups, functions. */
#include "runtime/import/shell/shell_int.h"

static enum truth read_command(struct shell *sh);

static bool at_any(struct shell *sh, const char *const *words)
{
	for (; *words; words++)
		if (shell_at_word(sh, *words))
			return true;
	return false;
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
		t = shell_read_if(sh);
	else if (shell_at_word(sh, "for") || shell_at_word(sh, "select"))
		t = shell_read_for(sh);
	else if (shell_at_word(sh, "while") || shell_at_word(sh, "until"))
		t = shell_read_while(sh);
	else if (shell_at_word(sh, "case"))
		t = shell_read_case(sh);
	else if (shell_at_word(sh, "{"))
		t = read_group(sh, "}");
	else if (shell_peek(sh, 0) == '(' && shell_peek(sh, 1) == '(')
		t = read_arithmetic(sh);
	else if (shell_peek(sh, 0) == '(')
		t = read_group(sh, ")");
	else if (shell_take_word(sh, "!")) {
		shell_skip_blanks(sh, false);
		t = shell_not(read_command(sh));
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
			sh->mode = shell_mode(outer, c == '&' ? t : shell_not(t));
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
