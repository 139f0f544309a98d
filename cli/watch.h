/* watch.h - what a person sees of a sweep while it runs, how he stops it, and the file that it is gone on with
 * from.
 *
 *	struct watch w;
 *	if (!watch_open(&w, s, o, sweep, &options))
 *		return EXIT_USAGE;
 *	search = search_run(&s->ev, sweep, &options);
 *	if (!watch_close(&w, search)) ...
 */
#ifndef PLAN_CLI_WATCH_H
#define PLAN_CLI_WATCH_H

#include "cli/session.h"
#include "runtime/io/file_write.h"
#include "runtime/search/search.h"

enum progress { PROGRESS_NONE, PROGRESS_LINE, PROGRESS_JSON };

struct watch {
	struct session *session;
	enum progress progress;
	bool shown;                  /* a line stands on the terminal */
	double began, told, saved;   /* seconds of the clock; saved: when writing was last over */
	double saving;               /* seconds that it took */
	uint64_t before;             /* candidates that an earlier run tested */
	const char *path;            /* of the checkpoint; NULL: none */
	struct file_target file;
	enum file_status trouble;    /* the last time it could not be written */
	struct search_part part;     /* what is gone on from */
	struct arena scratch;
};

/* Reads --progress, --checkpoint, --resume and --shard into the options of a search, whose `keep` and `exact` are
 * set. false after a message. */
bool watch_open(struct watch *w, struct session *s, const struct options *o, uint32_t sweep,
		struct search_options *options);

/* Clears the line, writes the checkpoint for the last time. `search` NULL: it failed. false after a message. */
bool watch_close(struct watch *w, const struct search *search);

/* A part as a file of that name holds it; false after a message. `identity` and the rest are not looked at. */
bool part_load(struct session *s, const char *path, struct search_part *part);

/* What a part has to have been written for. */
uint64_t part_identity(const struct session *s, uint32_t sweep, bool exact);

/* Whether a part answers what is asked: false after a message that names the file. */
bool part_fits(struct session *s, const char *path, const struct search_part *part, uint32_t sweep,
	       const struct search_options *options);

#endif
