/* plan_file.h - reading and replacing the text of a plan, for commands that change plans. */
#ifndef PLAN_CLI_PLAN_FILE_H
#define PLAN_CLI_PLAN_FILE_H

#include "cli/session.h"

/* Reads a file, or standard input for "-". False after reporting; the exit code is then
 * EXIT_USAGE. */
bool plan_file_read(struct session *s, const char *path, uint32_t *file);

/* Replaces it whole or not at all, permissions kept; never through a symbolic link. False after
 * reporting; the exit code is then EXIT_USAGE. */
bool plan_file_write(struct session *s, const char *path, struct str text);

#endif
