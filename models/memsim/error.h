/*
 * error.h - how memsim's set-up reports that an input is wrong.
 *
 * A function that can fail for a reason outside the program takes a struct ms_error, writes one
 * message that says where, what and what to do, and returns false. Whoever asked prints it.
 */
#ifndef MEMSIM_ERROR_H
#define MEMSIM_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct ms_error {
    char text[1024];
};

/* Writes the message, cut to fit. Returns false, so that "return ms_fail(...)" reads well. */
__attribute__((format(printf, 2, 3))) static inline bool ms_fail(struct ms_error *error,
                                                                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

#endif
