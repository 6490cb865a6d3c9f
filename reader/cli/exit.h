/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exit.h - the exit statuses of warpscope.
 */
#ifndef WARPSCOPE_READER_CLI_EXIT_H
#define WARPSCOPE_READER_CLI_EXIT_H

enum ws_exit {
    WS_EXIT_OK = 0, /* the input is complete and valid */
    /* The input is missing, damaged or incomplete; or the output could not be written. */
    WS_EXIT_DAMAGED = 1,
    WS_EXIT_USAGE = 2,     /* the command line is invalid; nothing was read */
    WS_EXIT_DIFFERENT = 3, /* diff found a difference */
    /* Used internally: writing failed and was reported; the program exits with WS_EXIT_DAMAGED. It is
     * no status of another program, which "record" takes over. */
    WS_EXIT_OUTPUT = 256
};

#endif
