/*
 * exit.h - what the command's exit statuses mean.
 */
#ifndef WARPSCOPE_READER_EXIT_H
#define WARPSCOPE_READER_EXIT_H

enum ws_exit {
    WS_EXIT_OK = 0,        /* input complete and valid */
    WS_EXIT_DAMAGED = 1,   /* input missing, damaged or incomplete; output not written */
    WS_EXIT_USAGE = 2,     /* the command line is wrong; nothing was read */
    WS_EXIT_DIFFERENT = 3, /* diff: there is a difference */
    WS_EXIT_OUTPUT = 99    /* inside only: writing failed and that was said; leaves as DAMAGED */
};

#endif
