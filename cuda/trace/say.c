/* SPDX-License-Identifier: BSD-3-Clause
 *
 * say.c - see say.h.
 */
#include "trace/say.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/trust.h"

void ws_say(const char *part, const char *words, ...)
{
    char text[5000];
    int length = snprintf(text, sizeof text, "warpscope: %s", part);
    va_list args;
    va_start(args, words);
    vsnprintf(text + length, sizeof text - (size_t)length - 1, words, args);
    va_end(args);
    size_t size = strlen(text);
    assert(size < sizeof text - 1);
    text[size++] = '\n';
    /* One write() for the whole line, so that lines of several threads do not mix. */
    ssize_t written = write(STDERR_FILENO, text, size);
    (void)written;
}

void ws_trace_lost(void)
{
    char why[TRUST_WHY_MAX];
    const char *path = getenv("WARPSCOPE_MEMTRACE_LOST");
    FILE *file = path == NULL ? NULL : trust_append(path, why, sizeof why);
    if (file != NULL) {
        fputc('\n', file);
        fclose(file);
    }
}
