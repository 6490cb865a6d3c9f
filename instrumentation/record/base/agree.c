/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agree.c - see agree.h. One reduction finds the lowest rank with an error, and one broadcast
 * distributes that rank's status.
 */
#include "record/base/agree.h"

#include <assert.h>

#include "engine/probe.h"

/* Returns the lowest rank whose status is not TW_OK; -1 if there is none. Sets *rank to the calling
 * rank. Collective. */
static int first_failure(enum tw_status status, int *rank)
{
    int n_ranks = 1;
    MPI_Comm_rank(MPI_COMM_ROSS, rank);
    MPI_Comm_size(MPI_COMM_ROSS, &n_ranks);
    int mine = status == TW_OK ? n_ranks : *rank;
    int first = n_ranks;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_ROSS);
    return first == n_ranks ? -1 : first;
}

enum tw_status agree_on_error(enum tw_status status, char *error, size_t size)
{
    assert(size > 0);
    int rank = 0;
    int first = first_failure(status, &rank);
    if (first < 0) {
        return TW_OK;
    }
    int agreed = (int)status;
    MPI_Bcast(&agreed, 1, MPI_INT, first, MPI_COMM_ROSS);
    MPI_Bcast(error, (int)size, MPI_CHAR, first, MPI_COMM_ROSS);
    return (enum tw_status)agreed;
}

enum tw_status agree_on_status(enum tw_status status, const char *message)
{
    assert(status == TW_OK || message != NULL);
    int rank = 0;
    int first = first_failure(status, &rank);
    if (first < 0) {
        return TW_OK;
    }
    int agreed = (int)status;
    MPI_Bcast(&agreed, 1, MPI_INT, first, MPI_COMM_ROSS);
    if (rank == first) {
        fprintf(stderr, "%s: %s\n", run_program_name(), message);
        fflush(stderr);
    }
    return (enum tw_status)agreed;
}
