/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome.c - lets all ranks agree whether an operation has succeeded.
 */
#include "outcome.h"

bool ms_outcome_share(bool ok, MPI_Comm comm, struct model_error *error)
{
    int rank, ranks, first;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int mine = ok ? ranks : rank;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first < ranks) {
        MPI_Bcast(error->text, sizeof error->text, MPI_CHAR, first, comm);
    }
    return first == ranks;
}
