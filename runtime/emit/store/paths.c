/* paths.c - which texts name an artefact: what can be said without asking the file system. */
#include "compiler/base/path.h"
#include "compiler/ir/build.h"
#include "runtime/emit/emit_int.h"

const char *emit_path_fault(struct str path)
{
	if (path_leaves_root(path))
		return "an artefact is a file below the output folder";
	if (str_is(path_name(path), ".planc-artefacts"))
		return "planc keeps its own list under this name";
	for (uint32_t i = 0; i < path.n; i++)
		if ((unsigned char)path.p[i] < 0x20 || path.p[i] == 0x7f)
			return "a path holds no control characters";
	if (path.n > 0 && memchr(path.p, '\\', path.n))
		return "a path is written with `/`, on every system";
	return NULL;
}

const char *emit_file_fault(struct str path)
{
	return path.n == 0 || str_ends(path, "/") ? "an artefact is a file below the output folder"
						  : emit_path_fault(path);
}

void emit_report_path(struct diag_sink *sink, struct span at, struct str path, const char *fault)
{
	struct diag *d = diag_new(sink, E2504, at);
	struct out shown;

	out_init(&shown, sink->arena);
	for (uint32_t i = 0; i < path.n; i++)
		out_char(&shown,
			 (unsigned char)path.p[i] < 0x20 || path.p[i] == 0x7f ? '?' : path.p[i]);
	diag_message(d, "`%.*s`: %s", (int)shown.n, shown.p, fault);
	if (path_leaves_root(path))
		diag_help(d, "the path is relative to the folder of the plan; `planc emit -o DIR` writes "
			     "below another one");
	diag_submit(d);
}

/* Whether the path names a file itself, and not a folder of several. */
static bool names_a_file(const struct ir_program *p, const struct ir_emit *emit)
{
	uint32_t slot = ir_find_field(p, emit->schema, STR("artefact"));
	ir_id value = slot == IR_NONE ? IR_NO_NODE : p->schemas.at[emit->schema].fields[slot].value;
	const struct ir_constant *kind = value == IR_NO_NODE ? NULL : ir_constant_of(p, value);

	return kind && kind->kind == CONSTANT_STRING && !str_is(kind->text, "files");
}

/* Two emits of a plan must not write the same file. */
static bool report_repeated(struct eval *ev, const struct str *files, uint32_t at)
{
	const struct ir_program *p = ev->program;

	for (uint32_t i = 0; i < at; i++) {
		struct diag *d;

		if (files[at].n == 0 || !str_equal(files[i], files[at]))
			continue;
		d = diag_new(ev->sink, E2502, p->emits.at[at].to_span);
		diag_message(d, "`%.*s`: another emit of this plan writes this file", (int)files[at].n,
			     files[at].p);
		diag_label(d, p->emits.at[i].to_span, "written here");
		diag_submit(d);
		return true;
	}
	return false;
}

bool emit_check_paths(struct eval *ev)
{
	const struct ir_program *p = ev->program;
	struct str *files = ARENA_ARRAY(ev->arena, struct str, p->emits.n + 1);
	bool fine = true;

	for (uint32_t i = 0; i < p->emits.n; i++) {
		const struct ir_emit *emit = &p->emits.at[i];
		struct value to = eval_node(ev, emit->to, (struct scope){ 0 });
		bool file = names_a_file(p, emit);
		const char *fault;

		if (to.kind != VALUE_STRING)
			continue;
		fault = file ? emit_file_fault(to.text) : emit_path_fault(to.text);
		if (fault)
			emit_report_path(ev->sink, emit->to_span, to.text, fault);
		else if (file)
			files[i] = path_normalise(ev->arena, to.text);
		fine = !fault && !report_repeated(ev, files, i) && fine;
	}
	return fine;
}
