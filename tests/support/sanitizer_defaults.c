/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sanitizer_defaults.c - options of sanitizers, and suppressions of foreign leaks, in every program
 * of a build with sanitizers. They are in the program and not in the environment, so that a program
 * started by hand behaves as in the tests.
 *
 * MPI libraries keep memory until the process ends. They also unload plug-ins, after which the leak
 * checker cannot attribute their memory: here nothing is ever unloaded. They have no frame
 * pointers: stacks are unwound the slow way, or some callers of libc's malloc stay unknown.
 */
int dlclose(void *handle);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void);

int dlclose(void *handle)
{
    (void)handle;
    return 0;
}

const char *__asan_default_options(void)
{
    return "detect_stack_use_after_return=1:strict_string_checks=1:fast_unwind_on_malloc=0:"
           "allocator_may_return_null=1:exitcode=99";
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
