/* SPDX-License-Identifier: BSD-3-Clause */
/* report_pipe.c - see report_pipe.h. */
#include "run/report_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/pe/pe.h"
#include "engine/process/error.h"
#include "engine/process/run.h"

bool report_is_pipe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISFIFO(about.st_mode);
}

/* Opens a pipe as soon as it has a reader. Returns the descriptor, or -1 with the reason in
 * why. The function polls, since a blocking open() would miss a signal that came just before it. */
static int open_for_reader(const char *path, char why[TRUST_WHY_MAX])
{
    static const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};
    for (bool noted = false;; noted = true) {
        int fd = trust_open(TRUST_WRITE, path, O_WRONLY | O_NONBLOCK, 0, why, TRUST_WHY_MAX);
        if (fd >= 0 || errno != ENXIO) {
            return fd;
        }
        if (g_tw_signal != 0) {
            snprintf(why, TRUST_WHY_MAX, "%s", strerror(EINTR));
            return -1;
        }
        if (!noted) {
            run_warning("%s is a pipe without a reader; the report waits until a program reads it",
                        path);
        }
        nanosleep(&pause, NULL);
    }
}

bool report_pipe_hold(struct report_pipe *pipe, const char *path, char why[TRUST_WHY_MAX])
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    *pipe = (struct report_pipe){.fd = -1};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &pipe->on_sigpipe);
    if (!report_is_pipe(path)) {
        return true;
    }
    pipe->fd = open_for_reader(path, why);
    if (pipe->fd >= 0) {
        fcntl(pipe->fd, F_SETFL, O_WRONLY); /* no O_NONBLOCK: writes wait while the pipe is full */
    }
    return pipe->fd >= 0;
}

int report_pipe_take(struct report_pipe *pipe)
{
    int fd = pipe->fd;
    pipe->fd = -1;
    return fd;
}

FILE *report_pipe_open(struct report_pipe *pipe, const char *path, char why[TRUST_WHY_MAX])
{
    if (pipe->fd < 0) {
        return trust_rewrite(path, why, TRUST_WHY_MAX);
    }
    FILE *file = fdopen(pipe->fd, "w");
    if (file == NULL) {
        snprintf(why, TRUST_WHY_MAX, "%s", strerror(errno));
    } else {
        report_pipe_take(pipe); /* the stream owns the descriptor from here on */
    }
    return file;
}

void report_pipe_release(struct report_pipe *pipe)
{
    if (pipe->fd >= 0) {
        close(pipe->fd);
    }
    sigaction(SIGPIPE, &pipe->on_sigpipe, NULL);
}
