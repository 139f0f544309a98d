/* words.c - which words are keywords and which are units, and what to say when one is misspelt. */
#include "compiler/base/num.h"
#include "compiler/types/type.h"
#include "grammar/parser.h"

struct word {
	const char *spelling;
	int token;
	enum word_role role;
};

static const struct word WORDS[] = {
#define KEYWORD(spelling, token, role) { spelling, T_##token, WORD_##role },
#include "grammar/keywords.def"
#undef KEYWORD
};

int word_find(struct str s)
{
	size_t lo = 0, hi = PLAN_COUNT(WORDS);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int order = str_compare(s, str_of(WORDS[mid].spelling));
		if (order == 0)
			return WORDS[mid].token;
		if (order < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return 0;
}

enum word_role word_role(int token)
{
	for (size_t i = 0; i < PLAN_COUNT(WORDS); i++)
		if (WORDS[i].token == token)
			return WORDS[i].role;
	return WORD_NONE;
}

bool word_begins_statement(int token)
{
	enum word_role role = word_role(token);

	return role == WORD_BEGIN || role == WORD_TOP;
}

const char *word_nearest(struct str s, bool begins)
{
	const char *best = NULL;
	int most = s.n < 3 ? 0 : s.n < 5 ? 1 : 2, best_distance = most + 1;

	for (size_t i = 0; i < PLAN_COUNT(WORDS); i++) {
		int distance = str_distance(s, str_of(WORDS[i].spelling), most);
		if (begins && WORDS[i].role != WORD_BEGIN && WORDS[i].role != WORD_TOP)
			continue;
		if (distance < best_distance) {
			best = WORDS[i].spelling;
			best_distance = distance;
		}
	}
	return best;
}

bool unit_known(struct parser *ps, struct str s)
{
	struct dimension dim;
	struct num factor;
	bool percent;

	return unit_find(ps->arena, s, &dim, &factor, &percent);
}

bool unit_is_near(struct parser *ps, struct str s)
{
	struct str repair;

	return unit_known(ps, s) || unit_hint(ps->arena, s, &repair) != NULL;
}

void unit_explain(struct parser *ps, struct diag *d, struct str s, struct span at)
{
	struct str repair;
	const char *hint = unit_hint(ps->arena, s, &repair), *word;

	if (hint != NULL) {
		diag_help(d, "%s", hint);
		if (repair.n > 0)
			diag_fix(d, at, repair, "correct the unit");
		return;
	}
	if (diag_foreign(d, FOREIGN_OPERATOR, s, at))
		return;
	word = word_nearest(s, false);
	if (word != NULL)
		diag_help(d, "did you mean `%s`?", word);
	else
		diag_help(d, "a product is written with `*`; units are B, GiB, Gbps, TFLOP, TFLOPS, "
			     "us, h, USD, W and the like");
}
