/* SPDX-License-Identifier: BSD-3-Clause */
/* system.c - counts the program's calls to the C library and the memory that it requests, and
 * detects the stages of the run; see count_calls.h. */
#define _GNU_SOURCE /* required for RTLD_NEXT, dl_iterate_phdr() and SYS_ numbers */
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "support/count_calls/count_calls.h"

struct counted counted;
static uintptr_t program_start, program_end;
static __thread bool is_inside; /* true while this library itself requests memory */

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
    return 1; /* ends the iteration: the first object is the program */
}

__attribute__((constructor)) static void begin(void)
{
    void *frames[2];
    dl_iterate_phdr(find_program, NULL);
    is_inside = true;
    /* The first call of backtrace() in a process loads a library, which requests memory. */
    backtrace(frames, 2);
    is_inside = false;
}

static bool is_programs(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    return at >= program_start && at < program_end;
}

/* Sets `real`, a pointer to a function, to the next function of this name. */
#define SET_NEXT(real, name)                                                                       \
    do {                                                                                           \
        void *found = dlsym(RTLD_NEXT, name);                                                      \
        memcpy(&(real), &found, sizeof(real));                                                     \
    } while (0)

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
        if (counted.sites[i].calls == 0 || memcmp(counted.sites[i].at, at, sizeof at) == 0) {
            memcpy(counted.sites[i].at, at, sizeof at);
            counted.sites[i].bytes += bytes;
            counted.sites[i].calls++;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    is_inside = false;
}

static void note_memory(const void *caller, size_t bytes)
{
    if (!is_inside && program_end != 0 && is_programs(caller)) {
        count_call(COUNT_malloc, bytes);
        if (!counted.is_joined) {
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

/* Defines a function `name` that counts calls from the program under COUNT_`as`, then calls the
 * next function called `name`. */
#define COUNTED_AS(result, name, as, parameters, arguments, n_bytes)                               \
    result name parameters;                                                                        \
    result name parameters                                                                         \
    {                                                                                              \
        static result(*real) parameters;                                                           \
        if (real == NULL) {                                                                        \
            SET_NEXT(real, #name);                                                                 \
        }                                                                                          \
        if (is_programs(__builtin_return_address(0))) {                                            \
            count_call(COUNT_##as, (uint64_t)(n_bytes));                                           \
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
    SET_NEXT(real, name);
    if (is_programs(caller)) {
        count_call(COUNT_mmap, size);
        if (!counted.is_joined) {
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
    SET_NEXT(real, name);
    if (is_programs(caller)) {
        count_call(COUNT_open, 0);
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
        SET_NEXT(real, "syscall");
    }
    va_start(args, number);
    for (int i = 0; i < 6; i++) {
        a[i] = va_arg(args, long); /* reads six arguments, like the C library */
    }
    va_end(args);
    if (is_programs(__builtin_return_address(0))) {
        count_call(COUNT_syscall, 0);
    }
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- Stages ---------------------------------------------------------------------------------- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *ctx)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (real == NULL) {
        SET_NEXT(real, "pthread_create");
    }
    if (is_programs(__builtin_return_address(0)) && !counted.is_joined) {
        count_call(COUNT_pthread_create, 0);
        counted.until[START] = counted.now;
    }
    return real(thread, attributes, start, ctx);
}

int pthread_join(pthread_t thread, void **result)
{
    static int (*real)(pthread_t, void **);
    if (real == NULL) {
        SET_NEXT(real, "pthread_join");
    }
    if (is_programs(__builtin_return_address(0)) && !counted.is_joined) {
        counted.is_joined = true;
        counted.until[RUN] = counted.now;
    }
    return real(thread, result);
}
