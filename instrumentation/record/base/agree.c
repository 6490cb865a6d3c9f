/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agree.c - see agree.h. One reduction finds the lowest rank with an error, and one broadcast
 * distributes that rank's status.
 */
#include "record/base/agree.h"

#include <assert.h>

#include "engine/probe.h"

/*
 * Returns, on all ranks, the status of the lowest rank whose status is not TW_OK; TW_OK if there is
 * none. Sets *first to that rank (-1: none), and *rank to the calling rank. Collective.
 */
static enum tw_status first_failure(enum tw_status status, int *rank, int *first)
{
    int n_ranks = 1;
    MPI_Comm_rank(MPI_COMM_ROSS, rank);
    MPI_Comm_size(MPI_COMM_ROSS, &n_ranks);
    assert(*rank >= 0 && *rank < n_ranks);
    int mine = status == TW_OK ? n_ranks : *rank;
    MPI_Allreduce(&mine, first, 1, MPI_INT, MPI_MIN, MPI_COMM_ROSS);
    if (*first == n_ranks) {
        *first = -1;
        return TW_OK;
    }
    int agreed = (int)status;
    MPI_Bcast(&agreed, 1, MPI_INT, *first, MPI_COMM_ROSS);
    return (enum tw_status)agreed;
}

enum tw_status agree_on_error(enum tw_status status, char *error, size_t size)
{
    assert(size > 0);
    int rank = 0;
    int first = -1;
    enum tw_status agreed = first_failure(status, &rank, &first);
    if (first >= 0) {
        MPI_Bcast(error, (int)size, MPI_CHAR, first, MPI_COMM_ROSS);
    }
    return agreed;
}

enum tw_status agree_on_status(enum tw_status status, const char *message)
{
    assert(status == TW_OK || message != NULL);
    int rank = 0;
    int first = -1;
    enum tw_status agreed = first_failure(status, &rank, &first);
    if (rank == first) {
        fprintf(stderr, "%s: %s\n", run_program_name(), message);
        fflush(stderr);
    }
    return agreed;
}
