/* shell.h - what a launch script runs, as far as its text alone says it.
 *
 * Evaluates assignments, arrays, quotes, parameter expansion, arithmetic, tests, branches, loops over known
 * words, functions and here-documents of a POSIX or bash script, and nothing else: no command runs, no file
 * and no environment is read. What
 * cannot be known that way - the environment, the output of commands, arguments, patterns - stays in
 * a word as SHELL_UNKNOWN, a byte that no script may hold. A default, `${N:-8}`, counts.
 *
 * Every byte of a word knows its offset in the script, through variables too.
 */
#ifndef PLAN_SHELL_SHELL_H
#define PLAN_SHELL_SHELL_H

#include "compiler/base/map.h"
#include "runtime/import/foreign.h"

enum { SHELL_UNKNOWN = '\1' };

struct shell_text {
	char *p;
	uint32_t *at;                /* offsets in the script, one a byte */
	uint32_t n;
};

struct shell_words {
	VEC(struct shell_text) list;
};

/* What the commands [lo, hi) of a script find in their environment, unless a later one says otherwise. */
struct shell_export {
	struct str name;
	struct shell_text value;     /* holds SHELL_UNKNOWN where the script does not say it */
	bool set;                    /* false: taken away */
	uint32_t lo, hi;
};

struct shell_script {
	uint32_t file;
	VEC(struct shell_words) commands;    /* what runs for certain, in order, expanded */
	struct shell_words directives;       /* words of `#SBATCH` lines */
	VEC(struct span) unsure;             /* what runs or not by something unknown */
	VEC(struct shell_export) exports;    /* in order */
	bool open;                           /* more may be exported: by a file that it sources, by unknown words */
};

/* The script of a file. false after reporting (E0209) a quote or bracket that stays open, a control
 * character, or more text than SHELL_TEXT_MAX after expansion. */
enum { SHELL_TEXT_MAX = 4 << 20, SHELL_DEPTH_MAX = 64 };
bool shell_read(struct foreign *f, const struct sources *s, uint32_t file, struct shell_script *result);

/* What is unknown in a text that holds SHELL_UNKNOWN, as the script spells it: "$GBS". */
struct str shell_unknown(const struct sources *s, const struct shell_script *script,
			 const struct shell_text *text);

/* The name in "$NAME", "${NAME}" or "${NAME:?message}" at an offset of the script, as SHELL_UNKNOWN stands for
 * one; empty for anything else. */
struct str shell_outside(const struct sources *s, const struct shell_script *script, uint32_t at);

static inline bool shell_known(const struct shell_text *t)
{
	return memchr(t->p, SHELL_UNKNOWN, t->n) == NULL;
}

/* Letters, digits and `_` alone. */
bool shell_is_word(const struct shell_text *t);

static inline struct str shell_view(const struct shell_text *t)
{
	return (struct str){ t->p, t->n };
}

/* From the first to the last byte, where they stand in one piece; else the first byte. */
struct span shell_span(const struct shell_script *script, const struct shell_text *t);

#endif
