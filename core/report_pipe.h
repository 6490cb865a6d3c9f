/*
 * report_pipe.h - reports into named pipes: nothing is lost because the reader comes late.
 */
#ifndef WARPSCOPE_REPORT_PIPE_H
#define WARPSCOPE_REPORT_PIPE_H

#include <stdbool.h>

/* Is this a pipe? To open one for a try and to close it would tell its reader that all is over. */
bool report_is_pipe(const char *path);

/*
 * Opens a pipe and waits for its reader, with a note if there is none yet: whoever opens it
 * afterwards, and writes before the descriptor is closed, is heard. -1: path is no pipe, or cannot
 * be opened; whoever writes will say so.
 */
int report_pipe_hold(const char *path);

#endif
