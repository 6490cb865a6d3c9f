/*
 * error.h - how a model's set-up reports that an input is wrong.
 *
 * A function that can fail for a reason outside the program takes a struct model_error, writes one
 * message that says where, what and what to do, and returns false. Whoever asked prints it.
 */
#ifndef MODELS_COMMON_ERROR_H
#define MODELS_COMMON_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct model_error {
    char text[1024];
};

/* Writes the message, cut to fit. Returns false, so that "return model_fail(...)" reads well. */
__attribute__((format(printf, 2, 3))) static inline bool model_fail(struct model_error *error,
                                                                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

#endif
