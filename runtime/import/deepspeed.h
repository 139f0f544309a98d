/* deepspeed.h - what readers of files that name a DeepSpeed config use of its reader. */
#ifndef PLAN_IMPORT_DEEPSPEED_H
#define PLAN_IMPORT_DEEPSPEED_H

#include "runtime/import/plan_text.h"
#include "runtime/import/taken.h"

/* Sharding, buckets, off-load and overlap of a config, as fields of a strategy; the model is called
 * `trained` in them. false after reporting. */
bool deepspeed_write_sharding(struct foreign *f, struct plan_text *w, const struct json *config);

#endif
