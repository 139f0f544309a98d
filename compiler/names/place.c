/* place.c - from the path in an import to a file that may be read: inside the project, or in the library. */
#define _XOPEN_SOURCE 700     /* realpath */
#include "compiler/names/names_int.h"

#include "compiler/base/path.h"

#include <limits.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

struct str place_folder(struct str path)
{
	uint32_t n = path.n;

	while (n > 0 && path.p[n - 1] != '/')
		n--;
	return str_slice(path, 0, n);
}

static struct str join(struct arena *a, struct str folder, struct str rest)
{
	struct out o;

	out_init(&o, a);
	out_str(&o, folder);
	out_str(&o, rest);
	return str_copy(a, out_view(&o));
}

/* The path without links; false when there is no such file or folder. */
static bool real_path(struct arena *a, struct str path, struct str *real)
{
	char buffer[PATH_MAX];

	if (!realpath(path.n > 0 ? str_copy(a, path).p : ".", buffer))
		return false;
	*real = str_copy(a, str_of(buffer));
	return true;
}

static struct str with_slash(struct arena *a, struct str folder)
{
	return str_ends(folder, "/") ? folder : join(a, folder, STR("/"));
}

void place_find_root(struct modules *m, struct str root_path, struct str *real_folder)
{
	struct arena *a = m->in.arena;
	struct str folder;

	if (!real_path(a, place_folder(root_path), real_folder))
		*real_folder = STR("/nowhere");
	*real_folder = with_slash(a, *real_folder);
	for (folder = *real_folder; folder.n > 0;
	     folder = place_folder(str_slice(folder, 0, folder.n - 1))) {
		if (access(join(a, folder, STR("plan.toml")).p, F_OK) == 0) {
			m->root_real = str_copy(a, folder);
			return;
		}
	}
	m->root_real = *real_folder;
}

void place_real_key(struct modules *m, struct place *at)
{
	real_path(m->in.arena, at->shown, &at->key);
}

/* Whether a path lies in a folder, or is the folder itself: no file then, but not outside either. The
 * folder ends in a slash. */
static bool in_folder(struct str path, struct str folder)
{
	uint32_t n = path.n + 1 == folder.n ? path.n : folder.n;

	return path.n >= n && memcmp(path.p, folder.p, n) == 0;
}

static struct place outside(const char *why)
{
	return (struct place){ .found = FOUND_OUTSIDE, .why = why };
}

static struct place library_place(struct modules *m, struct str folder, struct str path)
{
	struct arena *a = m->in.arena;
	struct place at = { .library = true };
	bool known;

	at.key = path_normalise(a, join(a, folder, path));
	if (path_is_absolute(path) || path_leaves_root(at.key))
		return outside("it leaves the standard library");
	known = str_ends(at.key, ".plan") || str_ends(at.key, ".csv") || str_ends(at.key, ".json");
	if (!known)
		at.key = join(a, at.key, STR(".plan"));
	at.shown = join(a, STR("std:"), at.key);
	at.found = FOUND_NOTHING;
	if (m->in.library_folder.n > 0) {
		struct str file = join(a, with_slash(a, m->in.library_folder), at.key);

		at.found = access(file.p, F_OK) == 0 ? FOUND_FILE : FOUND_NOTHING;
		return at;
	}
	for (const struct embedded_file *f = m->in.library; f && f->name; f++)
		if (str_is(at.key, f->name))
			at.found = FOUND_FILE;
	return at;
}

static struct place user_place(struct modules *m, const struct module *from, struct str path)
{
	struct arena *a = m->in.arena;
	struct place at = { .library = false };
	struct str wanted = path_normalise(a, join(a, from->real_folder, path));

	at.shown = path_normalise(a, join(a, from->folder, path));
	if (!in_folder(wanted, m->root_real))
		return outside("it lies above the folder of the project");
	if (!real_path(a, wanted, &at.key)) {
		at.found = FOUND_NOTHING;
		return at;
	}
	if (!in_folder(at.key, m->root_real))
		return outside("a link leads out of the folder of the project");
	at.found = FOUND_FILE;
	return at;
}

struct place place_resolve(struct modules *m, const struct module *from, struct str path)
{
	if (str_starts(path, "std:"))
		return library_place(m, STR(""), str_slice(path, 4, path.n));
	for (uint32_t i = 0; i < path.n; i++) {
		if (path.p[i] == '\\')
			return outside("paths are written with `/`");
		if (path.p[i] == ':')
			return outside("`std:` is the only library, and remote files are not imported");
		if (path.p[i] == '\0')
			return outside("a path has no NUL");
	}
	if (path.n > 0 && path.p[0] == '/')
		return outside("an absolute path names another place on every machine");
	if (from->library)
		return library_place(m, from->real_folder, path);
	return user_place(m, from, path);
}

static enum source_status read_embedded(struct modules *m, const struct place *at, uint32_t *file)
{
	for (const struct embedded_file *f = m->in.library; f && f->name; f++) {
		if (!str_is(at->key, f->name))
			continue;
		*file = sources_add(m->in.sources, at->shown,
				    (struct str){ (const char *)f->bytes, f->size }, true);
		return SOURCE_OK;
	}
	return SOURCE_MISSING;
}

enum source_status place_read(struct modules *m, const struct place *at, uint32_t *file)
{
	struct arena *a = m->in.arena;
	enum source_status status;
	struct source *source;

	if (at->library && m->in.library_folder.n == 0)
		return read_embedded(m, at, file);
	status = sources_load(m->in.sources,
			      at->library ? join(a, with_slash(a, m->in.library_folder), at->key)
					  : at->key,
			      file);
	if (status != SOURCE_OK)
		return status;
	source = source_get(m->in.sources, *file);
	source->path = at->shown;
	source->library = at->library;
	return SOURCE_OK;
}
