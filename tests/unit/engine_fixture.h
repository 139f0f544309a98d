/* engine_fixture.h - two machines and four models with published cost figures, as engine structs. */
#ifndef PLAN_UNIT_ENGINE_FIXTURE_H
#define PLAN_UNIT_ENGINE_FIXTURE_H

#include "runtime/engine/engine.h"

enum { FIXTURE_STAGES_MAX = 16 };

/* A job under SimuMax's assumptions. Pointers inside refer to the fixture: never copy one. */
struct fixture {
	struct arena arena;
	struct hardware hardware;
	struct profile profile;
	struct engine_layout_stage stages[FIXTURE_STAGES_MAX];
	struct engine_input in;
	struct engine_result result;
	struct engine_error error;
};

enum fixture_machine { FIXTURE_A100, FIXTURE_B200 };
enum fixture_model {
	FIXTURE_LLAMA3_8B,
	FIXTURE_LLAMA3_70B,
	FIXTURE_DEEPSEEK_V2,
	FIXTURE_MIXTRAL_8X7B
};

/*
 * A model in bf16 with 8 micro-batches of one 4096-token sample; `world` GPUs, layers spread evenly.
 */
void fixture_init(struct fixture *f, enum fixture_machine machine, enum fixture_model model,
		  int64_t layers, int64_t world, int64_t tp, int64_t pp);

/* The same GPUs folded for experts. */
void fixture_experts(struct fixture *f, int64_t ep, int64_t etp);

/* As many virtual stages on every rank, layers spread evenly over them. */
void fixture_interleave(struct fixture *f, int64_t chunks);

/* Full-block recompute of the first `layers` of every stage, or of modules in as many layers. */
void fixture_recompute(struct fixture *f, int64_t layers, uint32_t modules);

enum engine_status fixture_run(struct fixture *f);

/* The operator of the result with this name, which must exist. */
const struct engine_operator *fixture_get_operator(const struct fixture *f, const char *name);

void fixture_release(struct fixture *f);

#endif
