/* load.c - reads the root file, the prelude and what they import, each once, and reports what cannot be
 * read. */
#include "compiler/names/names_int.h"

enum { IMPORT_DEPTH_MAX = 100 };

struct span import_path_span(const struct modules *m, const struct ast *import)
{
	struct str text = source_slice(m->in.sources, import->span);
	struct span at = import->span;
	uint32_t lo = 0, hi;

	while (lo < text.n && text.p[lo] != '"')
		lo++;
	for (hi = lo + 1; hi < text.n && text.p[hi] != '"'; hi++)
		hi += text.p[hi] == '\\';
	if (hi >= text.n)
		return at;
	return (struct span){ at.file, at.lo + lo, at.lo + hi + 1 };
}

struct decl *module_find(const struct module *m, struct sym name)
{
	uint32_t at = map_find(&m->by_name, name.id);

	if (at == MAP_NONE)
		return m->outer ? module_find(m->outer, name) : NULL;
	return m->names.at[at];
}

struct decl *module_find_own(const struct module *m, struct sym name)
{
	for (uint32_t i = 0; i < m->decls.n; i++)
		if (sym_equal(m->decls.at[i]->name, name))
			return m->decls.at[i];
	for (uint32_t i = 0; i < m->names.n; i++)
		if (m->names.at[i]->home->written_for == m && sym_equal(m->names.at[i]->name, name))
			return m->names.at[i];
	return NULL;
}

static struct module *find_loaded(const struct modules *m, const struct place *at)
{
	for (uint32_t i = 0; i < m->all.n; i++)
		if (m->all.at[i]->library == at->library && str_equal(m->all.at[i]->key, at->key))
			return m->all.at[i];
	for (uint32_t i = 0; i < m->stack.n; i++)
		if (m->stack.at[i]->library == at->library &&
		    str_equal(m->stack.at[i]->key, at->key))
			return m->stack.at[i];
	return NULL;
}

struct module *module_load(struct modules *m, uint32_t file, const struct place *at,
			   struct str real_folder)
{
	struct module *of = ARENA_NEW(m->in.arena, struct module);
	struct parse_input parse = { m->in.arena, m->in.names, m->in.sources, m->in.sink, file };
	struct parse_result result;

	of->file = file;
	of->key = at->key;
	of->folder = place_folder(at->shown);
	of->real_folder = real_folder;
	of->library = at->library;
	of->prelude = m->in_prelude;
	of->loading = true;
	map_init(&of->by_name, m->in.arena);
	*VEC_ADD(m->in.arena, &m->stack) = of;
	result = parse_file(&parse);
	of->tree = result.tree;
	of->intact = result.intact;
	module_declare(m, of);
	m->stack.n--;
	of->loading = false;
	*VEC_ADD(m->in.arena, &m->all) = of;
	return of;
}

static const char *status_text(enum source_status status)
{
	switch (status) {
	case SOURCE_MISSING:
		return "there is no such file";
	case SOURCE_NOT_FILE:
		return "it is not a file";
	case SOURCE_TOO_LARGE:
	case SOURCE_UNREADABLE:
	case SOURCE_OK:
		break;
	}
	return "it cannot be read";
}

static void report_status(struct modules *m, enum source_status status, struct str shown,
			  struct span span)
{
	if (status == SOURCE_TOO_LARGE)
		diag_too_large(m->in.sink, span, shown);
	else
		diag_report(m->in.sink, E0201, span, "cannot read `%.*s`: %s", (int)shown.n, shown.p,
			    status_text(status));
}

static void report_cycle(struct modules *m, const struct module *back, struct span span)
{
	struct diag *d = diag_new(m->in.sink, E0203, span);
	uint32_t i = 0;

	diag_message(d, "these files import each other");
	while (m->stack.at[i] != back)
		i++;
	for (; i < m->stack.n; i++) {
		struct str path = source_get(m->in.sources, m->stack.at[i]->file)->path;
		struct str next = source_get(m->in.sources, i + 1 < m->stack.n ? m->stack.at[i + 1]->file
									      : back->file)
					  ->path;

		diag_note(d, "%.*s -> %.*s", (int)path.n, path.p, (int)next.n, next.p);
	}
	diag_help(d, "move what both need into a third file");
	diag_submit(d);
}

uint32_t names_library_list(const struct modules *m, const char *folder, struct str *out, uint32_t most)
{
	uint32_t n = 0, skip = (uint32_t)strlen(folder);

	for (const struct embedded_file *f = m->in.library; f && f->name && n < most; f++) {
		struct str name = str_of(f->name);

		if (!str_starts(name, folder) || !str_ends(name, ".plan"))
			continue;
		out[n] = str_slice(name, skip, name.n - 5);
		n++;
	}
	return n;
}

/* Whether a line of the text is `kind name {` or `kind name extends`, as the library is laid out. */
static bool declares_record(struct str text, struct str name)
{
	for (uint32_t i = 0, end; i < text.n; i = end + 1) {
		const char *stop = memchr(text.p + i, '\n', text.n - i);
		uint32_t at = i, hi;

		end = stop ? (uint32_t)(stop - text.p) : text.n;
		while (at < end && text.p[at] >= 'a' && text.p[at] <= 'z')
			at++;
		if (at == i || at == end || text.p[at] != ' ')
			continue;
		for (hi = ++at; hi < end && text.p[hi] != ' '; )
			hi++;
		if (hi < end && str_equal(str_slice(text, at, hi), name) &&
		    (text.p[hi + 1] == '{' || text.p[hi + 1] == 'e'))
			return true;
	}
	return false;
}

