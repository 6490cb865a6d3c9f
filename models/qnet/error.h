/*
 * error.h - how qnet's set-up reports that an input is wrong.
 *
 * A function that can fail for a reason outside the program takes a struct qn_error, writes one
 * message that says where, what and what to do, and returns false. Whoever asked prints it.
 */
#ifndef QNET_ERROR_H
#define QNET_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct qn_error {
    char text[1024];
};

/* Writes the message, cut to fit. Returns false, so that "return qn_fail(...)" reads well. */
__attribute__((format(printf, 2, 3))) static inline bool qn_fail(struct qn_error *error,
                                                                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

#endif
