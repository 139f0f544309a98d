/* report_bench.c - how long `planc report` takes from start to exit, and how much memory it takes.
 *
 *	report_bench PLANC PLAN [RUNS]
 *
 * Starts the program again and again and prints the least and the median wall time, the median time on a
 * processor (which a busy machine does not stretch), and the largest resident set. Text goes to
 * /dev/null.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS_MAX = 1000, RUNS = 50 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* One run: its seconds, on a processor too, and its resident kilobytes; negative when it failed. */
static double run_once(const char *planc, const char *plan, double *processor, long *kilobytes)
{
	struct rusage use;
	double start = now();
	int status;
	pid_t child = fork();

	if (child == 0) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		execl(planc, planc, "report", plan, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &use) != child || status != 0)
		return -1;
	*kilobytes = use.ru_maxrss;
	*processor = seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
	return now() - start;
}

int main(int argc, char **argv)
{
	static double times[RUNS_MAX], processor[RUNS_MAX];
	int runs = argc > 3 ? (int)strtol(argv[3], NULL, 10) : RUNS;
	long most = 0;

	if (argc < 3 || runs < 1 || runs > RUNS_MAX) {
		fprintf(stderr, "usage: report_bench PLANC PLAN [RUNS]\n");
		return 4;
	}
	for (int i = 0; i < runs; i++) {
		long kilobytes = 0;

		times[i] = run_once(argv[1], argv[2], &processor[i], &kilobytes);
		if (times[i] < 0) {
			fprintf(stderr, "report_bench: %s report %s failed\n", argv[1], argv[2]);
			return 1;
		}
		if (kilobytes > most)
			most = kilobytes;
	}
	qsort(times, (size_t)runs, sizeof times[0], by_size);
	qsort(processor, (size_t)runs, sizeof processor[0], by_size);
	printf("report %s: %.2f ms least, %.2f ms median of %d runs, start to exit; "
	       "%.2f ms of processor; %.1f MB resident\n",
	       argv[2], times[0] * 1e3, times[runs / 2] * 1e3, runs, processor[runs / 2] * 1e3,
	       (double)most * 1024 / 1e6);
	return 0;
}
