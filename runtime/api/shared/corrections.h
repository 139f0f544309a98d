/* corrections.h - what the messages of a compilation offer to put right, made in a text: `planc fix`. */
#ifndef PLAN_SHARED_CORRECTIONS_H
#define PLAN_SHARED_CORRECTIONS_H

#include "compiler/diag/diag.h"

/* A corrected name may bring the next message to light; nobody needs more rounds than this. */
enum { CORRECTION_ROUNDS_MAX = 8 };

/* Makes every correction that is sure, of the file of that path, in its text: those of one edit that do not touch each
 * other. `made` is called for each, in the order of the text; NULL. The number of them; *text, in the arena, is set
 * when there are any. */
uint32_t corrections_make(const struct diag_sink *sink, struct str path, struct arena *a, struct str *text,
			  void (*made)(const struct diag_edit *edit, void *context), void *context);

#endif
