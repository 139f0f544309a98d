/* files.c - which parts make which file, and in which format.
 *
 * With `artefact` = "files" the target's field `files` is a list of key(path, names): a file at the
 * path below that of the emit, in the format that its ending says, out of the parts of those names.
 * Any other `artefact` is the format of the one file, made of all parts.
 */
#include "runtime/emit/emit_int.h"

static const struct {
	const char *name, *ending;
	enum artefact_kind kind;
} formats[] = {
	{ "shell", ".sh", ARTEFACT_SHELL },     { "flags", ".args", ARTEFACT_FLAGS },
	{ "json", ".json", ARTEFACT_JSON },     { "yaml", ".yaml", ARTEFACT_YAML },
	{ "toml", ".toml", ARTEFACT_TOML },     { "python", ".py", ARTEFACT_PYTHON },
	{ "shell", ".sbatch", ARTEFACT_SHELL }, { "files", "", ARTEFACT_FILES },
};

bool format_find(struct str name, enum artefact_kind *kind)
{
	for (size_t i = 0; i < PLAN_COUNT(formats); i++)
		if (str_is(name, formats[i].name)) {
			*kind = formats[i].kind;
			return true;
		}
	return false;
}

static bool format_of_path(struct str path, enum artefact_kind *kind)
{
	for (size_t i = 0; i < PLAN_COUNT(formats); i++)
		if (formats[i].ending[0] && str_ends(path, formats[i].ending)) {
			*kind = formats[i].kind;
			return true;
		}
	return false;
}

static bool is_document(enum artefact_kind kind)
{
	return kind >= ARTEFACT_JSON && kind <= ARTEFACT_PYTHON;
}

static bool refuse_null(struct emission *e, const struct doc *at)
{
	diag_report(e->sink, E2005, e->emit->span,
		    "target `%.*s`: `%.*s` is none, for which TOML has no word: leave the line out",
		    (int)e->target_name.n, e->target_name.p, (int)at->name.n, at->name.p);
	return false;
}

static bool write_document(struct emission *e, struct doc *root, struct out *o)
{
	const struct doc *null = NULL;

	switch (e->kind) {
	case ARTEFACT_YAML:
		header_write(e, o);
		doc_yaml(root, o);
		return true;
	case ARTEFACT_TOML:
		header_write(e, o);
		null = doc_toml(root, o);
		return !null || refuse_null(e, null);
	case ARTEFACT_PYTHON:
		return emit_python(e, root, o);
	case ARTEFACT_JSON:
	case ARTEFACT_SHELL:
	case ARTEFACT_FLAGS:
	case ARTEFACT_FILES:
	case ARTEFACT_REPORT:
		break;
	}
	doc_json(root, o);
	return true;
}

/* The one file of an emission whose kind, path and parts are settled. */
static bool emit_file(struct emission *e, struct artefact_files *files)
{
	struct doc *root;
	struct out o;

	if (!is_document(e->kind))
		return emit_shell(e, files);
	root = emit_document(e);
	out_init(&o, e->arena);
	if (!root || !write_document(e, root, &o))
		return false;
	*VEC_ADD(e->arena, &files->at) =
		(struct artefact_file){ e->to, out_view(&o), false, e->kind != ARTEFACT_JSON };
	return true;
}

bool emit_has_rest(const struct emission *e)
{
	for (uint32_t i = 0; i < e->command.n; i++)
		if (str_is(e->command.at[i], "@"))
			return true;
	return false;
}

static bool may_take_extra(const struct emission *e, enum artefact_kind kind)
{
	return is_document(kind) || kind == ARTEFACT_FLAGS || emit_has_rest(e) || e->directive.n > 0;
}

/* `extra` goes to every script with a place for it, or where none has one to the first document:
 * whether that is file i. */
static bool file_takes_extra(const struct emission *e, uint32_t i)
{
	uint32_t first = e->files.n;
	bool scripts = false;

	for (uint32_t k = e->files.n; k-- > 0;) {
		enum artefact_kind kind;

		if (!e->files.at[k]->on || !format_of_path(e->files.at[k]->name, &kind) ||
		    !may_take_extra(e, kind))
			continue;
		if (!is_document(kind) && k == i)
			return true;
		scripts = scripts || !is_document(kind);
		first = is_document(kind) ? k : first;
	}
	return !scripts && first == i && i < e->files.n;
}

