/* lines_bench.c - how long `planc check` and `planc fmt --check` take over a long plan, and how much memory.
 *
 *	lines_bench PLANC FOLDER
 *
 * Writes plans of 10,000 to 1,000,000 lines into FOLDER and prints, for each command, the least time on a
 * processor of several runs and the largest resident set; last, what a line of the longer plans costs over
 * one of the shortest: 1 when the time grows with the lines. Exit status 1 when the plan of 10,000 lines takes
 * more than it may, or a line of a longer one more than twice as much.
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

enum { BLOCK_LINES = 10, SIZES = 3, RUNS = 5, RUNS_LONG = 2, MS_MAX = 200, MB_MAX = 100 };

static const int sizes[SIZES] = { 10000, 100000, 1000000 };

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
		execl(command[0], command[0], command[1], command[2], "--limit", "file=1000000000", command[3],
		      (char *)NULL);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &use) != child || status != 0)
		return -1;
	*kilobytes = use.ru_maxrss;
	return seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
}

/* What a command takes for a plan. */
struct figure {
	double seconds;              /* negative: a run failed */
	double megabytes;
};

static struct figure measure(const char *const *command, const char *what, int lines)
{
	int runs = lines > sizes[1] ? RUNS_LONG : RUNS;
	double least = -1;
	long most = 0;

	for (int i = 0; i < runs; i++) {
		long kilobytes = 0;
		double seconds = run_once(command, &kilobytes);

		if (seconds < 0) {
			fprintf(stderr, "lines_bench: %s failed over %d lines\n", what, lines);
			return (struct figure){ -1, 0 };
		}
		if (least < 0 || seconds < least)
			least = seconds;
		if (kilobytes > most)
			most = kilobytes;
	}
	printf("%s of %d lines: %.0f ms of processor, least of %d runs; %.0f MB resident\n", what, lines,
	       least * 1e3, runs, (double)most * 1024 / 1e6);
	return (struct figure){ least, (double)most * 1024 / 1e6 };
}

/* Whether the first figure is within bounds, and the others grow with the lines. */
static bool judge(const char *what, const struct figure *figures)
{
	bool good = figures[0].seconds * 1e3 <= MS_MAX && figures[0].megabytes <= MB_MAX;

	printf("%s: a line costs", what);
	for (int i = 1; i < SIZES; i++) {
		double times = figures[i].seconds * sizes[0] / (figures[0].seconds * sizes[i]);

		printf("%s %.2f times one of %d where there are %d", i > 1 ? "," : "", times, sizes[0], sizes[i]);
		good = good && times <= 2;
	}
	puts("");
	return good;
}

int main(int argc, char **argv)
{
	struct figure check[SIZES], fmt[SIZES];
	char path[4096];
	bool good;

	if (argc != 3) {
		fprintf(stderr, "usage: lines_bench PLANC FOLDER\n");
		return 4;
	}
	for (int i = 0; i < SIZES; i++) {
		const char *const check_it[] = { argv[1], "check", path, NULL };
		const char *const fmt_it[] = { argv[1], "fmt", "--check", path };

		snprintf(path, sizeof path, "%s/lines_%d.plan", argv[2], sizes[i]);
		if (!write_plan(path, sizes[i])) {
			fprintf(stderr, "lines_bench: cannot write %s\n", path);
			return 1;
		}
		check[i] = measure(check_it, "check", sizes[i]);
		fmt[i] = measure(fmt_it, "fmt", sizes[i]);
		remove(path);
		if (check[i].seconds < 0 || fmt[i].seconds < 0)
			return 1;
	}
	good = judge("check", check);
	good = judge("fmt", fmt) && good;
	return good ? 0 : 1;
}
