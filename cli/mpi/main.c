/* main.c - planc-mpi: planc, the sweeps of `planc sweep` searched by all ranks of an MPI run. Everything that is
 * read, written and printed is rank 0's: the others search. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/mpi/mpi_post.h"

/* Seconds that a rank behind the first has left when it is told to end: rank 0 wants to hear what it has found, and is
 * not to be ended, because another one has, while it prints. */
enum { FAREWELL = 60 };

static void end_soon(int signal_number)
{
	(void)signal_number;
	alarm(FAREWELL);
}

/* Rank 0 hears the same and says what becomes of it. */
static void follow_in_signals(void)
{
	struct sigaction action = { .sa_handler = end_soon };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* Of several ranks, NULL for a run of one. Memory that runs out here leads nowhere. */
static struct post *open_post(struct arena *a)
{
	struct post *p = mpi_post_make(a);

	return p->ranks > 1 ? p : NULL;
}

int main(int argc, char **argv)
{
	struct arena arena;
	struct post *post;
	int code, level;

	arena_init(&arena, NULL);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
	post = open_post(&arena);
	if (post && post->rank > 0)
		follow_in_signals();
	code = planc_main(argc, argv, post);
	if (post && post->rank == 0)
		post_finish(post, &arena);
	else if (post)
		code = 0;
	if (post)
		mpi_post_flush(post);
	/* Whoever is lost will not come to the end. */
	if (post && post->lost)
		MPI_Abort(MPI_COMM_WORLD, code);
	MPI_Finalize();
	arena_release(&arena);
	return code;
}
