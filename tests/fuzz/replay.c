/* replay.c - calls a fuzz target with the files named on the command line, without libFuzzer. */
#define PLAN_BASE_MALLOC
#include "tests/fuzz/fuzz.h"

static bool replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t n = 0;
	long size;

	if (!f || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0)
		return false;
	rewind(f);
	/* Exactly as many bytes as there are: a read behind the end is seen. */
	bytes = size > 0 ? malloc((size_t)size) : NULL;
	if (bytes)
		n = fread(bytes, 1, (size_t)size, f);
	fclose(f);
	if (n == (size_t)size)
		LLVMFuzzerTestOneInput(bytes, n);
	free(bytes);
	return n == (size_t)size;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!replay(argv[i])) {
			fprintf(stderr, "%s cannot be read\n", argv[i]);
			return EXIT_FAILURE;
		}
	}
	return EXIT_SUCCESS;
}
