/* space.h - small sweeps, drawn and written as plans. */
#ifndef PLAN_SEARCH_SPACE_H
#define PLAN_SEARCH_SPACE_H

#include "compiler/base/out.h"
#include "tests/unit/dice.h"

/* Of a record with fields a to d and one inside it with e. d follows from a unless an axis sets it. */
enum { FIELDS = 5, AXES = 5, VALUES = 4, RULES = 6, GOALS = 2, FIELD_A = 0, FIELD_D = 3 };

/* sum of factor * field <= bound, or >= */
struct linear {
	int64_t factor[FIELDS], bound;
	bool at_least;
};

/* The first two are rules of the schema, the third one of the record inside, the rest constraints. */
struct space {
	int64_t base[FIELDS];            /* d: unused, it is a + 1 */
	int axes;
	int field[AXES];
	int count[AXES];
	int64_t value[AXES][VALUES];
	int when[AXES];                  /* an earlier axis whose field has to be above `above`; -1 */
	int64_t above[AXES];
	struct linear rule[RULES];
	struct linear goal[GOALS];       /* at_least: maximise */
	int64_t slack;
	bool pareto;
	int order[RULES];                /* of the constraints in the text */
};

int64_t linear_sum(const struct linear *l, const int64_t *x);
bool linear_holds(const struct linear *l, const int64_t *x);

void space_draw(struct dice *d, struct space *s);

/* Another order of the constraints. */
void space_shuffle(struct dice *d, struct space *s);

/* A bound of one rule that gives way. */
void space_relax(struct dice *d, struct space *s);

/* Behind the first line of a plan, which may hold several: the sweep is called s and the number. */
void space_write(struct out *o, const struct space *s, int number);

#endif
