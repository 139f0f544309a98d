/* grammar.h - the only door into grammar/: text in, tree out. Used by compiler/syntax/parse.c. */
#ifndef PLAN_GRAMMAR_GRAMMAR_H
#define PLAN_GRAMMAR_GRAMMAR_H

#include "compiler/syntax/parse.h"

enum grammar_entry { GRAMMAR_FILE, GRAMMAR_EXPRESSION };

/* Parses a text that is known to be valid UTF-8. The tree is never NULL. Everything is allocated in
 * in->arena; the text of the source must live as long, since names and numbers are views of it. */
struct parse_result grammar_parse(const struct parse_input *in, enum grammar_entry entry);

#endif
