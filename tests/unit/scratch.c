/* scratch.c - see scratch.h. */
#include "tests/unit/scratch.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/out.h"

enum { PATH_LENGTH = 1024 };

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "scratch: %s\n", what);
	abort();
}

/* Calls visit for each name in a folder, in their order; the names are given back afterwards. */
static void each_name(const char *folder, void (*visit)(const char *path, void *context), void *context)
{
	struct dirent **names;
	int n = scandir(folder, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char path[PATH_LENGTH];
		int length = snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);

		require(length > 0 && length < PATH_LENGTH, "a path is too long");
		if (strcmp(names[i]->d_name, ".") != 0 && strcmp(names[i]->d_name, "..") != 0)
			visit(path, context);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void remove_one(const char *path, void *context)
{
	(void)context;
	if (is_folder(path))
		scratch_empty(path);
	require(remove(path) == 0, "a file cannot be removed");
}

void scratch_empty(const char *folder)
{
	each_name(folder, remove_one, NULL);
}

void scratch_enter(struct scratch *s)
{
	*s = (struct scratch){ .path = "/tmp/plan-scratch-XXXXXX" };
	require(getcwd(s->back, sizeof s->back) != NULL, "the working folder has no name");
	require(mkdtemp(s->path) != NULL && chdir(s->path) == 0, "there is no scratch folder");
}

void scratch_leave(const struct scratch *s)
{
	scratch_empty(s->path);
	require(chdir(s->back) == 0 && rmdir(s->path) == 0, "the scratch folder cannot be left");
}

void scratch_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	require(f && fputs(text, f) >= 0 && fclose(f) == 0, "a file cannot be written");
}

static void add_text(const char *path, void *context)
{
	struct out *o = context;
	FILE *f;
	int c;

	if (is_folder(path)) {
		each_name(path, add_text, o);
		return;
	}
	out_printf(o, "\n== %s\n", path);
	f = fopen(path, "r");
	while (f && (c = fgetc(f)) != EOF)
		out_char(o, (char)c);
	if (f)
		fclose(f);
}

struct str scratch_text(struct arena *a, const char *folder)
{
	struct out o;

	out_init(&o, a);
	each_name(folder, add_text, &o);
	return str_copy(a, out_view(&o));
}
