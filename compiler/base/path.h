/* path.h - file names as text: no file system is asked. `/` separates; a path is relative unless it
 * begins with one. */
#ifndef PLAN_BASE_PATH_H
#define PLAN_BASE_PATH_H

#include "compiler/base/str.h"

bool path_is_absolute(struct str path);

/* The folder that holds it: "a/b" for "a/b/c", "." for "c", "/" for "/c". A view. */
struct str path_folder(struct str path);

/* The last component: "c" for "a/b/c". A view; empty for "a/" and "/". */
struct str path_name(struct str path);

/* `name` as seen from `folder`: "a/b" and "c" give "a/b/c"; an absolute name stays as it is, and so
 * does any name under the folders "" and ".". NUL-terminated. */
struct str path_join(struct arena *a, struct str folder, struct str name);

/* The same path without empty and `.` components and with `x/..` taken out: "a/./b//../c" gives
 * "a/c". What climbs above the start keeps its `..`; nothing left gives ".". This is arithmetic on
 * text: a component that is a symbolic link makes `..` mean something else on disk.
 * NUL-terminated. */
struct str path_normalise(struct arena *a, struct str path);

/* True for an absolute path and for one whose `..` climb above the folder it starts from. */
bool path_leaves_root(struct str path);

#endif
