/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * aborts.h - tries functions that should abort, in another process.
 *
 *     CU_ASSERT(aborts(check, &kp));
 */
#ifndef WARPSCOPE_TESTS_ABORTS_H
#define WARPSCOPE_TESTS_ABORTS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns true if check(ctx) does not return. Its stderr and core file are suppressed. */
static inline bool aborts(void (*check)(void *ctx), void *ctx)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        if (freopen("/dev/null", "w", stderr) == NULL) {
            _exit(0);
        }
        check(ctx);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#endif
