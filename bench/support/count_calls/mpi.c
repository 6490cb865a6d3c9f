/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi.c - counts calls to MPI, and writes the file at the end; see count_calls.h. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/count_calls/count_calls.h"

/* ---- MPI ------------------------------------------------------------------------------------- */

static uint64_t bytes_of(int count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return (uint64_t)count * (uint64_t)size;
}

static int n_ranks_of(MPI_Comm comm)
{
    int n = 1;
    PMPI_Comm_size(comm, &n);
    return n;
}

/* Defines an MPI function that counts the call and n_bytes, then calls the real function. */
#define MPI_COUNTED(name, parameters, arguments, n_bytes)                                          \
    int name parameters                                                                            \
    {                                                                                              \
        count_call(COUNT_##name, n_bytes);                                                         \
        return P##name arguments;                                                                  \
    }

MPI_COUNTED(MPI_Allgather,
            (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype into,
             MPI_Comm comm),
            (from, n, type, to, m, into, comm), bytes_of(n, type))
MPI_COUNTED(MPI_Allgatherv,
            (const void *from, int n, MPI_Datatype type, void *to, const int m[], const int at[],
             MPI_Datatype into, MPI_Comm comm),
            (from, n, type, to, m, at, into, comm), bytes_of(n, type))
MPI_COUNTED(MPI_Allreduce,
            (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
            (from, to, n, type, op, comm), bytes_of(n, type))
MPI_COUNTED(MPI_Barrier, (MPI_Comm comm), (comm), 0)
MPI_COUNTED(MPI_Bcast, (void *at, int n, MPI_Datatype type, int root, MPI_Comm comm),
            (at, n, type, root, comm), bytes_of(n, type))
MPI_COUNTED(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *copy), (comm, copy), 0)
MPI_COUNTED(MPI_Comm_split, (MPI_Comm comm, int colour, int key, MPI_Comm *part),
            (comm, colour, key, part), 0)
MPI_COUNTED(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part),
            (comm, type, key, info, part), 0)
MPI_COUNTED(MPI_Gather,
            (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype into,
             int root, MPI_Comm comm),
            (from, n, type, to, m, into, root, comm), bytes_of(n, type))
MPI_COUNTED(MPI_Gatherv,
            (const void *from, int n, MPI_Datatype type, void *to, const int m[], const int at[],
             MPI_Datatype into, int root, MPI_Comm comm),
            (from, n, type, to, m, at, into, root, comm), bytes_of(n, type))
MPI_COUNTED(MPI_Iallreduce,
            (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
             MPI_Request *request),
            (from, to, n, type, op, comm, request), bytes_of(n, type))
MPI_COUNTED(MPI_Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request), 0)
MPI_COUNTED(MPI_Reduce,
            (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root,
             MPI_Comm comm),
            (from, to, n, type, op, root, comm), bytes_of(n, type))
MPI_COUNTED(MPI_Reduce_scatter_block,
            (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
            (from, to, n, type, op, comm), bytes_of(n, type) * (uint64_t)n_ranks_of(comm))
MPI_COUNTED(MPI_Irecv,
            (void *at, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Request *request),
            (at, n, type, from, tag, comm, request), 0)
MPI_COUNTED(MPI_Isend,
            (const void *at, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
             MPI_Request *request),
            (at, n, type, to, tag, comm, request), bytes_of(n, type))
MPI_COUNTED(MPI_Issend,
            (const void *at, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
             MPI_Request *request),
            (at, n, type, to, tag, comm, request), bytes_of(n, type))
MPI_COUNTED(MPI_Recv,
            (void *at, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status),
            (at, n, type, from, tag, comm, status), 0)
MPI_COUNTED(MPI_Send, (const void *at, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm),
            (at, n, type, to, tag, comm), bytes_of(n, type))
MPI_COUNTED(MPI_Iprobe, (int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
            (from, tag, comm, flag, status), 0)
MPI_COUNTED(MPI_Test, (MPI_Request * request, int *flag, MPI_Status *status),
            (request, flag, status), 0)
MPI_COUNTED(MPI_Testall, (int n, MPI_Request requests[], int *flag, MPI_Status statuses[]),
            (n, requests, flag, statuses), 0)

/* ---- The file -------------------------------------------------------------------------------- */

static const char *const names[] = {
#define X(name) #name,
    FUNCTIONS(X)
#undef X
};
static const char *const stage_names[] = {"start", "run", "end"};

static void subtract(struct tally *from, const struct tally *less)
{
    for (int f = 0; f < N_FUNCTIONS; f++) {
        from->calls[f] -= less->calls[f];
        from->bytes[f] -= less->bytes[f];
    }
}

static void write_sites(FILE *out, int rank, const struct site *list)
{
    for (size_t i = 0; i < SITES_MAX; i++) {
        if (list[i].calls > 0) {
            fprintf(out, "site %d %llu %llu %#zx,%#zx,%#zx\n", rank,
                    (unsigned long long)list[i].bytes, (unsigned long long)list[i].calls,
                    (size_t)list[i].at[0], (size_t)list[i].at[1], (size_t)list[i].at[2]);
        }
    }
}

static void write_file(const char *path)
{
    static struct site of_last[SITES_MAX];
    struct tally mine[N_STAGES] = {counted.until[START], counted.until[RUN], counted.now},
                 sum[N_STAGES], most[N_STAGES];
    int rank, n_ranks, n = (int)sizeof mine / (int)sizeof(uint64_t);
    subtract(&mine[END], &counted.until[RUN]);
    subtract(&mine[RUN], &counted.until[START]);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    PMPI_Reduce(mine, sum, n, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Reduce(mine, most, n, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == n_ranks - 1 && rank > 0) {
        PMPI_Send(counted.sites, (int)sizeof counted.sites, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    if (rank > 0) {
        return;
    }
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int s = 0; out != NULL && s < N_STAGES; s++) {
        for (int f = 0; f < N_FUNCTIONS; f++) {
            if (sum[s].calls[f] > 0) {
                fprintf(out, "calls %s %s %llu %llu %llu %llu\n", stage_names[s], names[f],
                        (unsigned long long)mine[s].calls[f], (unsigned long long)most[s].calls[f],
                        (unsigned long long)sum[s].calls[f], (unsigned long long)most[s].bytes[f]);
            }
        }
    }
    write_sites(out, 0, counted.sites);
    if (n_ranks > 1) {
        PMPI_Recv(of_last, (int)sizeof of_last, MPI_BYTE, n_ranks - 1, 0, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE);
        write_sites(out, n_ranks - 1, of_last);
    }
    fclose(out);
}

int MPI_Finalize(void)
{
    const char *path = getenv("COUNT_CALLS");
    if (path != NULL) {
        write_file(path);
    }
    return PMPI_Finalize();
}
