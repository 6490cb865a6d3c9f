/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_watch.h - intercepts calls of MPI through the profiling interface: while mpi_watching is
 * true, counts those that use MPI_COMM_WORLD. Has all calls with a communicator that the libraries
 * make.
 */
#ifndef WARPSCOPE_TESTS_MPI_WATCH_H
#define WARPSCOPE_TESTS_MPI_WATCH_H

#include <mpi.h>
#include <stdbool.h>

static bool mpi_watching;
static unsigned mpi_world_used;

static void mpi_watch(MPI_Comm comm)
{
    mpi_world_used += mpi_watching && comm == MPI_COMM_WORLD;
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    mpi_watch(comm);
    return PMPI_Isend(buf, count, type, dest, tag, comm, request);
}

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    mpi_watch(comm);
    return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    mpi_watch(comm);
    return PMPI_Irecv(buf, count, type, source, tag, comm, request);
}

int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    mpi_watch(comm);
    return PMPI_Recv(buf, count, type, source, tag, comm, status);
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    mpi_watch(comm);
    return PMPI_Iprobe(source, tag, comm, flag, status);
}

int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
    mpi_watch(comm);
    return PMPI_Reduce(in, out, count, type, op, root, comm);
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    mpi_watch(comm);
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    mpi_watch(comm);
    return PMPI_Iallreduce(in, out, count, type, op, comm, request);
}

int MPI_Gather(const void *in, int n_in, MPI_Datatype in_type, void *out, int n_out,
               MPI_Datatype out_type, int root, MPI_Comm comm)
{
    mpi_watch(comm);
    return PMPI_Gather(in, n_in, in_type, out, n_out, out_type, root, comm);
}

int MPI_Gatherv(const void *in, int n_in, MPI_Datatype in_type, void *out, const int *n_out,
                const int *starts, MPI_Datatype out_type, int root, MPI_Comm comm)
{
    mpi_watch(comm);
    return PMPI_Gatherv(in, n_in, in_type, out, n_out, starts, out_type, root, comm);
}

int MPI_Allgather(const void *in, int n_in, MPI_Datatype in_type, void *out, int n_out,
                  MPI_Datatype out_type, MPI_Comm comm)
{
    mpi_watch(comm);
    return PMPI_Allgather(in, n_in, in_type, out, n_out, out_type, comm);
}

int MPI_Allgatherv(const void *in, int n_in, MPI_Datatype in_type, void *out, const int *n_out,
                   const int *starts, MPI_Datatype out_type, MPI_Comm comm)
{
    mpi_watch(comm);
    return PMPI_Allgatherv(in, n_in, in_type, out, n_out, starts, out_type, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    mpi_watch(comm);
    return PMPI_Barrier(comm);
}

int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    mpi_watch(comm);
    return PMPI_Bcast(buf, count, type, root, comm);
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    mpi_watch(comm);
    return PMPI_Comm_rank(comm, rank);
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    mpi_watch(comm);
    return PMPI_Comm_size(comm, size);
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    mpi_watch(comm);
    return PMPI_Comm_group(comm, group);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    mpi_watch(comm);
    return PMPI_Comm_dup(comm, copy);
}

int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm *part)
{
    mpi_watch(comm);
    return PMPI_Comm_split(comm, colour, key, part);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part)
{
    mpi_watch(comm);
    return PMPI_Comm_split_type(comm, type, key, info, part);
}

#endif
