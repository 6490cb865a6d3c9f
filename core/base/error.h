/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error.h - the messages of tw_error(), tw_warning() and tw_printf() (ross.h), and the handler that
 * the engine provides for them. The handler lets every room report errors without a call upwards.
 */
#ifndef WARPSCOPE_BASE_ERROR_H
#define WARPSCOPE_BASE_ERROR_H

#include <stddef.h>

struct error_handler {
    /* Writes the start of a message, such as "phold: rank 1: ", to text (size bytes), and clears the
     * progress line. kind: "error: ", "warning: " or "". Returns the length, less than size. */
    size_t (*begin)(char *text, size_t size, const char *kind);
    /* Ends all ranks, or this process if there is no run. */
    void (*end)(void) __attribute__((noreturn));
};

/* Defined in globals.c. */
extern const struct error_handler g_error_handler;

/* Prints the message of tw_error(), without ending the run. */
void error_print(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
