/* foreign.c - words of other languages: what a plan says in their place. */
#include "compiler/diag/diag.h"

struct foreign {
	enum foreign_place place;
	const char *word;
	const char *instead;         /* replaces the word; NULL: only advice */
	const char *advice;
};

static const struct foreign words[] = {
#define INSTEAD(place, word, instead) { FOREIGN_##place, word, instead, NULL },
#define ADVICE(place, word, advice) { FOREIGN_##place, word, NULL, advice },
#include "compiler/diag/foreign.def"
#undef INSTEAD
#undef ADVICE
};

bool diag_foreign(struct diag *d, enum foreign_place place, struct str word, struct span at)
{
	for (size_t i = 0; i < PLAN_COUNT(words); i++) {
		if (words[i].place != place || !str_is(word, words[i].word))
			continue;
		if (words[i].instead == NULL) {
			diag_help(d, "%s", words[i].advice);
			return true;
		}
		diag_help(d, "write `%s`", words[i].instead);
		diag_fix(d, at, str_of(words[i].instead), "write it as the language does");
		return true;
	}
	return false;
}

struct str diag_foreign_instead(enum foreign_place place, struct str word)
{
	for (size_t i = 0; i < PLAN_COUNT(words); i++)
		if (words[i].place == place && words[i].instead && str_is(word, words[i].word))
			return str_of(words[i].instead);
	return STR("");
}
