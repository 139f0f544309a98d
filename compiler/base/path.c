/* path.c - arithmetic on file names. */
#include "compiler/base/path.h"

bool path_is_absolute(struct str path)
{
	return path.n > 0 && path.p[0] == '/';
}

/* Bytes up to and with the last slash. */
static uint32_t name_start(struct str path)
{
	uint32_t at = path.n;

	while (at > 0 && path.p[at - 1] != '/')
		at--;
	return at;
}

struct str path_folder(struct str path)
{
	uint32_t at = name_start(path);

	if (at == 0)
		return STR(".");
	while (at > 1 && path.p[at - 1] == '/')
		at--;
	return str_slice(path, 0, at);
}

struct str path_name(struct str path)
{
	return str_slice(path, name_start(path), path.n);
}

struct str path_join(struct arena *a, struct str folder, struct str name)
{
	bool slash = folder.n > 0 && folder.p[folder.n - 1] == '/';
	char *joined;

	if (path_is_absolute(name) || folder.n == 0 || str_is(folder, "."))
		return str_copy(a, name);
	joined = arena_alloc(a, (size_t)folder.n + name.n + 2);
	memcpy(joined, folder.p, folder.n);
	if (!slash)
		joined[folder.n] = '/';
	if (name.n)
		memcpy(joined + folder.n + !slash, name.p, name.n);
	return (struct str){ joined, folder.n + !slash + name.n };
}

/* Takes the next component off *rest; false when there is none. */
static bool next_component(struct str *rest, struct str *component)
{
	uint32_t lo = 0, hi;

	while (lo < rest->n && rest->p[lo] == '/')
		lo++;
	for (hi = lo; hi < rest->n && rest->p[hi] != '/'; hi++)
		;
	*component = str_slice(*rest, lo, hi);
	*rest = str_slice(*rest, hi, rest->n);
	return component->n > 0;
}

struct str path_normalise(struct arena *a, struct str path)
{
	bool absolute = path_is_absolute(path);
	char *p = arena_alloc(a, (size_t)path.n + 2);
	uint32_t n = absolute, start = n;
	struct str rest = path, part;

	p[0] = absolute ? '/' : '\0';
	while (next_component(&rest, &part)) {
		struct str last = path_name((struct str){ p, n });

		if (str_is(part, "."))
			continue;
		if (str_is(part, "..") && n > start && !str_is(last, "..")) {
			n -= last.n;
			n -= n > start;      /* the slash before it, but not the root's */
			continue;
		}
		if (str_is(part, "..") && absolute)
			continue;            /* the parent of the root is the root */
		if (n > start)
			p[n++] = '/';
		memcpy(p + n, part.p, part.n);
		n += part.n;
	}
	if (n == 0)
		p[n++] = '.';
	p[n] = '\0';
	return (struct str){ p, n };
}

bool path_leaves_root(struct str path)
{
	struct str part;
	uint32_t depth = 0;

	if (path_is_absolute(path))
		return true;
	while (next_component(&path, &part)) {
		if (str_is(part, "..") && depth == 0)
			return true;
		if (str_is(part, ".."))
			depth--;
		else if (!str_is(part, "."))
			depth++;
	}
	return false;
}
