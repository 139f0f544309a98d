/* plans_below.c - walks through a folder for plans. */
#include "cli/plans_below.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 64 };

static const char *joined(struct session *s, const char *folder, const char *name)
{
	struct out o;
	size_t n = strlen(folder);

	out_init(&o, &s->arena);
	if (strcmp(folder, ".") != 0)
		out_printf(&o, "%s%s", folder, n > 0 && folder[n - 1] == '/' ? "" : "/");
	out_text(&o, name);
	return arena_copy(&s->arena, o.p, o.n);
}

static bool walk(struct session *s, const char *folder, uint32_t depth, struct plan_list *plans);

static bool visit(struct session *s, const char *path, uint32_t depth, struct plan_list *plans)
{
	struct stat st;

	/* What vanishes meanwhile is not there. */
	if (lstat(path, &st) != 0)
		return true;
	if (S_ISDIR(st.st_mode))
		return depth >= DEPTH_MAX || walk(s, path, depth + 1, plans);
	if (S_ISREG(st.st_mode) && str_ends(str_of(path), ".plan"))
		*VEC_ADD(&s->arena, &plans->at) = path;
	return true;
}

/* The folder is read whole before anything is done with it: memory may run out with it open. */
static bool walk(struct session *s, const char *folder, uint32_t depth, struct plan_list *plans)
{
	enum { ENTRIES = 1 << 16 };
	char *names = arena_alloc(&s->arena, ENTRIES);
	size_t used = 0;
	bool whole = true;
	DIR *d = opendir(folder);
	const struct dirent *e;

	if (!d) {
		diag_report(&s->sink, E0201, SPAN_NONE, "cannot read `%s`: %s", folder,
			    errno == ENOENT    ? "there is no such folder"
			    : errno == ENOTDIR ? "it is not a folder"
					       : "it cannot be read");
		return false;
	}
	while ((e = readdir(d)) != NULL) {
		size_t n = strlen(e->d_name) + 1;

		if (e->d_name[0] == '.')
			continue;
		whole = used + n <= ENTRIES;
		if (!whole)
			break;
		memcpy(names + used, e->d_name, n);
		used += n;
	}
	closedir(d);
	if (!whole) {
		diag_report(&s->sink, E0201, SPAN_NONE, "cannot read `%s`: it has too many files", folder);
		return false;
	}
	for (size_t i = 0; i < used; i += strlen(names + i) + 1)
		if (!visit(s, joined(s, folder, names + i), depth, plans))
			return false;
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool plans_below(struct session *s, const char *folder, struct plan_list *plans)
{
	if (!walk(s, folder, 0, plans))
		return false;
	if (plans->at.n > 0)
		qsort(plans->at.at, plans->at.n, sizeof *plans->at.at, by_name);
	return true;
}