static bool some_file_takes_extra(const struct emission *e)
{
	for (uint32_t i = 0; i < e->files.n; i++)
		if (file_takes_extra(e, i))
			return true;
	return false;
}

static bool has_script(const struct emission *e)
{
	for (uint32_t i = 0; i < e->files.n; i++) {
		enum artefact_kind kind;

		if (e->files.at[i]->on && format_of_path(e->files.at[i]->name, &kind) &&
		    kind == ARTEFACT_SHELL)
			return true;
	}
	return e->kind == ARTEFACT_SHELL;
}

/* Options that every target has, but for which this one writes nothing. */
static bool options_have_place(struct emission *e)
{
	bool several = e->kind == ARTEFACT_FILES;
	const char *lost = NULL;

	if (e->environment.n > 0 && !has_script(e) && e->kind != ARTEFACT_FLAGS)
		lost = "environment";
	else if (e->extra.n > 0 &&
		 (several ? !some_file_takes_extra(e) : !may_take_extra(e, e->kind)))
		lost = "extra";
	if (lost)
		diag_report(e->sink, E2005, e->emit->span,
			    "target `%.*s` writes nothing that takes `%s`", (int)e->target_name.n,
			    e->target_name.p, lost);
	return !lost;
}

static struct str below(struct emission *e, struct str name)
{
	struct out o;

	out_init(&o, e->arena);
	out_str(&o, e->to);
	if (e->to.n > 0 && !str_ends(e->to, "/"))
		out_char(&o, '/');
	out_str(&o, name);
	return out_view(&o);
}

static const struct part *find_part(const struct emission *e, struct str name)
{
	for (uint32_t i = 0; i < e->parts.n; i++)
		if (str_equal(e->parts.at[i].name, name))
			return &e->parts.at[i];
	return NULL;
}

static bool refuse_file(struct emission *e, const struct arg *file, const char *why,
			struct str what)
{
	diag_report(e->sink, E2506, e->emit->span, "target `%.*s`: file `%.*s` %s%.*s",
		    (int)e->target_name.n, e->target_name.p, (int)file->name.n, file->name.p, why,
		    (int)what.n, what.p);
	return false;
}

/* The emission narrowed to one file. */
static bool narrow(struct emission *e, const struct arg *file, struct emission *one)
{
	struct words names;

	*one = *e;
	one->parts.at = NULL;
	one->parts.n = one->parts.cap = 0;
	one->to = below(e, file->name);
	if (!format_of_path(file->name, &one->kind))
		return refuse_file(e, file,
				   "ends in none of .sh .sbatch .args .json .yaml .toml .py",
				   STR(""));
	if (!emit_words(e, file, &names))
		return false;
	for (uint32_t i = 0; i < names.at.n; i++) {
		const struct part *part = find_part(e, names.at.at[i]);

		if (!part)
			return refuse_file(e, file, "has no part ", names.at.at[i]);
		*VEC_ADD(e->arena, &one->parts) = *part;
	}
	return true;
}

static bool emit_several(struct emission *e, struct artefact_files *files)
{
	bool fine = e->files.n > 0;

	if (e->files.n == 0)
		diag_report(e->sink, E2506, e->emit->span, "target `%.*s` has no line in `files`",
			    (int)e->target_name.n, e->target_name.p);
	for (uint32_t i = 0; i < e->files.n; i++) {
		struct emission one;

		if (!e->files.at[i]->on)
			continue;
		if (!narrow(e, e->files.at[i], &one)) {
			fine = false;
			continue;
		}
		one.takes_extra = file_takes_extra(e, i);
		fine = emit_file(&one, files) && fine;
	}
	return fine;
}

bool emit_files(struct emission *e, struct artefact_files *files)
{
	if (!options_have_place(e))
		return false;
	if (e->kind == ARTEFACT_FILES)
		return emit_several(e, files);
	e->takes_extra = true;
	return emit_file(e, files);
}
