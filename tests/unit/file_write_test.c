/* file_write_test.c - atomic replacement, folders, permissions, links, failures of the system. */
#include "tests/unit/unit.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/io/file_write.h"

#define ck_assert_str(s, z) ck_assert_msg(str_is((s), (z)), "%.*s", (int)(s).n, (s).p)

/* Every test works in an empty folder of its own and removes the few names it made. */
static void enter_scratch(struct arena *a, char folder[])
{
	arena_init(a, NULL);
	ck_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static void leave_scratch(struct arena *a, const char *folder, const char *const *names, size_t n)
{
	arena_release(a);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(remove(names[i]) == 0, "%s", names[i]);
	/* nothing may be left, least of all a temporary file */
	ck_assert(chdir("/") == 0 && rmdir(folder) == 0);
}

static struct str head(struct arena *a, const char *path)
{
	struct str text = STR("?");

	ck_assert_int_eq(file_read_head(a, str_of(path), 1000, &text), FILE_OK);
	return text;
}

START_TEST(a_file_is_replaced_whole)
{
	static const char *const names[] = { "a" };
	char folder[] = "/tmp/plan-write-XXXXXX";
	struct arena a;
	struct str text;

	enter_scratch(&a, folder);
	ck_assert_int_eq(file_write(&a, STR("a"), STR("first"), 0), FILE_OK);
	ck_assert_str(head(&a, "a"), "first");
	ck_assert_int_eq(file_write(&a, STR("./a"), STR("2\0d"), 0), FILE_OK);
	ck_assert_uint_eq(head(&a, "a").n, 3);
	ck_assert_int_eq(file_write(&a, STR("a"), STR(""), 0), FILE_OK);
	ck_assert_uint_eq(head(&a, "a").n, 0);
	ck_assert_int_eq(file_write(&a, STR("a"), STR("0123456789"), 0), FILE_OK);
	ck_assert_int_eq(file_read_head(&a, STR("a"), 4, &text), FILE_OK);
	ck_assert_str(text, "0123");
	leave_scratch(&a, folder, names, PLAN_COUNT(names));
}
END_TEST

START_TEST(folders_are_made_when_asked)
{
	static const char *const names[] = { "x/y/z/b", "x/y/z", "x/y", "x", "f" };
	char folder[] = "/tmp/plan-write-XXXXXX";
	struct arena a;

	enter_scratch(&a, folder);
	ck_assert_int_eq(file_write(&a, STR("x/y/z/b"), STR("t"), 0), FILE_MISSING);
	ck_assert_int_eq(file_write(&a, STR("x/y/z/b"), STR("t"), FILE_MAKE_FOLDERS), FILE_OK);
	ck_assert_int_eq(file_write(&a, STR("x//y/z/b"), STR("u"), FILE_MAKE_FOLDERS), FILE_OK);
	ck_assert_str(head(&a, "x/y/z/b"), "u");
	ck_assert_int_eq(file_write(&a, STR("f"), STR("t"), 0), FILE_OK);
	ck_assert_int_eq(file_write(&a, STR("f/g"), STR("t"), 0), FILE_MISSING);
	ck_assert_int_ne(file_write(&a, STR("f/g"), STR("t"), FILE_MAKE_FOLDERS), FILE_OK);
	ck_assert_int_eq(file_write(&a, STR("x"), STR("t"), 0), FILE_NOT_REGULAR);
	ck_assert_int_eq(file_write(&a, STR("x/"), STR("t"), 0), FILE_NOT_REGULAR);
	ck_assert_int_eq(file_write(&a, STR(""), STR("t"), 0), FILE_MISSING);
	ck_assert_int_eq(file_write(&a, STR("f\0g"), STR("t"), 0), FILE_MISSING);
	ck_assert_int_eq(file_make_folders(&a, STR("x/y/")), FILE_OK);
	leave_scratch(&a, folder, names, PLAN_COUNT(names));
}
END_TEST

static mode_t mode_of(const char *path)
{
	struct stat st;

	ck_assert(stat(path, &st) == 0);
	return st.st_mode & 0777;
}

START_TEST(permissions)
{
	static const char *const names[] = { "a", "run.sh" };
	char folder[] = "/tmp/plan-write-XXXXXX";
	struct arena a;

	enter_scratch(&a, folder);
	umask(022);
	ck_assert_int_eq(file_write(&a, STR("a"), STR("t"), 0), FILE_OK);
	ck_assert_uint_eq(mode_of("a"), 0644);
	ck_assert_int_eq(chmod("a", 0600), 0);
	ck_assert_int_eq(file_write(&a, STR("a"), STR("u"), 0), FILE_OK);
	ck_assert_uint_eq(mode_of("a"), 0600);
	ck_assert_int_eq(file_write(&a, STR("run.sh"), STR("t"), FILE_EXECUTABLE), FILE_OK);
	ck_assert_uint_eq(mode_of("run.sh"), 0755);
	leave_scratch(&a, folder, names, PLAN_COUNT(names));
}
END_TEST

START_TEST(links_are_seen_and_not_followed)
{
	static const char *const names[] = { "out/link", "out/real", "out/inner/c", "out/inner", "out",
					     "other", "top" };
	char folder[] = "/tmp/plan-write-XXXXXX";
	struct arena a;

	enter_scratch(&a, folder);
	ck_assert_int_eq(file_write(&a, STR("out/inner/c"), STR("c"), FILE_MAKE_FOLDERS), FILE_OK);
	ck_assert_int_eq(file_write(&a, STR("other"), STR("theirs"), 0), FILE_OK);
	ck_assert(symlink("../other", "out/link") == 0 && symlink("inner", "out/real") == 0 &&
		  symlink("out", "top") == 0);
	ck_assert(file_passes_link(&a, STR("out"), STR("link")));
	ck_assert(file_passes_link(&a, STR("out"), STR("real/c")));
	ck_assert(!file_passes_link(&a, STR("out"), STR("inner/c")));
	ck_assert(!file_passes_link(&a, STR("out"), STR("inner/new/d")));
	ck_assert(!file_passes_link(&a, STR("top"), STR("inner/c")));
	ck_assert(file_passes_link(&a, STR("."), STR("top/inner/c")));
	ck_assert_int_eq(file_write(&a, STR("out/link"), STR("ours"), 0), FILE_OK);
	ck_assert_str(head(&a, "other"), "theirs");
	ck_assert_str(head(&a, "out/link"), "ours");
	leave_scratch(&a, folder, names, PLAN_COUNT(names));
}
END_TEST

START_TEST(what_is_no_file_has_no_head)
{
	static const char *const names[] = { "pipe" };
	char folder[] = "/tmp/plan-write-XXXXXX";
	struct arena a;
	struct str text;

	enter_scratch(&a, folder);
	ck_assert(mkfifo("pipe", 0600) == 0);
	ck_assert_int_eq(file_read_head(&a, STR("pipe"), 10, &text), FILE_NOT_REGULAR);
	ck_assert_int_eq(file_read_head(&a, STR("."), 10, &text), FILE_NOT_REGULAR);
	ck_assert_int_eq(file_read_head(&a, STR("none"), 10, &text), FILE_MISSING);
	ck_assert_int_eq(file_write(&a, STR("pipe"), STR("t"), 0), FILE_NOT_REGULAR);
	ck_assert_str_eq(file_status_text(FILE_DENIED), "permission is denied");
	leave_scratch(&a, folder, names, PLAN_COUNT(names));
}
END_TEST

START_TEST(a_failed_write_leaves_the_old_file)
{
	static const char *const names[] = { "a" };
	static char large[100000];
	char folder[] = "/tmp/plan-write-XXXXXX";
	struct rlimit limit = { 5000, RLIM_INFINITY };
	struct arena a;

	enter_scratch(&a, folder);
	ck_assert_int_eq(file_write(&a, STR("a"), STR("old"), 0), FILE_OK);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	ck_assert_int_eq(file_write(&a, STR("a"), (struct str){ large, sizeof large }, 0), FILE_FULL);
	limit.rlim_cur = RLIM_INFINITY;
	ck_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	ck_assert_str(head(&a, "a"), "old");
	leave_scratch(&a, folder, names, PLAN_COUNT(names));
}
END_TEST

UNIT_MAIN("file_write", a_file_is_replaced_whole, folders_are_made_when_asked, permissions,
	  links_are_seen_and_not_followed, what_is_no_file_has_no_head,
	  a_failed_write_leaves_the_old_file)
