/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count_calls.c - a library for LD_PRELOAD that counts what a program asks of MPI, of the system,
 * and of malloc(). See bench/scaling.sh, which runs it.
 *
 * MPI calls are counted by the profiling interface of MPI (MPI 3.1, chapter 14). Of the C library,
 * only calls from the program itself count, not those of the MPI library. A run has three stages:
 * "start" until the program has created its last thread (the engine's watchdog, just before the first
 * event), "run" until it waits for a thread to end, then "end".
 *
 * Environment: COUNT_CALLS names the file that rank 0 writes, one line each:
 *   calls STAGE FUNCTION  CALLS-OF-RANK-0  MOST-OF-A-RANK  OF-ALL-RANKS  MOST-BYTES-OF-A-RANK
 *   site RANK BYTES CALLS OFFSET[,OFFSET...]    memory that rank 0, and the last rank, asked for
 *                                                before the end: where in the program's code
 * The bytes of MPI are those of the buffers that the caller passes for sending.
 */
#define _GNU_SOURCE /* required for RTLD_NEXT, dl_iterate_phdr() and SYS_ numbers */
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

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
static const char *const names[] = {
#define X(name) #name,
    FUNCTIONS(X)
#undef X
};

enum stage { START, RUN, END, N_STAGES };
static const char *const stage_names[] = {"start", "run", "end"};

struct tally {
    uint64_t calls[N_FUNCTIONS];
    uint64_t bytes[N_FUNCTIONS];
};

#define SITES_MAX   4096u
#define FRAMES      3
#define FRAMES_SEEN 8

/* Code that asks for memory: offsets in the program of the innermost callers. */
struct site {
    uintptr_t at[FRAMES];
    uint64_t bytes, calls;
};

static struct tally now;      /* since the start of the process */
static struct tally until[2]; /* START, RUN: at the end of the stage */
static bool is_joined;        /* the run has ended */
static struct site sites[SITES_MAX];
static uintptr_t program_start, program_end;
static __thread bool is_inside; /* set while this library itself asks for memory */

/* ---- The program's code ---------------------------------------------------------------------- */

static int find_program(struct dl_phdr_info *info, size_t size, void *ctx)
{
    (void)size;
    (void)ctx;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t end = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        if (segment->p_type == PT_LOAD && end > program_end) {
            program_end = end;
        }
    }
    program_start = info->dlpi_addr;
    return 1; /* the first object is the program */
}

__attribute__((constructor)) static void begin(void)
{
    void *frames[2];
    dl_iterate_phdr(find_program, NULL);
    is_inside = true;
    backtrace(frames, 2); /* loads a library at its first call */
    is_inside = false;
}

static bool is_programs(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    return at >= program_start && at < program_end;
}

