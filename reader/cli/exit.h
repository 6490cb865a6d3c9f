/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exit.h - the exit statuses of the command.
 */
#ifndef WARPSCOPE_READER_CLI_EXIT_H
#define WARPSCOPE_READER_CLI_EXIT_H

enum ws_exit {
    WS_EXIT_OK = 0,        /* input complete and valid */
    WS_EXIT_DAMAGED = 1,   /* input missing, damaged or incomplete; or output not written */
    WS_EXIT_USAGE = 2,     /* the command line is wrong; nothing was read */
    WS_EXIT_DIFFERENT = 3, /* diff: there is a difference */
    WS_EXIT_OUTPUT = 99    /* internal: writing failed after a message; exits as DAMAGED */
};

#endif
