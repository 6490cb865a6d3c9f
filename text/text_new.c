/* SPDX-License-Identifier: BSD-3-Clause */
/* text_new.c - see text_new.h. */
#define _GNU_SOURCE /* required for vasprintf() */
#include "text/text_new.h"

#include <stdarg.h>
#include <stdio.h>

char *text_new(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    return length < 0 ? NULL : text;
}
