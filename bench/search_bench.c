/* search_bench.c - candidates a second of a sweep, and the memory that it takes.
 *
 *	search_bench PLAN...
 *
 * Runs the first sweep of each plan with one thread and with one for every processor, in a process of
 * its own, and prints: raw candidates and those the cost model was asked about, a second on a processor
 * (which a busy machine does not stretch); their share; wall time, and how it compares with that of one
 * thread; the largest resident set. Reading the plan does not count.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compiler/check/compile.h"
#include "runtime/bind/job.h"
#include "runtime/search/search.h"

struct figures {
	double seconds, processor;
	uint64_t total, evaluated, feasible;
};

static double read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool run(const char *path, uint32_t threads, struct figures *f)
{
	static struct arena arena;
	struct sources sources;
	struct diag_sink sink;
	struct compile_input in = { .path = str_of(path), .library = stdlib_files, .arena = &arena };
	struct search_options options = { .threads = threads, .keep = SEARCH_KEEP };
	const struct ir_program *program;
	struct search *s;
	struct eval ev;
	double start, processor;

	arena_init(&arena, NULL);
	sources_init(&sources, &arena);
	diag_sink_init(&sink, &arena, &sources);
	in.names = interner_make(&arena);
	in.sources = &sources;
	in.sink = &sink;
	program = plan_compile(&in);
	if (!program || sink.errors > 0)
		return false;
	eval_init(&ev, &arena, program, &sink);
	job_install(&ev);
	search_install(&ev, NULL);
	for (uint32_t i = 0; i < program->sweeps.n; i++) {
		if (program->sweeps.at[i].file != program->root_file)
			continue;
		start = read_clock(CLOCK_MONOTONIC);
		processor = read_clock(CLOCK_PROCESS_CPUTIME_ID);
		s = search_run(&ev, i, &options);
		f->seconds = read_clock(CLOCK_MONOTONIC) - start;
		f->processor = read_clock(CLOCK_PROCESS_CPUTIME_ID) - processor;
		if (!s)
			return false;
		f->total = s->total;
		f->evaluated = s->evaluated;
		f->feasible = s->feasible_count;
		return true;
	}
	return false;
}

static bool measure(const char *path, uint32_t threads, struct figures *f, long *kilobytes)
{
	struct rusage use;
	int pipes[2], status;
	pid_t child;
	bool read_all;

	if (pipe(pipes) != 0)
		return false;
	child = fork();
	if (child == 0) {
		bool fine = run(path, threads, f) && write(pipes[1], f, sizeof *f) == sizeof *f;

		_exit(fine ? 0 : 1);
	}
	close(pipes[1]);
	read_all = child > 0 && read(pipes[0], f, sizeof *f) == sizeof *f;
	close(pipes[0]);
	if (child < 0 || wait4(child, &status, 0, &use) != child || status != 0)
		return false;
	*kilobytes = use.ru_maxrss;
	return read_all;
}

int main(int argc, char **argv)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t all = processors > 1 ? (uint32_t)processors : 2;

	for (int i = 1; i < argc; i++) {
		double one = 0;

		for (uint32_t threads = 1; threads <= all; threads += all - 1) {
			struct figures f = { 0 };
			long kilobytes = 0;

			if (!measure(argv[i], threads, &f, &kilobytes)) {
				fprintf(stderr, "search_bench: %s cannot be run\n", argv[i]);
				return 1;
			}
			if (threads == 1)
				one = f.seconds;
			printf("search %s, %u thread%s: %.0f raw candidates and %.0f evaluated a second of "
			       "processor, %.1f%% of %llu evaluated; %.2f s, %.2f times one thread, %.1f MB\n",
			       argv[i], threads, threads == 1 ? "" : "s", (double)f.total / f.processor,
			       (double)f.evaluated / f.processor,
			       100.0 * (double)f.evaluated / (double)f.total, (unsigned long long)f.total,
			       f.seconds, one / f.seconds, (double)kilobytes * 1024 / 1e6);
		}
	}
	return 0;
}
