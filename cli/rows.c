/* rows.c - see rows.h. */
#include "cli/rows.h"

#include <errno.h>
#include <unistd.h>

#include "cli/command.h"

/* ---- writing --------------------------------------------------------------------------------------------- */

/* Without a buffer, so that a reader sees a row when it is found. */
static bool write_out(struct rows *w, struct str text)
{
	while (text.n > 0 && w->error == 0) {
		ssize_t done = write(STDOUT_FILENO, text.p, text.n);

		if (done >= 0)
			text = str_slice(text, (uint32_t)done, text.n);
		else if (errno != EINTR)
			w->error = errno;
	}
	return w->error == 0;
}

static bool write_text(struct rows *w, struct str text)
{
	if (!w->output.path)
		return write_out(w, text);
	if (w->trouble == FILE_OK)
		w->trouble = file_target_append(&w->file, text);
	return w->trouble == FILE_OK;
}

static bool take(struct search *s, struct str rows, void *context)
{
	struct rows *w = context;
	struct out head;

	if (!w->begun && w->form->head) {
		out_init(&head, &w->session->arena);
		w->form->head(s, &head);
		write_text(w, out_view(&head));
	}
	w->begun = true;
	return write_text(w, rows);
}

/* ---- beginning and end ------------------------------------------------------------------------------------- */

static bool refuse(struct rows *w, enum file_status status)
{
	diag_report(&w->session->sink, E2502, SPAN_NONE, "`%s`: %s", w->output.path, file_status_text(status));
	return false;
}

static bool open_file(struct rows *w, enum sweep_form form)
{
	struct session *s = w->session;
	enum file_status status;
	struct str old;

	if (!output_file_examine(s, &w->output, &old))
		return false;
	if (w->output.there && !report_sweep_wrote(form, old)) {
		output_file_refuse(s, &w->output);
		return false;
	}
	status = file_target_init(&w->file, &s->arena, str_of(w->output.path), 0);
	if (status == FILE_OK)
		status = file_target_begin(&w->file);
	if (status == FILE_OK)
		s->unfinished = &w->file;
	return status == FILE_OK || refuse(w, status);
}

bool rows_open(struct rows *w, struct session *s, const struct options *o, enum sweep_form form)
{
	const char *path = option_value(o, OPTION_TRACE_FILE, "-");

	*w = (struct rows){ .session = s, .form = report_sweep_rows(form) };
	w->wanted = (struct search_rows){ .print = w->form->row, .take = take, .context = w };
	w->output = (struct output_file){ .path = strcmp(path, "-") == 0 ? NULL : path, .head = SWEEP_HEAD,
					  .what = "report of a sweep" };
	return !w->output.path || open_file(w, form);
}

static bool close_file(struct rows *w, bool whole, int *code)
{
	w->session->unfinished = NULL;
	if (w->trouble == FILE_OK && whole)
		w->trouble = file_target_finish(&w->file);
	else if (w->trouble == FILE_OK)
		file_target_abandon(&w->file);
	if (w->trouble == FILE_OK)
		return true;
	*code = EXIT_USAGE;
	return refuse(w, w->trouble);
}

bool rows_close(struct rows *w, bool whole, int *code)
{
	if (w->output.path)
		return close_file(w, whole, code);
	if (w->error == 0)
		return true;
	if (w->error == EPIPE) {
		*code = EXIT_PARTIAL;
		return false;
	}
	fprintf(stderr, "planc: standard output cannot be written: %s\n", strerror(w->error));
	*code = EXIT_USAGE;
	return false;
}
