/* plan_file.c - reading and replacing the text of a plan. */
#include "cli/plan_file.h"

#include "compiler/base/path.h"
#include "runtime/io/file_write.h"

enum { CHUNK = 1 << 16 };

static bool cannot(struct session *s, enum diag_code code, const char *verb, const char *path,
		   const char *why)
{
	diag_report(&s->sink, code, SPAN_NONE, "cannot %s `%s`: %s", verb, path, why);
	return false;
}

static const char *why_not_read(enum source_status status)
{
	switch (status) {
	case SOURCE_MISSING: return "there is no such file";
	case SOURCE_NOT_FILE: return "it is not a file";
	case SOURCE_TOO_LARGE:
	case SOURCE_UNREADABLE:
	case SOURCE_OK: break;
	}
	return "it cannot be read";
}

static bool too_large(struct session *s, const char *path)
{
	diag_too_large(&s->sink, SPAN_NONE, str_of(path));
	return false;
}

static bool read_stdin(struct session *s, uint32_t *file)
{
	char *chunk = arena_alloc(&s->arena, CHUNK);
	struct out text;
	size_t n;

	out_init(&text, &s->arena);
	while ((n = fread(chunk, 1, CHUNK, stdin)) > 0 && text.n <= s->sources.size_max)
		out_bytes(&text, chunk, n);
	if (ferror(stdin))
		return cannot(s, E0201, "read", "-", "it cannot be read");
	if (text.n > s->sources.size_max)
		return too_large(s, "-");
	*file = sources_add(&s->sources, STR("<stdin>"), out_view(&text), false);
	return true;
}

bool plan_file_read(struct session *s, const char *path, uint32_t *file)
{
	enum source_status status;

	if (strcmp(path, "-") == 0)
		return read_stdin(s, file);
	status = sources_load(&s->sources, str_of(path), file);
	if (status == SOURCE_OK)
		return true;
	if (status == SOURCE_TOO_LARGE)
		return too_large(s, path);
	return cannot(s, E0201, "read", path, why_not_read(status));
}

bool plan_file_write(struct session *s, const char *path, struct str text)
{
	struct str whole = str_of(path);
	enum file_status status;

	if (file_passes_link(&s->arena, path_folder(whole), path_name(whole)))
		return cannot(s, E2502, "write", path,
			      "it is a symbolic link; name the file it leads to");
	status = file_write(&s->arena, whole, text, 0);
	return status == FILE_OK || cannot(s, E2502, "write", path, file_status_text(status));
}
