/* SPDX-License-Identifier: BSD-3-Clause */
/* error.c - tw_error(), tw_warning(), tw_printf() and tw_calloc(): see error.h. */
#include "base/error.h"

#include <assert.h>
#include <stdarg.h>

#include "ross.h"

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Prints "program: [rank r: ][LP l at time t: ]message (file:line)\n" in one write. */
static void say(const char *kind, const char *file, int line, const char *fmt, va_list args)
{
    char text[2048];
    size_t n = g_error_handler.begin(text, sizeof text, kind);
    assert(n < sizeof text);
    int length = vsnprintf(text + n, sizeof text - n, fmt, args);
    n += length > 0 ? (size_t)length : 0;
    if (n > sizeof text - 200) {
        n = sizeof text - 200;
    }
    while (n > 0 && text[n - 1] == '\n') {
        n--;
    }
    n += (size_t)snprintf(text + n, sizeof text - n, " (%.100s:%d)\n", file_name(file), line);
    fflush(stdout);
    fwrite(text, 1, n, stderr);
    fflush(stderr);
}

/* Defines the function `name`, which prints a message of the given kind. */
#define SAY(name, kind)                                                                            \
    void name(const char *file, int line, const char *fmt, ...)                                    \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, fmt);                                                                       \
        say(kind, file, line, fmt, args);                                                          \
        va_end(args);                                                                              \
    }

SAY(error_print, "error: ")
SAY(tw_warning, "warning: ")
SAY(tw_printf, "")

void tw_error(const char *file, int line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("error: ", file, line, fmt, args);
    va_end(args);
    g_error_handler.end();
}

void *tw_calloc(const char *file, int line, const char *what, size_t elem_sz, size_t n)
{
    void *memory = calloc(n == 0 ? 1 : n, elem_sz == 0 ? 1 : elem_sz);
    if (memory == NULL) {
        tw_error(file, line, "out of memory: %zu times %zu bytes for %s", n, elem_sz, what);
    }
    return memory;
}
