/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.c - runs another program and takes over its exit status; see child.h.
 */
#include "cli/child.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

/* Waits until the child has ended, and passes SIGTERM and SIGHUP on to it. waited: the signals to
 * wait for, which are blocked. Returns false if waitpid() fails. */
static bool child_wait(pid_t child, const sigset_t *waited, int *status)
{
    for (;;) {
        int number = sigwaitinfo(waited, NULL);
        if (number == SIGTERM || number == SIGHUP) {
            kill(child, number);
        }
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended != 0) {
            return ended == child;
        }
    }
}

int ws_child_run(char *const argv[], int *status)
{
    assert(argv[0] != NULL);
    static const int watched[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCHLD};
    sigset_t waited, before;
    posix_spawnattr_t attributes;
    pid_t child;
    sigemptyset(&waited);
    for (size_t i = 0; i < sizeof watched / sizeof watched[0]; i++) {
        sigaddset(&waited, watched[i]);
    }
    /* If SIGCHLD were ignored, waitpid() would return no status. */
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &waited, &before);
    int error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setsigmask(&attributes, &before);
        error = posix_spawnp(&child, argv[0], NULL, &attributes, argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    if (error == 0 && !child_wait(child, &waited, status)) {
        error = ECHILD;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return error;
}

int ws_child_status(int status)
{
    assert(WIFEXITED(status) || WIFSIGNALED(status));
    if (!WIFSIGNALED(status)) {
        return WEXITSTATUS(status);
    }
    const struct rlimit no_core = {0, 0};
    /* This process needs no core dump: the program itself has left one if the user wants it. */
    setrlimit(RLIMIT_CORE, &no_core);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status); /* reached only if the signal is blocked */
}
