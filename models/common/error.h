/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error.h - reports errors in the input of a model's set-up.
 *
 * A function that can fail for a reason outside the program takes a struct model_error. If the
 * function fails, it returns false and writes one error message to the struct. The message states
 * the place, the error and the remedy. The caller prints the message.
 */
#ifndef MODELS_COMMON_ERROR_H
#define MODELS_COMMON_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "text/utf8.h"
#ifdef __cplusplus
}
#endif

struct model_error {
    char text[1024];
};

/* Formats an error message into error->text, truncated to fit. Replaces control characters and
 * bytes that are not UTF-8, which can come from an input file, by question marks. Returns false, for
 * use in "return model_fail(...)". */
__attribute__((format(printf, 2, 3))) static inline bool model_fail(struct model_error *error,
                                                                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    utf8_drop_controls(error->text);
    return false;
}

#endif
