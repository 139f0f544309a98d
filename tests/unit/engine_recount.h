/* engine_recount.h - parameters of a model once more, layer kind by layer kind, as a check on what the
 * engine's stages hold. The library counts them by itself (stdlib/prelude.plan). */
#ifndef PLAN_UNIT_ENGINE_RECOUNT_H
#define PLAN_UNIT_ENGINE_RECOUNT_H

#include "runtime/engine/engine.h"

/* All parameters with this vocabulary, tied tables once. Not of layers of different kinds. */
int64_t recount_parameters(const struct engine_model *m, int64_t vocab);

#endif
