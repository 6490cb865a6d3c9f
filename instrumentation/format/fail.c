/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail.c - fills a fmt_error with a status and a text, see fail.h.
 */
#include "format/fail.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends the formatted words to error->text, as far as there is space. */
static void text_add(struct fmt_error *error, const char *words, va_list args)
    __attribute__((format(printf, 2, 0)));
static void text_add(struct fmt_error *error, const char *words, va_list args)
{
    size_t used = strlen(error->text);
    vsnprintf(error->text + used, sizeof error->text - used, words, args);
}

static void text_addf(struct fmt_error *error, const char *words, ...)
    __attribute__((format(printf, 2, 3)));
static void text_addf(struct fmt_error *error, const char *words, ...)
{
    va_list args;
    va_start(args, words);
    text_add(error, words, args);
    va_end(args);
}

enum fmt_status fmt_fail(struct fmt_error *error, enum fmt_status status, struct fmt_place place,
                         int sys_errno, const char *words, ...)
{
    assert(status != FMT_OK && status != FMT_END);
    if (error == NULL) {
        return status;
    }
    error->status = status;
    error->sys_errno = sys_errno;
    error->pe = place.pe;
    error->offset = place.offset;
    error->text[0] = '\0';
    if (place.path != NULL) {
        text_addf(error, "%.120s: ", place.path);
    }
    if (place.offset != FMT_NO_OFFSET) {
        text_addf(error, "byte %" PRIu64 ": ", place.offset);
    }
    if (place.pe != FMT_NO_PE) {
        text_addf(error, "PE %" PRIu32 ": ", place.pe);
    }
    va_list args;
    va_start(args, words);
    text_add(error, words, args);
    va_end(args);
    if (sys_errno != 0) {
        text_addf(error, ": %s", strerror(sys_errno));
    }
    return status;
}
