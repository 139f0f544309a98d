/* embed.c - turns files into a table of a C source, so that planc is one file that runs anywhere.
 *
 *	embed SYMBOL ROOT FILE... > table.c
 *
 * Every FILE lies below the folder ROOT; the table names it without it. The table is a
 * `struct embedded_file SYMBOL[]` (compiler/base/embed.h). Runs while planc is built and needs
 * nothing of planc.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_LINE = 16 };

static int fail(const char *what, const char *path)
{
	fprintf(stderr, "embed: %s %s\n", what, path);
	return 1;
}

/* Writes the bytes of one file as an array. Their number, or -1. */
static long write_bytes(const char *path, int index)
{
	FILE *f = fopen(path, "rb");
	long n = 0;
	int c;

	if (!f)
		return -1;
	printf("static const unsigned char file_%d[] = {", index);
	while ((c = fgetc(f)) != EOF) {
		fputs(n % PER_LINE == 0 ? "\n\t" : " ", stdout);
		printf("%d,", c);
		n++;
	}
	/* A NUL behind the end, so that text can be read in place. */
	printf("\n\t0\n};\n");
	return ferror(f) | fclose(f) ? -1 : n;
}

int main(int argc, char **argv)
{
	size_t root;
	long *sizes;

	if (argc < 3)
		return fail("usage: embed SYMBOL ROOT FILE...", "");
	root = strlen(argv[2]);
	sizes = calloc((size_t)argc, sizeof *sizes);
	if (!sizes)
		return fail("out of memory", "");
	printf("/* Written by tools/embed.c. */\n#include \"compiler/base/embed.h\"\n");
	for (int i = 3; i < argc; i++) {
		if (strncmp(argv[i], argv[2], root) != 0 || argv[i][root] != '/')
			return fail("not below the root:", argv[i]);
		sizes[i] = write_bytes(argv[i], i - 3);
		if (sizes[i] < 0)
			return fail("cannot read", argv[i]);
	}
	printf("\nconst struct embedded_file %s[] = {\n", argv[1]);
	for (int i = 3; i < argc; i++)
		printf("\t{ \"%s\", file_%d, %ld },\n", argv[i] + root + 1, i - 3, sizes[i]);
	printf("\t{ 0, 0, 0 },\n};\n");
	free(sizes);
	return ferror(stdout) || fflush(stdout) ? fail("cannot write", "") : 0;
}
