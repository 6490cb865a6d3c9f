/*
 * report_pipe.h - reports into named pipes: nothing is lost because the reader comes late, and a
 * reader that leaves ends nothing but its report.
 */
#ifndef WARPSCOPE_REPORT_PIPE_H
#define WARPSCOPE_REPORT_PIPE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

/* A report that is being written, whether it goes to a pipe or not. */
struct report_pipe {
    int fd; /* -1: it goes to no pipe */
    struct sigaction on_sigpipe;
};

/* Is this a pipe? To open one for a try and to close it would tell its reader that all is over. */
bool report_is_pipe(const char *path);

/*
 * Opens a pipe and waits for its reader, with a note if there is none yet. False: there is nothing
 * to write to, errno says why. True as well when path is no pipe.
 *
 * A signal that ends runs (signals.h) ends the wait: EINTR, at most 50 ms later. So does one that
 * came before, whether it ended the run or the wait for another reader: who has asked for the end
 * is not made to wait for somebody who may never come, nor to ask again, which would cost the other
 * reports. A reader that is there already gets its report even then.
 */
bool report_pipe_hold(struct report_pipe *pipe, const char *path);
/*
 * The pipe that is held, for the caller to write to and to close before report_pipe_release(); -1:
 * none. Nobody opens it by its name once more: that would wait for another reader if the first has
 * left. Writing then fails with EPIPE.
 */
int report_pipe_take(struct report_pipe *pipe);
/* The same as a stream; without a pipe path is opened for writing. NULL: errno says why. */
FILE *report_pipe_open(struct report_pipe *pipe, const char *path);
/* After a hold, whatever it returned. Keeps errno. */
void report_pipe_release(struct report_pipe *pipe);

#endif
