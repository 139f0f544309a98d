/* advice.h - what a syntax error shares with the advice on it. Private to grammar/. */
#ifndef PLAN_GRAMMAR_ADVICE_H
#define PLAN_GRAMMAR_ADVICE_H

#include "grammar/parser.h"

struct expected {
	const char *const *names;    /* spellings of the tokens that would have fitted */
	int n;
};

bool expected_has(struct expected want, const char *name);

/* A kind of token in words ("a name"); NULL for tokens that are named by their spelling. */
const char *expected_phrase(const char *name);

/* Adds the one help line that fits best, or none. `t` is the token that is pointed at. */
void advice_add(struct parser *ps, struct diag *d, struct expected want, const struct token *t);

bool advice_is_word(int kind);   /* a name or a keyword */

/* forms.c: advice for a statement in the way of another language; how its statement is written, for
 * when nothing better is known; whether a field is set as if the colon did it. */
const char *form_advice(const struct parser *ps, struct expected want, const struct token *t);
const char *form_of_statement(const struct parser *ps, struct expected want);
bool form_sets_with_colon(const struct parser *ps, struct expected want, const struct token *t);

#endif
