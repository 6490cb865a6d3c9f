/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count_calls.h - a library for LD_PRELOAD that counts a program's calls of MPI, of the system and
 * of malloc(). See bench/scaling.sh, which runs it.
 *
 * MPI calls are counted by the profiling interface of MPI (MPI 3.1, chapter 14). Of the C library,
 * only calls from the program itself count, not those of the MPI library. A run has three stages:
 * "start" until the program has created its last thread (the engine's watchdog, just before the
 * first event), "run" until it waits for a thread to end, then "end".
 *
 * Environment: COUNT_CALLS names the file that rank 0 writes, one line each:
 *   calls STAGE FUNCTION  CALLS-OF-RANK-0  MOST-OF-A-RANK  OF-ALL-RANKS  MOST-BYTES-OF-A-RANK
 *   site RANK BYTES CALLS OFFSET[,OFFSET...]    memory that rank 0, and the last rank, asked for
 *                                                before the end: where in the program's code
 * The bytes of MPI are those of the buffers that the caller passes for sending.
 */
#ifndef WARPSCOPE_BENCH_COUNT_CALLS_H
#define WARPSCOPE_BENCH_COUNT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* Functions that are counted. */
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

struct tally {
    uint64_t calls[N_FUNCTIONS];
    uint64_t bytes[N_FUNCTIONS];
};

#define SITES_MAX   4096u
#define FRAMES      3
#define FRAMES_SEEN 8

/* Code that requests memory: offsets in the program of the innermost callers. */
struct site {
    uintptr_t at[FRAMES];
    uint64_t bytes, calls;
};

/* Counts that system.c takes and mpi.c writes. */
struct counted {
    struct tally now;      /* since the start of the process */
    struct tally until[2]; /* START, RUN: at the end of the stage */
    bool is_joined;        /* the run has ended */
    struct site sites[SITES_MAX];
};
extern struct counted counted __attribute__((visibility("hidden")));

static inline void count_call(enum function f, uint64_t bytes)
{
    __atomic_fetch_add(&counted.now.calls[f], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counted.now.bytes[f], bytes, __ATOMIC_RELAXED);
}

#endif
