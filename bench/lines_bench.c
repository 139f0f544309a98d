/* lines_bench.c - how long `planc check` and `planc fmt --check` take over a long plan, and how much memory.
 *
 *	lines_bench PLANC FOLDER
 *
 * Writes plans of 10,000 and of 100,000 lines into FOLDER and prints, for each command, the least time on
 * a processor of several runs and the largest resident set; last, what a line of the longer plan costs
 * over one of the shorter: 1 when the time grows with the lines.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK_LINES = 10, SHORT_LINES = 10000, LONG_LINES = 100000, RUNS = 5 };

/* An edition, a base, then blocks of ten lines in the usual layout. */
static bool write_plan(const char *path, int lines)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return false;
	fprintf(f, "edition 1\n\nstrategy base { zero = 1 }\n");
	for (int i = 0; i < lines / BLOCK_LINES; i++)
		fprintf(f,
			"\n## The strategy of run %d.\n"
			"strategy run_%d extends base {\n"
			"  tp      = %d  # inside a node\n"
			"  overlap { gradient_reduce = true }\n"
			"}\n\n"
			"fn size_%d(n: int) -> bytes = n * %d MiB + 1 GiB / 2\n"
			"let memory_%d = size_%d(run_%d.tp) + %d.5 KiB\n"
			"assert fits_%d when run_%d.tp > 1: memory_%d <= 80 GiB because \"{memory_%d:GiB.1}\"\n",
			i, i, 1 << i % 4, i, i % 900, i, i, i, i % 90, i, i, i, i);
	return fclose(f) == 0;
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* One run: its seconds on a processor and its resident kilobytes; negative when it failed. */
static double run_once(const char *const *command, long *kilobytes)
{
	struct rusage use;
	int status;
	pid_t child = fork();

	if (child == 0) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		execl(command[0], command[0], command[1], command[2], command[3], (char *)NULL);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &use) != child || status != 0)
		return -1;
	*kilobytes = use.ru_maxrss;
	return seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
}

/* Prints one figure; the seconds, or negative when a run failed. */
static double measure(const char *const *command, const char *what, int lines)
{
	double least = -1;
	long most = 0;

	for (int i = 0; i < RUNS; i++) {
		long kilobytes = 0;
		double seconds = run_once(command, &kilobytes);

		if (seconds < 0) {
			fprintf(stderr, "lines_bench: %s failed over %d lines\n", what, lines);
			return -1;
		}
		if (least < 0 || seconds < least)
			least = seconds;
		if (kilobytes > most)
			most = kilobytes;
	}
	printf("%s of %d lines: %.0f ms of processor, least of %d runs; %.0f MB resident\n", what, lines,
	       least * 1e3, RUNS, (double)most * 1024 / 1e6);
	return least;
}

int main(int argc, char **argv)
{
	static const int lines[] = { SHORT_LINES, LONG_LINES };
	double check[2], fmt[2];
	char path[4096];

	if (argc != 3) {
		fprintf(stderr, "usage: lines_bench PLANC FOLDER\n");
		return 4;
	}
	for (int i = 0; i < 2; i++) {
		const char *const check_it[] = { argv[1], "check", path, NULL };
		const char *const fmt_it[] = { argv[1], "fmt", "--check", path };

		snprintf(path, sizeof path, "%s/lines_%d.plan", argv[2], lines[i]);
		if (!write_plan(path, lines[i])) {
			fprintf(stderr, "lines_bench: cannot write %s\n", path);
			return 1;
		}
		check[i] = measure(check_it, "check", lines[i]);
		fmt[i] = measure(fmt_it, "fmt", lines[i]);
		remove(path);
		if (check[i] < 0 || fmt[i] < 0)
			return 1;
	}
	printf("lines: one of %d costs %.2f (check) and %.2f (fmt) times one of %d\n", LONG_LINES,
	       check[1] * SHORT_LINES / (check[0] * LONG_LINES),
	       fmt[1] * SHORT_LINES / (fmt[0] * LONG_LINES), SHORT_LINES);
	return 0;
}
