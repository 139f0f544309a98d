/* rows.h - rows of a sweep's feasible candidates, written while it runs: to standard output, or to the file of `-o`,
 * which is there when the last row is.
 *
 *	struct rows w;
 *	if (!rows_open(&w, s, o, form))
 *		return EXIT_USAGE;
 *	options.rows = &w.wanted;
 *	search = search_run(&s->ev, sweep, &options);
 *	if (!rows_close(&w, search != NULL, &code))
 *		return code;
 */
#ifndef PLAN_CLI_ROWS_H
#define PLAN_CLI_ROWS_H

#include "cli/output_file.h"
#include "runtime/io/file_write.h"
#include "runtime/report/sweep.h"

struct rows {
	struct session *session;
	const struct sweep_rows *form;
	struct search_rows wanted;
	struct output_file output;   /* path NULL: standard output */
	struct file_target file;
	enum file_status trouble;    /* of the file */
	int error;                   /* of standard output: an errno */
	bool begun;                  /* the head is written */
};

/* `form` is one of rows. false after a message. */
bool rows_open(struct rows *w, struct session *s, const struct options *o, enum sweep_form form);

/* `whole`: the search came to an end, its own or that of whoever stopped it. false, with the exit code, when not all
 * rows found a place: after a message, or in silence when the reader of a pipe went away. */
bool rows_close(struct rows *w, bool whole, int *code);

#endif
