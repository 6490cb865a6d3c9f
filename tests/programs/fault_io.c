/*
 * fault_io.c - a library for LD_PRELOAD that lets one call of the system fail, once:
 *
 *     FAULT_CALL   which: close
 *     FAULT_PATH   only files whose path has this text; default: any
 *     FAULT_NTH    the how many-th of these calls of the process, from 1; default 1
 *     FAULT_ERRNO  EIO (default), ENOSPC or EDQUOT
 *
 * What the call is for is done, as when a file system finds out late that it has lost something.
 * Another call to fail takes one more function here.
 *
 * test: kind=shared
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fault_errno(void)
{
    const char *name = getenv("FAULT_ERRNO");
    if (name != NULL && strcmp(name, "ENOSPC") == 0) {
        return ENOSPC;
    }
    return name != NULL && strcmp(name, "EDQUOT") == 0 ? EDQUOT : EIO;
}

/* Returns true if this call on fd is the one that is to fail. */
static bool fault_strikes(const char *call, int fd)
{
    static atomic_long calls;
    const char *wanted = getenv("FAULT_CALL");
    const char *part = getenv("FAULT_PATH");
    const char *nth = getenv("FAULT_NTH");
    char link[64];
    char path[4096];
    if (wanted == NULL || strcmp(wanted, call) != 0) {
        return false;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) {
        return false;
    }
    path[n] = '\0';
    if (part != NULL && strstr(path, part) == NULL) {
        return false;
    }
    return atomic_fetch_add(&calls, 1) + 1 == (nth != NULL ? atol(nth) : 1);
}

/* The function of that name that this one stands before. */
static void *next_function(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        abort();
    }
    return found;
}

int close(int fd)
{
    int (*next)(int) = NULL;
    void *found = next_function("close");
    memcpy(&next, &found, sizeof next); /* ISO C has no cast for it */
    bool fails = fault_strikes("close", fd);
    int result = next(fd);
    if (fails) {
        errno = fault_errno();
        return -1;
    }
    return result;
}
