/* file_write.h - artefacts on disk: whole or not at all.
 *
 * A file is written under a temporary name beside its target, flushed to the disk and renamed, so
 * that a reader sees the old or the new content and a failure leaves the old. Nothing is refused
 * here: who may overwrite what is decided by the caller, with file_read_head and
 * file_passes_link.
 */
#ifndef PLAN_IO_FILE_WRITE_H
#define PLAN_IO_FILE_WRITE_H

#include "compiler/base/str.h"

enum file_status {
	FILE_OK,
	FILE_MISSING,                /* it, or the folder for it, does not exist */
	FILE_NOT_REGULAR,            /* a folder, device, pipe or socket is in the way */
	FILE_DENIED,                 /* permissions, or a read-only file system */
	FILE_FULL,                   /* no space, or over a quota or size limit */
	FILE_FAILED                  /* anything else the system says */
};

enum file_flags {
	FILE_MAKE_FOLDERS = 1,       /* create missing parent folders */
	FILE_EXECUTABLE = 2          /* a script: may be executed by whoever may read it */
};

/* Replaces or creates the file. A file that was there keeps its permissions (and gets more with
 * FILE_EXECUTABLE); a symbolic link of that name is replaced, not followed. */
enum file_status file_write(struct arena *a, struct str path, struct str bytes, unsigned flags);

/* The same in two steps, for several files of which all are written or none: the first takes all the
 * memory, the second none, so that nothing but the file system can come between them. The target
 * may be written more than once. */
struct file_target {
	struct arena *arena;
	const char *path;
	char *folder;
	char *temporary;
	size_t temporary_size;
	unsigned flags;
	int fd;                      /* of the temporary file while it is written; else -1 */
};

enum file_status file_target_init(struct file_target *t, struct arena *a, struct str path,
				  unsigned flags);
enum file_status file_target_write(struct file_target *t, struct str bytes);

/* The same bit by bit. Only file_target_finish makes it the file; what fails, or is abandoned, leaves the old one
 * and nothing else. After a failure the target is as before file_target_begin. */
enum file_status file_target_begin(struct file_target *t);
enum file_status file_target_append(struct file_target *t, struct str bytes);
enum file_status file_target_finish(struct file_target *t);
void file_target_abandon(struct file_target *t);

/* Creates a folder and its missing parents; existing ones are fine. */
enum file_status file_make_folders(struct arena *a, struct str path);

/* Up to `limit` first bytes of a regular file, to see who wrote it. */
enum file_status file_read_head(struct arena *a, struct str path, uint32_t limit,
				struct str *head);

/* A regular file whole; one of 4 GiB or more is FILE_FULL. */
enum file_status file_read(struct arena *a, struct str path, struct str *text);

/* True when a component of `path` below `root` exists and is a symbolic link: writing there could
 * end up outside of root. root itself may be a link. */
bool file_passes_link(struct arena *a, struct str root, struct str path);

/* "no space is left on the device": for a message. */
const char *file_status_text(enum file_status status);

#endif