static void note(enum function f, uint64_t bytes)
{
    __atomic_fetch_add(&now.calls[f], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&now.bytes[f], bytes, __ATOMIC_RELAXED);
}

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void note_site(size_t bytes)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    void *frames[FRAMES_SEEN];
    uintptr_t at[FRAMES] = {0};
    size_t n = 0;
    is_inside = true;
    int seen = backtrace(frames, FRAMES_SEEN);
    for (int i = 0; i < seen && n < FRAMES; i++) {
        if (is_programs(frames[i])) {
            at[n++] = (uintptr_t)frames[i] - program_start - 1;
        }
    }
    size_t i = (at[0] * 31 + at[1] * 17 + at[2]) % SITES_MAX;
    pthread_mutex_lock(&lock);
    for (size_t tries = 0; tries < SITES_MAX; tries++, i = (i + 1) % SITES_MAX) {
        if (sites[i].calls == 0 || memcmp(sites[i].at, at, sizeof at) == 0) {
            memcpy(sites[i].at, at, sizeof at);
            sites[i].bytes += bytes;
            sites[i].calls++;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    is_inside = false;
}

static void note_memory(const void *caller, size_t bytes)
{
    if (!is_inside && program_end != 0 && is_programs(caller)) {
        note(COUNT_malloc, bytes);
        if (!is_joined) {
            note_site(bytes);
        }
    }
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
    note_memory(__builtin_return_address(0), size);
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    note_memory(__builtin_return_address(0), n * size);
    return __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
    note_memory(__builtin_return_address(0), size);
    return __libc_realloc(memory, size);
}

/* ---- The system ------------------------------------------------------------------------------ */

/* Defines a function that counts calls of the program, then calls the next one of its name. */
#define COUNTED_AS(result, name, counted, parameters, arguments, n_bytes)                          \
    result name parameters;                                                                        \
    result name parameters                                                                         \
    {                                                                                              \
        static result(*real) parameters;                                                           \
        if (real == NULL) {                                                                        \
            void *found = next(#name);                                                             \
            memcpy(&real, &found, sizeof real);                                                    \
        }                                                                                          \
        if (is_programs(__builtin_return_address(0))) {                                            \
            note(COUNT_##counted, (uint64_t)(n_bytes));                                            \
        }                                                                                          \
        return real arguments;                                                                     \
    }
#define COUNTED(result, name, parameters, arguments, n_bytes)                                      \
    COUNTED_AS(result, name, name, parameters, arguments, n_bytes)

#define MAP_PARAMETERS (void *at, size_t size, int protection, int flags, int fd, off_t offset)
static void *note_map(const char *name, const void *caller, void *at, size_t size, int protection,
                      int flags, int fd, off_t offset)
{
    void *(*real)MAP_PARAMETERS;
    void *found = next(name);
    memcpy(&real, &found, sizeof real);
    if (is_programs(caller)) {
        note(COUNT_mmap, size);
        if (!is_joined) {
            note_site(size);
        }
    }
    return real(at, size, protection, flags, fd, offset);
}

void *mmap MAP_PARAMETERS
{
    return note_map("mmap", __builtin_return_address(0), at, size, protection, flags, fd, offset);
}

void *mmap64 MAP_PARAMETERS
{
    return note_map("mmap64", __builtin_return_address(0), at, size, protection, flags, fd, offset);
}

COUNTED(int, munmap, (void *at, size_t size), (at, size), size)
COUNTED(int, madvise, (void *at, size_t size, int advice), (at, size, advice), size)
COUNTED(int, shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode), 0)
COUNTED(int, close, (int fd), (fd), 0)
COUNTED(int, unlink, (const char *path), (path), 0)
COUNTED(int, posix_fallocate, (int fd, off_t from, off_t size), (fd, from, size), size)
COUNTED_AS(int, posix_fallocate64, posix_fallocate, (int fd, off64_t from, off64_t size),
           (fd, from, size), size)
COUNTED(int, fallocate, (int fd, int mode, off_t from, off_t size), (fd, mode, from, size), size)
COUNTED_AS(int, fallocate64, fallocate, (int fd, int mode, off64_t from, off64_t size),
           (fd, mode, from, size), size)
COUNTED(int, ftruncate, (int fd, off_t size), (fd, size), 0)
COUNTED_AS(int, ftruncate64, ftruncate, (int fd, off64_t size), (fd, size), 0)
COUNTED(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at),
        size)
COUNTED_AS(ssize_t, pwrite64, pwrite, (int fd, const void *from, size_t size, off64_t at),
           (fd, from, size, at), size)
COUNTED(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size), size)
COUNTED(int, nanosleep, (const struct timespec *t, struct timespec *left), (t, left), 0)
COUNTED(int, sched_yield, (void), (), 0)

static int open_next(const char *name, const void *caller, const char *path, int flags, mode_t mode)
{
    int (*real)(const char *, int, ...);
    void *found = next(name);
    memcpy(&real, &found, sizeof real);
    if (is_programs(caller)) {
        note(COUNT_open, 0);
    }
    return real(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_next("open", __builtin_return_address(0), path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_next("open64", __builtin_return_address(0), path, flags, mode);
}

long syscall(long number, ...)
{
    static long (*real)(long, ...);
    long a[6];
    va_list args;
    if (real == NULL) {
        void *found = next("syscall");
        memcpy(&real, &found, sizeof real);
    }
    va_start(args, number);
    for (int i = 0; i < 6; i++) {
        a[i] = va_arg(args, long); /* as the C library does: more than the call has do no harm */
    }
    va_end(args);
    if (is_programs(__builtin_return_address(0))) {
        note(COUNT_syscall, 0);
    }
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- Stages ---------------------------------------------------------------------------------- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *ctx)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (real == NULL) {
        void *found = next("pthread_create");
        memcpy(&real, &found, sizeof real);
    }
    if (is_programs(__builtin_return_address(0)) && !is_joined) {
        note(COUNT_pthread_create, 0);
        until[START] = now;
    }
    return real(thread, attributes, start, ctx);
}

int pthread_join(pthread_t thread, void **result)
{
    static int (*real)(pthread_t, void **);
    if (real == NULL) {
        void *found = next("pthread_join");
        memcpy(&real, &found, sizeof real);
    }
    if (is_programs(__builtin_return_address(0)) && !is_joined) {
        is_joined = true;
        until[RUN] = now;
    }
    return real(thread, result);
}

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

/* Defines an MPI function that counts a call and n_bytes, then does its work. */
#define MPI_COUNTED(name, parameters, arguments, n_bytes)                                          \
    int name parameters                                                                            \
    {                                                                                              \
        note(COUNT_##name, n_bytes);                                                               \
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
    struct tally mine[N_STAGES] = {until[START], until[RUN], now}, sum[N_STAGES], most[N_STAGES];
    int rank, n_ranks, n = (int)sizeof mine / (int)sizeof(uint64_t);
    subtract(&mine[END], &until[RUN]);
    subtract(&mine[RUN], &until[START]);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    PMPI_Reduce(mine, sum, n, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Reduce(mine, most, n, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == n_ranks - 1 && rank > 0) {
        PMPI_Send(sites, (int)sizeof sites, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
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
    write_sites(out, 0, sites);
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
