/*
 * engine_draw.h - random jobs for the laws of the engine: any model, format, strategy and profile that
 * the engine takes.
 */
#ifndef PLAN_UNIT_ENGINE_DRAW_H
#define PLAN_UNIT_ENGINE_DRAW_H

#include "runtime/engine/engine.h"
#include "tests/unit/dice.h"

enum { STAGES_MAX = 64 };

/* One run of a property program. Jobs point into it. */
struct run {
	struct dice dice;
	int round;
	struct arena arena;
	struct hardware hardware;
	struct profile profile;
	struct engine_layout_stage stages[STAGES_MAX];
	int64_t evaluated;
};

int64_t draw_pick(struct run *r, int64_t from, int64_t to);
bool draw_coin(struct run *r);

/* Prints seed, round and law, and ends the program, unless the law holds. */
void draw_require(const struct run *r, bool holds, const char *law);

/* Two levels of network: nodes of eight, and what lies between. */
void draw_machine(struct run *r);

/* A job under one of the presets of profiles, drawn as well. */
struct engine_input draw_job(struct run *r);

/* Its costs; a refusal ends the program. */
struct engine_result draw_evaluate(struct run *r, const struct engine_input *in);

#endif
