/* names_test.c - which files are read, and which names they see. */
#include "compiler/names/names.h"
#include "tests/unit/unit.h"

#define FILE_OF(name, text) { name, (const unsigned char *)(text), (uint32_t)(sizeof(text) - 1) }

static const struct embedded_file library[] = {
	FILE_OF("prelude.plan", "edition 1\nschema point { x: int }\npoint origin { x = 0 }\nlet unit = 1\n"),
	FILE_OF("shapes.plan", "edition 1\nimport \"sub/more.plan\" { far }\nlet near = far\n"),
	FILE_OF("sub/more.plan", "edition 1\nlet far = 9\n"),
	FILE_OF("turn.plan", "edition 1\nimport \"back.plan\" { b }\nlet a = b\n"),
	FILE_OF("back.plan", "edition 1\nimport \"turn.plan\" { a }\nlet b = a\n"),
	{ NULL, NULL, 0 },
};

struct fixture {
	struct arena arena;
	struct interner *names;
	struct sources sources;
	struct diag_sink sink;
};

static struct modules *load(struct fixture *f, const char *text)
{
	struct names_input in = { 0 };

	arena_init(&f->arena, NULL);
	f->names = interner_make(&f->arena);
	sources_init(&f->sources, &f->arena);
	diag_sink_init(&f->sink, &f->arena, &f->sources);
	in.arena = &f->arena;
	in.names = f->names;
	in.sources = &f->sources;
	in.sink = &f->sink;
	in.path = STR("a.plan");
	in.text = str_of(text);
	in.library = library;
	return names_load(&in);
}

static const char *codes(struct fixture *f)
{
	struct out o;

	out_init(&o, &f->arena);
	for (uint32_t i = 0; i < f->sink.diags.n; i++)
		out_printf(&o, "%s%s", i > 0 ? " " : "", diag_info(f->sink.diags.at[i]->code)->name);
	return str_copy(&f->arena, out_view(&o)).p;
}

static struct decl *find(struct fixture *f, const struct module *m, const char *name)
{
	return module_find(m, sym_of_z(f->names, name));
}

START_TEST(a_file_sees_its_own_names)
{
	struct fixture f;
	struct modules *m = load(&f, "edition 1\nlet a = 1\nparam b: int = 2\nfn c() -> int = 1\n"
				     "enum d { x }\nschema e { y: int }\npoint p { x = 1 }\n");

	ck_assert_str_eq(codes(&f), "");
	ck_assert_uint_eq(m->root->decls.n, 6);
	ck_assert_int_eq(find(&f, m->root, "a")->kind, DECL_LET);
	ck_assert_int_eq(find(&f, m->root, "b")->kind, DECL_PARAM);
	ck_assert_int_eq(find(&f, m->root, "c")->kind, DECL_FN);
	ck_assert_int_eq(find(&f, m->root, "d")->kind, DECL_ENUM);
	ck_assert_int_eq(find(&f, m->root, "e")->kind, DECL_SCHEMA);
	ck_assert_int_eq(find(&f, m->root, "p")->kind, DECL_INSTANCE);
	ck_assert_ptr_null(find(&f, m->root, "unit"));
	arena_release(&f.arena);
}
END_TEST

START_TEST(presets_belong_to_their_schema)
{
	struct fixture f;
	struct modules *m = load(&f, "edition 1\n");

	ck_assert_ptr_nonnull(m->prelude);
	ck_assert(m->prelude->library && m->prelude->prelude);
	ck_assert_ptr_null(find(&f, m->prelude, "origin"));
	ck_assert(module_find_own(m->prelude, sym_of_z(f.names, "origin"))->preset);
	arena_release(&f.arena);
}
END_TEST

START_TEST(imports_bring_names)
{
	struct fixture f;
	struct modules *m = load(&f, "edition 1\nimport \"std:shapes\" { near }\nimport \"std:shapes\" as s\n");
	struct decl *s = find(&f, m->root, "s");

	ck_assert_str_eq(codes(&f), "");
	ck_assert_int_eq(find(&f, m->root, "near")->kind, DECL_LET);
	ck_assert_int_eq(s->kind, DECL_MODULE);
	ck_assert(find(&f, m->root, "near")->home == s->module);
	/* What a file imports is its own business. */
	ck_assert_ptr_null(module_find_own(s->module, sym_of_z(f.names, "far")));
	/* prelude, more, shapes, root: each once, imports first. */
	ck_assert_uint_eq(m->all.n, 4);
	ck_assert(m->all.at[3] == m->root);
	arena_release(&f.arena);
}
END_TEST

START_TEST(what_cannot_be_imported)
{
	static const struct {
		const char *text, *codes;
	} cases[] = {
		{ "edition 1\nimport \"std:shape\" { near }\n", "E0204" },
		{ "edition 1\nimport \"std:shapes\" { neer }\n", "E0205" },
		{ "edition 1\nimport \"std:turn\" { a }\n", "E0203" },
		{ "edition 1\nimport \"nowhere/b.plan\" as b\n", "E0201" },
		{ "edition 1\nimport \"/etc/hostname\" as b\n", "E0202" },
		{ "edition 1\nimport \"../../../../../../../../../../../../x.plan\" as b\n", "E0202" },
		{ "edition 1\nimport \"std:../x\" as b\n", "E0202" },
		{ "edition 1\nimport \"http://x/y.plan\" as b\n", "E0202" },
		{ "edition 1\nimport \"a\\\\b.plan\" as b\n", "E0202" },
		{ "edition 1\nimport \"\" as b\n", "E0201" },
		{ "edition 1\nimport \".\" as b\n", "E0201" },
		{ "edition 1\nlet a = 1\nlet a = 2\n", "E1203" },
		{ "edition 2\n", "E0106" },
		{ "let a = 1\n", "W0101" },
	};

	for (size_t i = 0; i < PLAN_COUNT(cases); i++) {
		struct fixture f;

		load(&f, cases[i].text);
		ck_assert_str_eq(codes(&f), cases[i].codes);
		arena_release(&f.arena);
	}
}
END_TEST

START_TEST(library_files_on_demand)
{
	struct fixture f;
	struct modules *m = load(&f, "edition 1\n");
	uint32_t before = m->all.n;
	struct str list[10];

	ck_assert_ptr_null(names_load_library(m, STR("nothing.plan")));
	ck_assert_ptr_nonnull(names_load_library(m, STR("sub/more.plan")));
	ck_assert(names_load_library(m, STR("sub/more.plan")) == m->all.at[before]);
	ck_assert_uint_eq(m->all.n, before + 1);
	ck_assert_uint_eq(names_library_list(m, "sub/", list, 10), 1);
	ck_assert(str_is(list[0], "more"));
	ck_assert_str_eq(codes(&f), "");
	arena_release(&f.arena);
}
END_TEST

UNIT_MAIN("names", a_file_sees_its_own_names, presets_belong_to_their_schema, imports_bring_names,
	  what_cannot_be_imported, library_files_on_demand)
