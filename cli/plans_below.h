/* plans_below.h - the plans in a folder and in the folders below it. */
#ifndef PLAN_CLI_PLANS_BELOW_H
#define PLAN_CLI_PLANS_BELOW_H

#include "cli/session.h"

struct plan_list {
	VEC(const char *) at;        /* paths that begin with the folder, in the order of their bytes */
};

/* Files whose names end in .plan. Hidden folders are left out and links are not followed. False after a
 * message: the folder, or one below it, cannot be read. */
bool plans_below(struct session *s, const char *folder, struct plan_list *plans);

#endif
