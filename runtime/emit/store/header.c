/* header.c - where an artefact comes from, in its first lines.
 *
 * The hash is 64-bit FNV-1a (Fowler, Noll, Vo) over the user's files of the plan in the order
 * they were read: it says which text an artefact belongs to, it does not protect against
 * forgery.
 */
#include "runtime/emit/emit_int.h"

#include <inttypes.h>

static const char mark[] = "# planc: ";

static uint64_t fnv1a(uint64_t h, struct str bytes)
{
	for (uint32_t i = 0; i < bytes.n; i++)
		h = (h ^ (unsigned char)bytes.p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static const uint64_t fnv_start = UINT64_C(0xcbf29ce484222325);

void header_hash(struct out *o, struct str bytes)
{
	out_printf(o, "fnv1a64:%016" PRIx64, fnv1a(fnv_start, bytes));
}

static void plan_hash(struct emission *e, struct out *o)
{
	const struct sources *s = e->program->sources;
	uint64_t h = fnv_start;

	for (uint32_t i = 0; i < s->files.n; i++)
		if (!s->files.at[i]->library)
			h = fnv1a(h, s->files.at[i]->text);
	out_printf(o, "fnv1a64:%016" PRIx64, h);
}

/* Last part of a path: artefacts do not depend on where the plan lies. */
static struct str file_name(struct str path)
{
	uint32_t lo = path.n;

	while (lo > 0 && path.p[lo - 1] != '/')
		lo--;
	return str_slice(path, lo, path.n);
}

/* Text of others on one comment line. */
static void out_line(struct out *o, struct str s)
{
	for (uint32_t i = 0; i < s.n; i++)
		out_char(o, (unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f ? ' ' : s.p[i]);
}

void header_describe(struct emission *e, struct out *o)
{
	out_text(o, "plan ");
	out_line(o, file_name(e->in->plan));
	out_char(o, ' ');
	plan_hash(e, o);
	out_text(o, e->emit->sweep == IR_NONE ? ", edition 1, job " : ", edition 1, sweep ");
	out_line(o, e->job_name);
	out_printf(o, ", target %.*s", (int)e->target_name.n, e->target_name.p);
	if (e->version.n > 0) {
		out_char(o, ' ');
		out_line(o, e->version);
	}
}

void header_write(struct emission *e, struct out *o)
{
	out_text(o, mark);
	header_describe(e, o);
	out_text(o, "\n# Changes made here are lost: change the plan and run `planc emit`.\n");
	for (uint32_t i = 0; i < e->losses.n; i++) {
		out_text(o, "# Not expressed: ");
		out_line(o, e->losses.at[i]);
		out_char(o, '\n');
	}
}

bool header_is_ours(struct str head)
{
	uint32_t n = sizeof(mark) - 1;

	for (uint32_t i = 0; i + n <= head.n; i++)
		if ((i == 0 || head.p[i - 1] == '\n') && memcmp(head.p + i, mark, n) == 0)
			return true;
	return false;
}
