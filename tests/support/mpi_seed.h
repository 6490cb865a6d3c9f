/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_seed.h - the seed of a randomised test with several ranks.
 */
#ifndef WARPSCOPE_TESTS_MPI_SEED_H
#define WARPSCOPE_TESTS_MPI_SEED_H

#include <mpi.h>

#include "support/suite.h"

/* The seed of rank 0, which prints it, on every rank. Collective. */
static inline uint64_t mpi_suite_seed(const char *suite, MPI_Comm comm)
{
    int rank;
    uint64_t seed = suite_seed();
    MPI_Comm_rank(comm, &rank);
    MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, comm);
    if (rank == 0) {
        suite_print_seed(suite, seed);
    }
    return seed;
}

#endif
