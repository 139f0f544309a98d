/* source_test.c - positions, lines, origins, and files from disk. */
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "compiler/source/source.h"

#define ck_assert_str(s, z) ck_assert_msg(str_is((s), (z)), "%.*s", (int)(s).n, (s).p)

static void check_position(const struct source *f, uint32_t at, uint32_t line, uint32_t column)
{
	struct position p = source_position(f, at);

	ck_assert_uint_eq(p.line, line);
	ck_assert_uint_eq(p.column, column);
}

START_TEST(positions_and_lines)
{
	struct arena a;
	struct sources s;
	const struct source *f;

	arena_init(&a, NULL);
	sources_init(&s, &a);
	f = source_get(&s, sources_add(&s, STR("a.plan"), STR("one\r\n\ntwo\n"), false));
	check_position(f, 0, 1, 1);
	check_position(f, 4, 1, 5);
	check_position(f, 5, 2, 1);
	check_position(f, 6, 3, 1);
	check_position(f, 8, 3, 3);
	check_position(f, 10, 4, 1);
	check_position(f, 99, 4, 1);
	ck_assert_str(source_line(f, 1), "one");
	ck_assert_str(source_line(f, 2), "");
	ck_assert_str(source_line(f, 3), "two");
	ck_assert_str(source_line(f, 4), "");
	ck_assert_str(source_line(f, 0), "");
	ck_assert_str(source_line(f, 5), "");
	ck_assert_str(source_slice(&s, (struct span){ 0, 6, 9 }), "two");
	ck_assert_str(source_slice(&s, SPAN_NONE), "");
	f = source_get(&s, sources_add(&s, STR("empty"), STR(""), true));
	check_position(f, 0, 1, 1);
	ck_assert_str(source_line(f, 1), "");
	arena_release(&a);
}
END_TEST

START_TEST(generated_text_points_to_its_origin)
{
	struct arena a;
	struct sources s;
	struct source *f;
	struct span at;

	arena_init(&a, NULL);
	sources_init(&s, &a);
	sources_add(&s, STR("model.json"), STR("{ \"layers\": 32 }"), false);
	f = source_get(&s, sources_add(&s, STR("generated"), STR("layers = 32; heads = 8"), false));
	*VEC_ADD(&a, &f->origins) = (struct origin){ 0, 11, { 0, 2, 14 } };
	*VEC_ADD(&a, &f->origins) = (struct origin){ 9, 11, { 0, 12, 14 } };
	at = source_origin(&s, (struct span){ 1, 9, 10 });
	ck_assert(at.file == 0 && at.lo == 12 && at.hi == 14);
	at = source_origin(&s, (struct span){ 1, 3, 5 });
	ck_assert(at.file == 0 && at.lo == 2 && at.hi == 14);
	at = source_origin(&s, (struct span){ 1, 11, 12 });
	ck_assert(at.file == 1 && at.lo == 11 && at.hi == 12);
	at = source_origin(&s, (struct span){ 0, 1, 2 });
	ck_assert(at.file == 0 && at.lo == 1);
	at = source_origin(&s, SPAN_NONE);
	ck_assert(at.file == UINT32_MAX);
	arena_release(&a);
}
END_TEST

static void put(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	ck_assert(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

START_TEST(files_are_loaded)
{
	char folder[] = "/tmp/plan-source-XXXXXX";
	static char large[5000];
	struct arena a;
	struct sources s;
	uint32_t file = 77;

	ck_assert(mkdtemp(folder) && chdir(folder) == 0);
	arena_init(&a, NULL);
	sources_init(&s, &a);
	s.size_max = 5000;
	memset(large, 'x', sizeof large);
	put("small", "a\0b\n", 4);
	put("empty", "", 0);
	put("full", large, 5000);
	ck_assert(sources_load(&s, STR("small"), &file) == SOURCE_OK && file == 0);
	ck_assert(source_get(&s, 0)->text.n == 4 && source_get(&s, 0)->lines.n == 2);
	ck_assert(sources_load(&s, STR("empty"), &file) == SOURCE_OK && file == 1);
	ck_assert_uint_eq(source_get(&s, 1)->text.n, 0);
	ck_assert(sources_load(&s, STR("full"), &file) == SOURCE_OK && file == 2);
	ck_assert_uint_eq(source_get(&s, 2)->text.n, 5000);
	s.size_max = 4999;
	ck_assert(sources_load(&s, STR("full"), &file) == SOURCE_TOO_LARGE);
	ck_assert(sources_load(&s, STR("nothing"), &file) == SOURCE_MISSING);
	ck_assert(sources_load(&s, STR("small/x"), &file) == SOURCE_MISSING);
	ck_assert(sources_load(&s, STR(""), &file) == SOURCE_MISSING);
	ck_assert(sources_load(&s, STR("small\0x"), &file) == SOURCE_MISSING);
	ck_assert(sources_load(&s, STR("."), &file) == SOURCE_NOT_FILE);
	ck_assert(mkfifo("pipe", 0600) == 0);
	ck_assert(sources_load(&s, STR("pipe"), &file) == SOURCE_NOT_FILE);
	ck_assert(file == 2 && s.files.n == 3);
	ck_assert(symlink("loop", "loop") == 0);
	ck_assert(sources_load(&s, STR("loop"), &file) == SOURCE_UNREADABLE);
	unlink("small");
	unlink("empty");
	unlink("full");
	unlink("pipe");
	unlink("loop");
	rmdir(folder);
	arena_release(&a);
}
END_TEST

UNIT_MAIN("source", positions_and_lines, generated_text_points_to_its_origin, files_are_loaded)
