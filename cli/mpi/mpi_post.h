/* mpi_post.h - the letters of a search (runtime/search/team/post.h), carried by MPI. */
#ifndef PLAN_MPI_MPI_POST_H
#define PLAN_MPI_MPI_POST_H

#include "runtime/search/team/post.h"

/* Between MPI_Init and MPI_Finalize, in memory of `a`, which has to outlast the letters. Called by all ranks. Where a
 * letter cannot be carried it is lost: the rank that it was for is silent then, or silence is what it hears. */
struct post *mpi_post_make(struct arena *a);

/* Waits until what was sent is on its way, for some seconds at most. */
void mpi_post_flush(struct post *p);

#endif
