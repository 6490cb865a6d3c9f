/* SPDX-License-Identifier: BSD-3-Clause */
/* status.h - results of functions that may fail for reasons outside the program. */
#ifndef WARPSCOPE_BASE_STATUS_H
#define WARPSCOPE_BASE_STATUS_H

#include <stdio.h>

enum tw_status {
    TW_OK = 0,
    TW_ERR_USAGE,  /* invalid option or value */
    TW_ERR_IO,     /* a file cannot be read, written or created */
    TW_ERR_MEMORY, /* memory is exhausted */
    TW_ERR_DATA,   /* the input is invalid */
    TW_ERR_HELP    /* help was requested: not an error, but no run follows */
};

/* Puts one line, formatted as by printf, into error (size bytes). Its value is TW_ERR_USAGE. */
#define REFUSE(error, size, ...) (snprintf((error), (size), __VA_ARGS__), TW_ERR_USAGE)

/* Exit statuses of programs (documented in README.md). */
enum tw_exit {
    TW_EXIT_OK = 0,
    TW_EXIT_FAILURE = 1, /* the reader found damaged or incomplete input */
    TW_EXIT_USAGE = 2,   /* invalid options, set-up or input; nothing was written */
    TW_EXIT_MODEL = 3    /* fatal error during the run; records were flushed */
};

#endif
