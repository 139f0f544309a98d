/* scratch.h - an empty folder to work in, and what lies in it as one text. For tests of what is left on disk
 * when something fails. Ends the process when the folder itself cannot be used. */
#ifndef PLAN_UNIT_SCRATCH_H
#define PLAN_UNIT_SCRATCH_H

#include "compiler/base/str.h"

struct scratch {
	char path[32];
	char back[1024];             /* where the process was */
};

/* Makes the folder and goes there; leaves it with everything in it gone. */
void scratch_enter(struct scratch *s);
void scratch_leave(const struct scratch *s);

/* Removes everything from a folder, the folder itself stays. */
void scratch_empty(const char *folder);

/* Makes a file of the text; its folder is there. */
void scratch_file(const char *path, const char *text);

/* Names and contents below a folder, in the order of the names; "" when there is no such folder. */
struct str scratch_text(struct arena *a, const char *folder);

#endif
