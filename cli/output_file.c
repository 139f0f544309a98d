/* output_file.c - see output_file.h. */
#include "cli/output_file.h"

#include "cli/command.h"
#include "compiler/base/path.h"
#include "runtime/io/file_write.h"

static bool refuse(struct session *s, enum diag_code code, const char *path, const char *why)
{
	diag_report(&s->sink, code, SPAN_NONE, "`%s`: %s", path, why);
	return false;
}

bool output_file_examine(struct session *s, struct output_file *f, struct str *old)
{
	enum file_status status;

	/* Folders on the way were named on purpose; the file itself could lead anywhere. */
	if (file_passes_link(&s->arena, path_folder(str_of(f->path)), path_name(str_of(f->path))))
		return refuse(s, E2504, f->path, "this file is a symbolic link");
	status = file_read_head(&s->arena, str_of(f->path), f->head, old);
	f->there = status == FILE_OK;
	return status == FILE_OK || status == FILE_MISSING || refuse(s, E2502, f->path, file_status_text(status));
}

int output_file_refuse(struct session *s, const struct output_file *f)
{
	diag_report(&s->sink, E2503, SPAN_NONE, "`%s`: this file exists and is no %s that planc wrote", f->path, f->what);
	return EXIT_USAGE;
}

bool output_file_write(struct session *s, const struct output_file *f, const struct out *text)
{
	enum file_status status = text->n > UINT32_MAX ? FILE_FULL
						       : file_write(&s->arena, str_of(f->path), out_view(text), 0);

	return status == FILE_OK || refuse(s, E2502, f->path, file_status_text(status));
}

int output_file_plan(struct session *s, const char *path, const struct out *plan)
{
	struct output_file file = { .path = path, .head = (uint32_t)plan->n + 1, .what = "plan" };
	struct str old;

	if (!output_file_examine(s, &file, &old))
		return EXIT_USAGE;
	if (file.there && str_equal(old, out_view(plan)))
		return EXIT_FINE;
	if (file.there) {
		diag_report(&s->sink, E2503, SPAN_NONE,
			    "`%s`: this file exists and says something else; move it away, or name another", path);
		return EXIT_USAGE;
	}
	return output_file_write(s, &file, plan) ? EXIT_FINE : EXIT_USAGE;
}
