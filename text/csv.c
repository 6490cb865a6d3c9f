/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c - see csv.h. Time is linear in the length of the text; no memory is allocated. */
#include "text/csv.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

static bool needs_quotes(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r') {
            return true;
        }
    }
    return false;
}

char *csv_write(char *to, const void *text, size_t size)
{
    assert(text != NULL || size == 0);
    const char *from = text;
    if (size == 0) {
        return to;
    }
    if (!needs_quotes(from, size)) {
        memcpy(to, from, size);
        return to + size;
    }
    *to++ = '"';
    for (size_t i = 0; i < size; i++) {
        if (from[i] == '"') {
            *to++ = '"';
        }
        *to++ = from[i];
    }
    *to++ = '"';
    return to;
}

void csv_print(FILE *out, const void *text, size_t size)
{
    assert(text != NULL || size == 0);
    const char *from = text;
    if (!needs_quotes(from, size)) {
        fwrite(from, 1, size, out);
        return;
    }
    fputc('"', out);
    for (size_t i = 0; i < size; i++) {
        fputs(from[i] == '"' ? "\"" : "", out);
        fputc(from[i], out);
    }
    fputc('"', out);
}
