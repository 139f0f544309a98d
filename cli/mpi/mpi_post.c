/* mpi_post.c - see mpi_post.h. Nothing here waits for another rank: one that died in the middle of a letter must not
 * keep the others. */
#define _GNU_SOURCE              /* sched_getaffinity */
#include "cli/mpi/mpi_post.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <time.h>

enum { TAG = 1 };

/* Seconds: those that a rank may be silent, and those that the last letters may take. */
static const double patience = 10, flush_seconds = 5;

/* A letter that is on its way. */
struct shipment {
	struct arena arena;
	MPI_Request request;
	char *bytes;
	uint32_t n;
	bool busy;
	struct shipment *next;
};

struct mpi_post {
	struct arena *arena;
	struct shipment *sent;    /* those that are free again among them */
	struct shipment *coming;  /* one for each rank: the next letter from it */
	uint32_t next;               /* the rank that is looked at first */
};

static struct shipment *free_one(struct mpi_post *m)
{
	struct shipment *at = m->sent;

	while (at && at->busy)
		at = at->next;
	if (at)
		return at;
	at = ARENA_NEW(m->arena, struct shipment);
	arena_init_under(&at->arena, m->arena);
	at->next = m->sent;
	m->sent = at;
	return at;
}

/* Those that have left are free; false: all have. */
static bool look_after_sent(struct mpi_post *m)
{
	bool any = false;

	for (struct shipment *at = m->sent; at; at = at->next) {
		int over = 0;

		if (!at->busy)
			continue;
		if (MPI_Test(&at->request, &over, MPI_STATUS_IGNORE) != MPI_SUCCESS || over) {
			at->busy = false;
			arena_release(&at->arena);
		}
		any = any || at->busy;
	}
	return any;
}

static void send(struct post *p, uint32_t to, struct str text)
{
	struct mpi_post *m = p->context;
	struct shipment *out;

	look_after_sent(m);
	out = free_one(m);
	invariant(text.n <= INT_MAX, "a letter fits into a message of MPI");
	out->bytes = arena_copy(&out->arena, text.p, text.n);
	out->busy = MPI_Isend(out->bytes, (int)text.n, MPI_BYTE, (int)to, TAG, MPI_COMM_WORLD, &out->request) == MPI_SUCCESS;
}

/* Begins to receive the next letter from a rank, if there is one. */
static void begin_letter(struct shipment *in, int from)
{
	MPI_Message message;
	MPI_Status status;
	int there = 0, n = 0;

	if (MPI_Improbe(from, TAG, MPI_COMM_WORLD, &there, &message, &status) != MPI_SUCCESS || !there ||
	    MPI_Get_count(&status, MPI_BYTE, &n) != MPI_SUCCESS || n < 0)
		return;
	in->n = (uint32_t)n;
	in->bytes = arena_alloc(&in->arena, in->n + 1);
	in->busy = MPI_Imrecv(in->bytes, n, MPI_BYTE, &message, &in->request) == MPI_SUCCESS;
}

static bool end_letter(struct shipment *in, struct arena *a, struct str *text)
{
	int over = 0;
	bool fine = MPI_Test(&in->request, &over, MPI_STATUS_IGNORE) == MPI_SUCCESS;

	if (fine && !over)
		return false;
	if (fine)
		*text = (struct str){ arena_copy(a, in->bytes, in->n), in->n };
	in->busy = false;
	arena_release(&in->arena);
	return fine;
}

static bool receive(struct post *p, struct arena *a, uint32_t *from, struct str *text)
{
	struct mpi_post *m = p->context;

	for (uint32_t i = 0; i < p->ranks; i++) {
		*from = (m->next + i) % p->ranks;
		if (*from == p->rank)
			continue;
		if (!m->coming[*from].busy)
			begin_letter(&m->coming[*from], (int)*from);
		if (!m->coming[*from].busy || !end_letter(&m->coming[*from], a, text))
			continue;
		m->next = (*from + 1) % p->ranks;
		return true;
	}
	return false;
}

void mpi_post_flush(struct post *p)
{
	time_t until = time(NULL) + (time_t)flush_seconds;

	while (look_after_sent(p->context) && time(NULL) < until)
		nanosleep(&(struct timespec){ .tv_nsec = 1000 * 1000 }, NULL);
}

/* ---- where we are ----------------------------------------------------------------------------------------- */

static const char *const *places(struct arena *a, int ranks)
{
	char name[MPI_MAX_PROCESSOR_NAME] = "", *all = ARENA_ARRAY(a, char, (size_t)ranks * MPI_MAX_PROCESSOR_NAME);
	const char **at = ARENA_ARRAY(a, const char *, ranks);
	int n = 0;

	MPI_Get_processor_name(name, &n);
	MPI_Allgather(name, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, MPI_COMM_WORLD);
	for (int i = 0; i < ranks; i++)
		at[i] = &all[(size_t)i * MPI_MAX_PROCESSOR_NAME];
	return at;
}

/* Processors that this rank was bound to, shared with those on the same machine that were bound to the same. */
static uint32_t processors(struct arena *a)
{
	cpu_set_t ours, *all;
	MPI_Comm machine;
	int ranks = 1, sharing = 0, n;

	CPU_ZERO(&ours);
	/* A machine with more of them than fit into a set. */
	if (sched_getaffinity(0, sizeof ours, &ours) != 0)
		memset(&ours, 0xff, sizeof ours);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
	MPI_Comm_size(machine, &ranks);
	all = ARENA_ARRAY(a, cpu_set_t, ranks);
	MPI_Allgather(&ours, sizeof ours, MPI_BYTE, all, sizeof ours, MPI_BYTE, machine);
	for (int i = 0; i < ranks; i++)
		sharing += CPU_EQUAL(&ours, &all[i]) != 0;
	MPI_Comm_free(&machine);
	n = CPU_COUNT(&ours) / (sharing > 0 ? sharing : 1);
	return n < 1 ? 1 : (uint32_t)n;
}

struct post *mpi_post_make(struct arena *a)
{
	struct post *p = ARENA_NEW(a, struct post);
	struct mpi_post *m = ARENA_NEW(a, struct mpi_post);
	int rank = 0, ranks = 1;

	/* A rank that is not there any more is no reason to end. */
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	m->arena = a;
	m->coming = ARENA_ARRAY(a, struct shipment, ranks);
	for (int i = 0; i < ranks; i++)
		arena_init_under(&m->coming[i].arena, a);
	*p = (struct post){ .rank = (uint32_t)rank, .ranks = (uint32_t)ranks, .patience = patience, .send = send,
			    .receive = receive, .context = m };
	p->places = places(a, ranks);
	p->processors = processors(a);
	return p;
}