struct str names_library_home(const struct modules *m, struct str name)
{
	for (const struct embedded_file *f = m->in.library; f && f->name; f++) {
		struct str file = str_of(f->name), text = { (const char *)f->bytes, f->size };

		if (str_ends(file, ".plan") && !str_is(file, "prelude.plan") &&
		    memchr(file.p, '/', file.n) == NULL && declares_record(text, name))
			return str_slice(file, 0, file.n - 5);
	}
	return STR("");
}

static void report_nothing(struct modules *m, const struct place *at, struct str path, struct span span)
{
	struct diag *d = diag_new(m->in.sink, at->library ? E0204 : E0201, span);
	struct suggestions s;
	struct str names[200];
	uint32_t n = names_library_list(m, "", names, PLAN_COUNT(names));

	if (!at->library) {
		diag_message(d, "cannot read `%.*s`: there is no such file", (int)at->shown.n,
			     at->shown.p);
		if (memchr(path.p, '\\', path.n) || memchr(path.p, '\t', path.n) || memchr(path.p, '\n', path.n))
			diag_help(d, "a path is written with `/`, on every system");
		for (uint32_t i = 0; i < n; i++)
			if (str_equal(names[i], path))
				diag_help(d, "the file of the library is `std:%.*s`", (int)path.n, path.p);
		diag_submit(d);
		return;
	}
	diag_message(d, "the standard library has no `%.*s`", (int)path.n, path.p);
	suggestions_init(&s, m->in.arena, str_slice(path, str_starts(path, "std:") ? 4 : 0, path.n));
	for (uint32_t i = 0; i < n; i++)
		suggestions_add(&s, names[i], true);
	diag_suggest(d, &s);
	diag_submit(d);
}

/* A backslash in the path: an escape that does not exist was reported by the scanner already. */
static bool has_bad_escape(const struct modules *m, struct span span)
{
	struct str text = source_slice(m->in.sources, span);

	for (uint32_t i = 0; i + 1 < text.n; i++)
		if (text.p[i] == '\\' && strchr("\\\"{}nt", text.p[++i]) == NULL)
			return true;
	return false;
}

/* The place of an import that exists; false after reporting. */
static bool find_place(struct modules *m, const struct module *from, struct str path, struct span span,
		       struct place *at)
{
	if (has_bad_escape(m, span))
		return false;
	*at = place_resolve(m, from, path);
	switch (at->found) {
	case FOUND_FILE:
		return true;
	case FOUND_NOTHING:
		report_nothing(m, at, path, span);
		return false;
	case FOUND_OUTSIDE:
		diag_report(m->in.sink, E0202, span, "`%.*s` cannot be imported: %s", (int)path.n,
			    path.p, at->why);
		return false;
	}
	return false;
}

struct module *module_at(struct modules *m, const struct module *from, struct str path, struct span span)
{
	struct place at;
	struct module *loaded;
	enum source_status status;
	uint32_t file;

	if (!find_place(m, from, path, span, &at))
		return NULL;
	loaded = find_loaded(m, &at);
	if (loaded && loaded->loading) {
		report_cycle(m, loaded, span);
		return NULL;
	}
	if (loaded)
		return loaded;
	if (m->stack.n >= IMPORT_DEPTH_MAX) {
		diag_report(m->in.sink, E0103, span, "imports nest deeper than %d files",
			    IMPORT_DEPTH_MAX);
		return NULL;
	}
	status = place_read(m, &at, &file);
	if (status != SOURCE_OK) {
		report_status(m, status, at.shown, span);
		return NULL;
	}
	return module_load(m, file, &at, place_folder(at.key));
}

bool data_at(struct modules *m, const struct module *from, struct str path, struct span span,
	     uint32_t *file)
{
	struct place at;
	enum source_status status;

	if (!find_place(m, from, path, span, &at))
		return false;
	status = place_read(m, &at, file);
	if (status != SOURCE_OK)
		report_status(m, status, at.shown, span);
	return status == SOURCE_OK;
}

struct module *names_load_library(struct modules *m, struct str name)
{
	struct module nobody = { .library = true, .real_folder = STR("") };
	struct place at = place_resolve(m, &nobody, name);
	struct module *loaded;
	uint32_t file;

	if (at.found != FOUND_FILE)
		return NULL;
	loaded = find_loaded(m, &at);
	if (loaded)
		return loaded;
	if (place_read(m, &at, &file) != SOURCE_OK)
		return NULL;
	return module_load(m, file, &at, place_folder(at.key));
}

static void load_root(struct modules *m)
{
	const struct names_input *in = &m->in;
	struct place at = { .found = FOUND_FILE, .key = in->path, .shown = in->path };
	enum source_status status = SOURCE_OK;
	struct str real_folder;
	uint32_t file;

	place_find_root(m, in->path, &real_folder);
	if (in->text.p)
		file = sources_add(in->sources, in->path, in->text, false);
	else
		status = sources_load(in->sources, in->path, &file);
	if (status != SOURCE_OK) {
		report_status(m, status, in->path, SPAN_NONE);
		return;
	}
	for (uint32_t i = 0; i < in->origin_count; i++)
		*VEC_ADD(in->arena, &source_get(in->sources, file)->origins) = in->origins[i];
	/* The identity of a file is its real path, so that a cycle back to the root is seen. */
	place_real_key(m, &at);
	m->root = module_load(m, file, &at, real_folder);
}

struct modules *names_load(const struct names_input *in)
{
	struct modules *m = ARENA_NEW(in->arena, struct modules);

	m->in = *in;
	m->in_prelude = true;
	m->prelude = names_load_library(m, STR("prelude.plan"));
	m->in_prelude = false;
	load_root(m);
	return m;
}
