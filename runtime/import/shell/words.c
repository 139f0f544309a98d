/* words.c - where words of a script begin and end: blanks, comments, here-documents, directives. */
#include "runtime/import/shell/shell_int.h"

char shell_peek(const struct shell *sh, uint32_t ahead)
{
	return sh->i + ahead < sh->text.n ? sh->text.p[sh->i + ahead] : '\0';
}

uint32_t shell_document_end(const struct shell *sh, uint32_t lo, struct str end, uint32_t *behind)
{
	for (uint32_t i = lo; i < sh->text.n;) {
		uint32_t from = i, hi;

		while (i < sh->text.n && sh->text.p[i] != '\n')
			i++;
		hi = i;
		i += i < sh->text.n;
		*behind = i;
		lo = from;
		while (lo < hi && sh->text.p[lo] == '\t')
			lo++;
		while (hi > lo && sh->text.p[hi - 1] == '\r')
			hi--;
		if (str_equal(str_slice(sh->text, lo, hi), end))
			return from;
	}
	*behind = sh->text.n;
	return sh->text.n;
}

/* The texts of here-documents stand behind the line that asks for them. */
static void skip_documents(struct shell *sh)
{
	for (uint32_t k = 0; k < sh->here_count; k++)
		(void)shell_document_end(sh, sh->i, sh->here[k].end, &sh->i);
	sh->here_count = 0;
}

void shell_document(const struct shell *sh, uint32_t *lo, uint32_t *hi)
{
	uint32_t i = sh->i;

	while (i < sh->text.n && sh->text.p[i] != '\n')
		i++;
	i += i < sh->text.n;
	for (uint32_t k = 0; k < sh->here_count; k++) {
		*lo = i;
		*hi = shell_document_end(sh, i, sh->here[k].end, &i);
	}
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
void shell_skip_blanks(struct shell *sh, bool lines)
{
	for (;;) {
		char c = shell_peek(sh, 0);

		if (c == ' ' || c == '\t' || c == '\r')
			sh->i++;
		else if (c == '\\' && shell_peek(sh, 1) == '\n')
			sh->i += 2;
		else if (c == '\\' && shell_peek(sh, 1) == '\r' && shell_peek(sh, 2) == '\n')
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

bool shell_ends_word(char c)
{
	return c == '\0' || strchr(" \t\r\n;&|<>()", c);
}

/* Where the word at the reader ends. */
uint32_t shell_word_end(struct shell *sh)
{
	uint32_t i = sh->i;

	while (!sh->broken && i < sh->text.n && !shell_ends_word(sh->text.p[i])) {
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
bool shell_at_word(struct shell *sh, const char *word)
{
	uint32_t n = (uint32_t)strlen(word);

	return sh->i + n <= sh->text.n && memcmp(sh->text.p + sh->i, word, n) == 0 &&
	       shell_ends_word(shell_peek(sh, n));
}

bool shell_take_word(struct shell *sh, const char *word)
{
	if (!shell_at_word(sh, word))
		return false;
	sh->i += (uint32_t)strlen(word);
	return true;
}
