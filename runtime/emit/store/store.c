/* store.c - the files of one emission on disk: all of them or none, and only over our own. */
#include <stdio.h>

#include "compiler/base/path.h"
#include "runtime/emit/emit_int.h"
#include "runtime/io/file_write.h"

/* One file about to be written. */
struct pending {
	const struct artefact_file *file; /* NULL for a folder's record */
	struct str path;                  /* on disk */
	struct str content, old;
	bool existed, differs;
	unsigned flags;
	struct file_target target;
};

struct store {
	struct emission *e;
	VEC(struct pending) files;
	VEC(struct folder_record) records;
};

static bool refuse(struct emission *e, enum diag_code code, struct str path, const char *what)
{
	struct out shown;

	out_init(&shown, e->arena);
	for (uint32_t i = 0; i < path.n; i++)
		out_char(&shown,
			 (unsigned char)path.p[i] < 0x20 || path.p[i] == 0x7f ? '?' : path.p[i]);
	diag_report(e->sink, code, e->emit->to_span, "`%.*s`: %s", (int)shown.n, shown.p, what);
	return false;
}

/* Text rules of a path; the file system is asked later. */
static bool path_is_safe(struct emission *e, struct str path)
{
	const char *fault = emit_file_fault(path);

	if (fault)
		emit_report_path(e->sink, e->emit->to_span, path, fault);
	return !fault;
}

static struct folder_record *record_of(struct store *s, struct str folder)
{
	struct folder_record fresh;

	folder_record_load(s->e->arena, folder, &fresh);
	for (uint32_t i = 0; i < s->records.n; i++)
		if (str_equal(s->records.at[i].path, fresh.path))
			return &s->records.at[i];
	*VEC_ADD(s->e->arena, &s->records) = fresh;
	return &s->records.at[s->records.n - 1];
}

static struct str hash_text(struct arena *a, struct str bytes)
{
	struct out o;

	out_init(&o, a);
	header_hash(&o, bytes);
	return out_view(&o);
}

/* Whether the file that is there may be overwritten. */
static bool is_ours(struct store *s, const struct pending *p)
{
	struct emission *e = s->e;
	struct folder_record *record;
	struct str hash;

	if (p->file->headed) {
		if (header_is_ours(
			    str_slice(p->old, 0, p->old.n < HEADER_HEAD ? p->old.n : HEADER_HEAD)))
			return true;
		return refuse(e, E2503, p->file->path,
			      "this file exists and planc did not write it");
	}
	record = record_of(s, path_folder(p->path));
	hash = folder_record_hash(record, path_name(p->path));
	if (record->foreign || hash.n == 0)
		return refuse(e, E2503, p->file->path,
			      "this file exists and planc did not write it");
	if (!str_equal(hash, hash_text(e->arena, p->old)))
		return refuse(e, E2503, p->file->path,
			      "this file was changed since planc wrote it");
	return true;
}

static uint32_t artefact_max(const struct emission *e)
{
	return e->in->artefact_max > 0 ? e->in->artefact_max : EMIT_ARTEFACT_MAX;
}

static bool is_small_enough(struct emission *e, const struct artefact_file *file)
{
	struct out o;

	if (file->content.n <= artefact_max(e))
		return true;
	out_init(&o, e->arena);
	out_printf(&o, "it has %u bytes, more than the limit of %u; `--limit artefact=BYTES` raises it",
		   file->content.n, artefact_max(e));
	return refuse(e, E2502, file->path, str_copy(e->arena, out_view(&o)).p);
}

/* The whole of a file that is there. The first guess is the size of what will replace it. */
static enum file_status read_old(struct arena *a, struct str path, uint32_t guess, struct str *old)
{
	enum file_status status;
	uint32_t limit = guess < HEADER_HEAD ? HEADER_HEAD : guess + 1;

	while ((status = file_read_head(a, path, limit, old)) == FILE_OK && old->n == limit &&
	       limit < EMIT_ARTEFACT_MAX)
		limit = limit < EMIT_ARTEFACT_MAX / 4 ? limit * 4 : EMIT_ARTEFACT_MAX;
	return status;
}

/* Looks at what is there. */
static bool examine(struct store *s, const struct artefact_file *file)
{
	struct emission *e = s->e;
	struct pending p = { .file = file, .content = file->content, .differs = true };
	enum file_status status;

	p.path = path_join(e->arena, e->in->root, path_normalise(e->arena, file->path));
	p.flags = FILE_MAKE_FOLDERS | (file->executable ? FILE_EXECUTABLE : 0);
	if (e->in->memory) {
		*VEC_ADD(e->arena, &s->files) = p;
		return true;
	}
	if (file_passes_link(e->arena, e->in->root, path_normalise(e->arena, file->path)))
		return refuse(e, E2504, file->path, "a part of this path is a symbolic link");
	status = read_old(e->arena, p.path, p.content.n, &p.old);
	if (status != FILE_OK && status != FILE_MISSING)
		return refuse(e, E2502, file->path, file_status_text(status));
	p.existed = status == FILE_OK;
	p.differs = !p.existed || !str_equal(p.old, p.content);
	if (!e->in->check && p.existed && p.differs && !is_ours(s, &p))
		return false;
	*VEC_ADD(e->arena, &s->files) = p;
	return true;
}

