/* SPDX-License-Identifier: BSD-3-Clause */
/* status.h - results of functions that may fail for reasons outside the program. */
#ifndef WARPSCOPE_BASE_STATUS_H
#define WARPSCOPE_BASE_STATUS_H

enum tw_status {
    TW_OK = 0,
    TW_ERR_USAGE,  /* bad option or value */
    TW_ERR_IO,     /* file cannot be read, written or created */
    TW_ERR_MEMORY, /* out of memory */
    TW_ERR_DATA,   /* invalid input */
    TW_ERR_HELP    /* help was requested and printed: no error, but no run follows */
};

/* Exit statuses of programs (documented in README.md). */
enum tw_exit {
    TW_EXIT_OK = 0,
    TW_EXIT_FAILURE = 1, /* reader: input damaged or incomplete */
    TW_EXIT_USAGE = 2,   /* options, set-up, input; nothing was written */
    TW_EXIT_MODEL = 3    /* fatal error during the run; records are flushed */
};

#endif
