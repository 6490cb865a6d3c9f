/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child.c - finds and runs another program, and takes over its exit status; see child.h.
 */
#include "cli/child.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool is_program(const char *path, const char *self)
{
    struct stat st, own;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0 &&
           (self == NULL || stat(self, &own) != 0 || st.st_dev != own.st_dev ||
            st.st_ino != own.st_ino);
}

bool ws_program_find(const char *name, const char *list, const char *self, char out[PATH_MAX])
{
    if (strchr(name, '/') != NULL) {
        return snprintf(out, PATH_MAX, "%s", name) < PATH_MAX && is_program(name, self);
    }
    while (list != NULL) {
        int length = (int)strcspn(list, ":");
        int n = snprintf(out, PATH_MAX, "%.*s/%s", length == 0 ? 1 : length,
                         length == 0 ? "." : list, name);
        if (n > 0 && n < PATH_MAX && is_program(out, self)) {
            return true;
        }
        list = list[length] == ':' ? list + length + 1 : NULL;
    }
    return false;
}

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

void ws_shell_print(FILE *out, const char *word, size_t length)
{
    static const char plain[] = "-_./+=:,@%0123456789abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    bool is_plain = length > 0 && word[0] != '-' && strspn(word, plain) >= length;
    fputs(is_plain ? "" : "'", out);
    for (size_t i = 0; i < length; i++) {
        fprintf(out, "%s%c", word[i] == '\'' ? "'\\'" : "", word[i]);
    }
    fputs(is_plain ? "" : "'", out);
}
