/* shell_int.h - what the parts of the evaluator share. */
#ifndef PLAN_SHELL_SHELL_INT_H
#define PLAN_SHELL_SHELL_INT_H

#include "runtime/import/shell/shell.h"

/* A text that grows. */
struct piece {
	VEC(char) bytes;
	VEC(uint32_t) at;
};

struct variable {
	struct str name;
	bool array;
	bool exported;
	struct shell_words items;    /* one where it is no array */
};

/* Its body is a command at an offset. */
struct function {
	struct str name;
	uint32_t body;
};

/* `<<END`; in quotes (`<<'END'`) nothing in it is expanded. */
struct document {
	struct str end;
	bool plain;
};

/* Whether a command runs. */
enum mode { RUNS, MAY_RUN, RUNS_NOT };

/* How a command ended, as far as it is known. */
enum truth { YES, NO, OPEN };

struct shell {
	struct foreign *f;
	struct shell_script *script;
	struct str text;
	uint32_t i;                  /* where the reader is */
	uint32_t depth;
	uint32_t written;            /* bytes of all expansions */
	bool broken;                 /* something was reported: unwind */
	enum mode mode;
	VEC(struct variable) variables;
	VEC(struct function) functions;
	const struct shell_words *arguments; /* $1 and on; NULL: those of the script, which nobody knows */
	uint32_t calls;
	struct document here[8];     /* here-documents that the next line begins */
	uint32_t here_count;
};

/* The character at the reader, or some behind it; 0 at the end. */
char shell_peek(const struct shell *sh, uint32_t ahead);
/* Goes over blanks and continued lines; comments, and with `lines` the ends of lines too. */
void shell_skip_blanks(struct shell *sh, bool lines);
bool shell_ends_word(char c);
/* Where the word at the reader ends. */
uint32_t shell_word_end(struct shell *sh);
/* The word at the reader when it is one of the script's own, like `if`. */
bool shell_at_word(struct shell *sh, const char *word);
bool shell_take_word(struct shell *sh, const char *word);

/* Assignments and one command; statements up to a word of `ends`. How the last one ended. */
enum truth shell_read_simple(struct shell *sh);
enum truth shell_read_list(struct shell *sh, const char *const *ends);

/* Branches and loops, at their first word. How such a command ended is never known. */
enum truth shell_read_if(struct shell *sh);
enum truth shell_read_case(struct shell *sh);
enum truth shell_read_for(struct shell *sh);    /* and `select` */
enum truth shell_read_while(struct shell *sh);  /* and `until` */

/* Whether what is inside runs, by the mode around it and by how its condition ended. */
enum mode shell_mode(enum mode outer, enum truth t);
enum truth shell_not(enum truth t);

/* `export`, `declare` and their like. */
bool shell_is_declaration(const struct shell_words *w);

/* ---- the environment of commands ------------------------------------------------------------- */

struct shell_names {
	VEC(struct str) list;
};

/* The variable is in the environment from the next command on, up to command `hi`. */
#define SHELL_ALWAYS UINT32_MAX
void shell_export(struct shell *sh, struct variable *v, uint32_t hi);

/* What a command that is about to run does to the environment; `assigned` are the names that it assigned. */
void shell_note_exports(struct shell *sh, const struct shell_words *w, const struct shell_names *assigned);

/* Runs a function that the first word of a command names; false when there is none. */
bool shell_call(struct shell *sh, const struct shell_words *w, enum truth *t);

/* The lines of the last here-document that the line of the reader asked for: [lo, hi). */
void shell_document(const struct shell *sh, uint32_t *lo, uint32_t *hi);

/* Where the text of a document ends, whose lines begin at `lo`; `behind` its last line. */
uint32_t shell_document_end(const struct shell *sh, uint32_t lo, struct str end, uint32_t *behind);

/* Reports at an offset and stops reading. */
void shell_break(struct shell *sh, uint32_t at, const char *what);

/* Where what begins at `i` ends: a quoted text, an expansion, a bracket. The end of the text, after a
 * report, when it does not end. */
uint32_t shell_skip_quoted(struct shell *sh, uint32_t i);
uint32_t shell_skip_dollar(struct shell *sh, uint32_t i);
uint32_t shell_skip_bracket(struct shell *sh, uint32_t i, char open, char close);

/* Words of one piece of the text: splits where a blank comes out of an expansion that is not quoted. */
struct fields {
	struct shell_words done;
	struct piece now;
	bool started;                /* `now` is a word even if it is empty */
	bool split;                  /* false: all of it is one word, as behind `=` */
};

void shell_expand(struct shell *sh, struct fields *o, uint32_t lo, uint32_t hi, bool quoted);
void shell_fields_end(struct shell *sh, struct fields *o);   /* the last word becomes one of `done` */

/* One text of [lo, hi), unsplit. */
struct shell_text shell_expand_one(struct shell *sh, uint32_t lo, uint32_t hi, bool quoted);

/* The value of an arithmetic text; false when it is not known. */
bool shell_arithmetic(struct shell *sh, struct str text, int64_t *value);

struct variable *shell_variable(struct shell *sh, struct str name);   /* NULL: never assigned */
struct variable *shell_variable_make(struct shell *sh, struct str name);
void shell_assign(struct shell *sh, struct str name, struct shell_words items, bool array, bool append,
		  uint32_t at);

/* How `[ ... ]`, `test` and `[[ ... ]]` end. */
enum truth shell_test(struct shell *sh, const struct shell_words *words);

void piece_add(struct shell *sh, struct piece *p, char c, uint32_t at);
struct shell_text piece_text(struct shell *sh, const struct piece *p);

static inline bool shell_name_char(char c, bool first)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (!first && c >= '0' && c <= '9');
}

/* The length of a name at i; 0 when there is none. */
uint32_t shell_name_length(const struct shell *sh, uint32_t i);

#endif
