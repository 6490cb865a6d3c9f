/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sanitizer_defaults.c - options of sanitizers, and suppressions of foreign leaks, in every program
 * of a build with sanitizers. They are in the program and not in the environment, so that a program
 * started by hand behaves as in the tests.
 *
 * MPI libraries keep memory until the process ends, nearly all of it from their initialisation. The
 * leak checker leaves that out here: suppressions alone would need a symbolizer, which takes longer
 * than most programs. MPI libraries also unload plug-ins, after which the leak checker cannot
 * attribute their memory: here nothing is ever unloaded.
 *
 * Stacks are unwound by frame pointers, which MPI libraries lack. The function that allocates is
 * known all the same, and suppressions need no more. The slow way takes ten times as long:
 * ASAN_OPTIONS=fast_unwind_on_malloc=0 also shows callers of allocating functions of libc.
 *
 * Freed memory is kept for 16 MB of later allocations instead of 256, since each fork copies the tables of its pages.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sanitizer/lsan_interface.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>

typedef int init_function(int *argc, char ***argv);
typedef int init_thread_function(int *argc, char ***argv, int required, int *provided);

init_function MPI_Init;
init_thread_function MPI_Init_thread;
int dlclose(void *handle);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void);

/* The leak checker reads all zeros of the program, 9 MB of which belong to the sanitizer itself: by large pages that takes
 * a tenth of the time of a small program less. */
extern char __bss_start[], _end[];

__attribute__((constructor)) static void use_large_pages(void)
{
    uintptr_t begin = ((uintptr_t)__bss_start | 4095U) + 1;
    (void)madvise((void *)begin, (uintptr_t)_end - begin, MADV_HUGEPAGE); /* a wish */
}

/* A fork of a program with several threads copies the locks that the other threads hold. The leak
 * checker would wait for them forever, so it is off in the child; it checks the parent. */
static int is_off;

static void before_fork(void)
{
    is_off |= !__libc_single_threaded;
}

static void after_fork(void)
{
    is_off = 0;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, NULL);
}

int __lsan_is_turned_off(void)
{
    return is_off;
}

int dlclose(void *handle)
{
    (void)handle;
    return 0;
}

/* The function of that name in the MPI library. */
static void *of_mpi(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        abort(); /* the program is linked without MPI, and nothing in it can call this */
    }
    return function;
}

int MPI_Init(int *argc, char ***argv)
{
    init_function *init = (init_function *)(uintptr_t)of_mpi("MPI_Init");
    __lsan_disable();
    int status = init(argc, argv);
    __lsan_enable();
    return status;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    init_thread_function *init = (init_thread_function *)(uintptr_t)of_mpi("MPI_Init_thread");
    __lsan_disable();
    int status = init(argc, argv, required, provided);
    __lsan_enable();
    return status;
}

const char *__asan_default_options(void)
{
    return "detect_stack_use_after_return=1:strict_string_checks=1:fast_unwind_on_malloc=1:"
           "allocator_may_return_null=1:exitcode=99:quarantine_size_mb=16";
}

const char *__ubsan_default_options(void)
{
    return "print_stacktrace=1";
}

const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}

const char *__lsan_default_suppressions(void)
{
    return "leak:libmpi.so\n"
           "leak:libmpich.so\n"
           "leak:libopen-rte.so\n"
           "leak:libopen-pal.so\n"
           "leak:libpmix.so\n"
           "leak:libprrte.so\n"
           "leak:libhwloc.so\n"
           "leak:libevent\n"
           "leak:mca_\n"
           "leak:libucp.so\n"
           "leak:libucs.so\n"
           "leak:libuct.so\n"
           "leak:libfabric.so\n";
}
