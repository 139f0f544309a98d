/* record.c - `.planc-artefacts`: which files of a folder planc wrote, for formats without
 * comments.
 *
 * One line a file: its hash, its name, and behind it how it was made. A file that is not listed,
 * or has changed since, is somebody else's and is not overwritten.
 */
#include "compiler/base/path.h"
#include "runtime/emit/emit_int.h"
#include "runtime/io/file_write.h"

static const char first_line[] = "# planc: files of this folder that `planc emit` wrote\n";

enum { RECORD_MAX = 1 << 20 };

/* Takes the text up to a separator, and the separator, from the front. */
static struct str take_until(struct str *rest, char separator)
{
	const char *at = memchr(rest->p, separator, rest->n);
	uint32_t n = at ? (uint32_t)(at - rest->p) : rest->n;
	struct str taken = str_slice(*rest, 0, n);

	*rest = str_slice(*rest, at ? n + 1 : n, rest->n);
	return taken;
}

void folder_record_load(struct arena *a, struct str folder, struct folder_record *r)
{
	struct str text, line;
	enum file_status status;

	*r = (struct folder_record){ .path = path_join(a, folder, STR(".planc-artefacts")) };
	status = file_read_head(a, r->path, RECORD_MAX, &text);
	if (status == FILE_MISSING)
		return;
	r->foreign = status != FILE_OK || !header_is_ours(text);
	if (r->foreign)
		return;
	while (text.n > 0) {
		line = take_until(&text, '\n');
		if (line.n == 0 || line.p[0] == '#')
			continue;
		*VEC_ADD(a, &r->hashes) = take_until(&line, ' ');
		*VEC_ADD(a, &r->names) = take_until(&line, '\t');
		*VEC_ADD(a, &r->notes) = line;
	}
}

struct str folder_record_hash(const struct folder_record *r, struct str name)
{
	for (uint32_t i = 0; i < r->names.n; i++)
		if (str_equal(r->names.at[i], name))
			return r->hashes.at[i];
	return STR("");
}

void folder_record_set(struct arena *a, struct folder_record *r, struct str name, struct str hash,
		       struct str note)
{
	for (uint32_t i = 0; i < r->names.n; i++)
		if (str_equal(r->names.at[i], name)) {
			r->hashes.at[i] = hash;
			r->notes.at[i] = note;
			return;
		}
	*VEC_ADD(a, &r->names) = name;
	*VEC_ADD(a, &r->hashes) = hash;
	*VEC_ADD(a, &r->notes) = note;
}

/* Sorted by name, so that the order of emits does not show. */
struct str folder_record_text(struct arena *a, const struct folder_record *r)
{
	uint32_t *order = ARENA_ARRAY(a, uint32_t, r->names.n + 1);
	struct out o;

	for (uint32_t i = 0; i < r->names.n; i++) {
		uint32_t at = i;

		for (; at > 0 && str_compare(r->names.at[order[at - 1]], r->names.at[i]) > 0; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	out_init(&o, a);
	out_text(&o, first_line);
	for (uint32_t i = 0; i < r->names.n; i++) {
		uint32_t at = order[i];

		out_str(&o, r->hashes.at[at]);
		out_char(&o, ' ');
		out_str(&o, r->names.at[at]);
		out_char(&o, '\t');
		out_str(&o, r->notes.at[at]);
		out_char(&o, '\n');
	}
	return out_view(&o);
}
