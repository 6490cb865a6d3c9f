/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count_calls.h - a library for LD_PRELOAD that counts a program's calls to MPI, to the system and
 * to malloc(). bench/scaling.sh uses it.
 *
 * MPI calls are counted by the profiling interface of MPI (MPI 3.1, chapter 14). Of the calls to
 * the C library, only those from the program itself count, not those from the MPI library.
 *
 * A run has three stages:
 *   start   until the program has created its last thread: the engine's watchdog, just before the
 *           first event
 *   run     until the program waits for the end of a thread
 *   end     until MPI_Finalize()
 *
 * The environment variable COUNT_CALLS names the file that rank 0 writes. It has two kinds of
 * lines.
 *   calls STAGE FUNCTION N0 N-MAX N-SUM BYTES-MAX
 *       For each stage and function: the number of calls on rank 0, the maximum and the sum of this
 *       number over all ranks, and the maximum number of bytes over all ranks. For MPI, bytes are
 *       those of the buffers that the caller passes for sending.
 *   site RANK BYTES CALLS OFFSET,OFFSET,OFFSET
 *       For each place in the program's code that requested memory before stage "end", on rank 0
 *       and on the last rank: number of bytes, number of requests, and offsets of the place and of
 *       its callers in the program.
 */
#ifndef WARPSCOPE_BENCH_COUNT_CALLS_H
#define WARPSCOPE_BENCH_COUNT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* Functions whose calls are counted. */
#define FUNCTIONS(X)                                                                               \
    X(MPI_Allgather)                                                                               \
    X(MPI_Allgatherv)                                                                              \
    X(MPI_Allreduce)                                                                               \
    X(MPI_Barrier)                                                                                 \
    X(MPI_Bcast)                                                                                   \
    X(MPI_Comm_dup)                                                                                \
    X(MPI_Comm_split)                                                                              \
    X(MPI_Comm_split_type)                                                                         \
    X(MPI_Gather)                                                                                  \
    X(MPI_Gatherv)                                                                                 \
    X(MPI_Iallreduce)                                                                              \
    X(MPI_Ibarrier)                                                                                \
    X(MPI_Reduce)                                                                                  \
    X(MPI_Reduce_scatter_block)                                                                    \
    X(MPI_Irecv)                                                                                   \
    X(MPI_Isend)                                                                                   \
    X(MPI_Issend)                                                                                  \
    X(MPI_Recv)                                                                                    \
    X(MPI_Send)                                                                                    \
    X(MPI_Iprobe)                                                                                  \
    X(MPI_Test)                                                                                    \
    X(MPI_Testall)                                                                                 \
    X(malloc)                                                                                      \
    X(mmap)                                                                                        \
    X(munmap)                                                                                      \
    X(open)                                                                                        \
    X(shm_open)                                                                                    \
    X(close)                                                                                       \
    X(unlink)                                                                                      \
    X(posix_fallocate)                                                                             \
    X(fallocate)                                                                                   \
    X(ftruncate)                                                                                   \
    X(pwrite)                                                                                      \
    X(write)                                                                                       \
    X(madvise)                                                                                     \
    X(nanosleep)                                                                                   \
    X(sched_yield)                                                                                 \
    X(syscall)                                                                                     \
    X(pthread_create)

enum function {
#define X(name) COUNT_##name,
    FUNCTIONS(X) N_FUNCTIONS
#undef X
};
enum stage { START, RUN, END, N_STAGES };

/* Number of calls to each function, and number of bytes in these calls. */
struct tally {
    uint64_t calls[N_FUNCTIONS];
    uint64_t bytes[N_FUNCTIONS];
};

#define SITES_MAX 4096u
#define FRAMES    3 /* number of callers in the program that together identify a place */
/* Number of innermost callers that are examined to find FRAMES callers in the program. */
#define FRAMES_SEEN 8

/* A place in the program's code that requests memory. */
struct site {
    uintptr_t at[FRAMES];  /* offsets in the program of the FRAMES innermost callers; 0: none */
    uint64_t bytes, calls; /* number of bytes requested; number of requests */
};

/* Counts that system.c and mpi.c update, and that mpi.c writes to the file. */
struct counted {
    struct tally now;             /* counts since the start of the process */
    struct tally until[2];        /* counts at the end of stage [START] and of stage [RUN] */
    bool is_joined;               /* true once the stage "run" has ended */
    struct site sites[SITES_MAX]; /* hash table of the places that requested memory */
};
extern struct counted counted __attribute__((visibility("hidden")));

static inline void count_call(enum function f, uint64_t bytes)
{
    __atomic_fetch_add(&counted.now.calls[f], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counted.now.bytes[f], bytes, __ATOMIC_RELAXED);
}

#endif