/* Files without a header enter the record of their folder, which is one more file to write. */
static bool add_records(struct store *s)
{
	struct emission *e = s->e;
	uint32_t files = s->files.n;
	struct out note;

	for (uint32_t i = 0; i < files; i++) {
		const struct pending *p = &s->files.at[i];
		struct folder_record *record;

		if (p->file->headed)
			continue;
		record = record_of(s, path_folder(p->path));
		if (record->foreign)
			return refuse(e, E2503, record->path,
				      "this file exists and planc did not write it");
		out_init(&note, e->arena);
		header_describe(e, &note);
		for (uint32_t l = 0; l < e->losses.n; l++)
			out_printf(&note, "; not expressed: %.*s", (int)e->losses.at[l].n,
				   e->losses.at[l].p);
		folder_record_set(e->arena, record, path_name(p->path),
				  hash_text(e->arena, p->content), out_view(&note));
	}
	for (uint32_t i = 0; i < s->records.n; i++) {
		struct pending p = { .path = s->records.at[i].path, .flags = FILE_MAKE_FOLDERS };
		enum file_status status;

		p.content = folder_record_text(e->arena, &s->records.at[i]);
		status = read_old(e->arena, p.path, p.content.n, &p.old);
		if (status != FILE_OK && status != FILE_MISSING)
			return refuse(e, E2502, p.path, file_status_text(status));
		p.existed = status == FILE_OK;
		p.differs = !p.existed || !str_equal(p.old, p.content);
		*VEC_ADD(e->arena, &s->files) = p;
	}
	return true;
}

/* Puts back what the first `count` files were. */
static void roll_back(struct store *s, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct pending *p = &s->files.at[i];

		if (!p->differs)
			continue;
		if (p->existed)
			(void)file_target_write(&p->target, p->old);
		else
			(void)remove(p->target.path);
	}
}

/* Takes all memory that writing and rolling back need, before the first file is touched. */
static bool prepare(struct store *s)
{
	for (uint32_t i = 0; i < s->files.n; i++) {
		struct pending *p = &s->files.at[i];
		enum file_status status = file_target_init(&p->target, s->e->arena, p->path, p->flags);

		if (status != FILE_OK)
			return refuse(s->e, E2502, p->file ? p->file->path : p->path,
				      file_status_text(status));
	}
	return true;
}

static bool write_all(struct store *s)
{
	for (uint32_t i = 0; i < s->files.n; i++) {
		struct pending *p = &s->files.at[i];
		enum file_status status = FILE_OK;

		if (p->differs)
			status = file_target_write(&p->target, p->content);
		if (status == FILE_OK)
			continue;
		roll_back(s, i);
		return refuse(s->e, E2502, p->file ? p->file->path : p->path,
			      file_status_text(status));
	}
	return true;
}

/* Two emits of a plan must not write the same file. */
static bool is_new_here(struct emission *e, const struct emit_result *result, struct str path)
{
	for (uint32_t i = 0; i < result->artefacts.n; i++)
		if (str_equal(result->artefacts.at[i].path, path))
			return refuse(e, E2502, path, "another emit of this plan writes this file");
	return true;
}

bool emit_store(struct emission *e, const struct artefact_files *files, struct emit_result *result)
{
	struct store s = { .e = e };

	for (uint32_t i = 0; i < files->at.n; i++)
		if (!path_is_safe(e, files->at.at[i].path) ||
		    !is_small_enough(e, &files->at.at[i]) || !examine(&s, &files->at.at[i]) ||
		    !is_new_here(e, result, path_normalise(e->arena, files->at.at[i].path)))
			return false;
	if (!e->in->check && !e->in->memory && (!add_records(&s) || !prepare(&s) || !write_all(&s)))
		return false;
	for (uint32_t i = 0; i < files->at.n; i++) {
		const struct pending *p = &s.files.at[i];
		enum emit_state state = !p->differs     ? EMIT_UNCHANGED
					: !e->in->check ? EMIT_WRITTEN
					: p->existed    ? EMIT_DIFFERENT
							: EMIT_MISSING;

		*VEC_ADD(e->arena, &result->artefacts) =
			(struct emit_artefact){ path_normalise(e->arena, p->file->path), p->content,
						e->target_name, state };
		result->differs =
			result->differs || state == EMIT_DIFFERENT || state == EMIT_MISSING;
	}
	return true;
}
