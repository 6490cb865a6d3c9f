/*
 * report_pipe.h - reports into named pipes: nothing is lost because the reader comes late, and a
 * reader that leaves ends nothing but its report.
 */
#ifndef WARPSCOPE_REPORT_PIPE_H
#define WARPSCOPE_REPORT_PIPE_H

#include <signal.h>
#include <stdbool.h>

/* A report that is being written, whether it goes to a pipe or not. */
struct report_pipe {
    int fd; /* -1: it goes to no pipe */
    struct sigaction on_sigpipe;
};

/* Is this a pipe? To open one for a try and to close it would tell its reader that all is over. */
bool report_is_pipe(const char *path);

/*
 * Opens a pipe and waits for its reader, with a note if there is none yet: whoever opens it
 * afterwards, and writes before report_pipe_release(), is heard; writing to one whose reader has
 * left fails with EPIPE. False: there is nothing to write to, errno says why; EINTR: a signal came
 * while it waited. True as well when path is no pipe.
 */
bool report_pipe_hold(struct report_pipe *pipe, const char *path);
/* After a hold, whatever it returned. Keeps errno. */
void report_pipe_release(struct report_pipe *pipe);

#endif
