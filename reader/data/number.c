/* SPDX-License-Identifier: BSD-3-Clause */
/* number.c - see number.h. */
#include "data/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

const char *ws_u64_read(const char *text, uint64_t *value)
{
    char *end;
    if (text[0] < '0' || text[0] > '9') {
        return NULL;
    }
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 ? end : NULL;
}

bool ws_parse_u64(const char *text, uint64_t *value)
{
    const char *end = ws_u64_read(text, value);
    return end != NULL && *end == '\0';
}

const char *ws_f64_read(const char *text, double *value)
{
    char *end;
    size_t sign = text[0] == '-' || text[0] == '+';
    bool is_hex = text[sign] == '0' && (text[sign + 1] == 'x' || text[sign + 1] == 'X');
    *value = strtod(text, &end);
    return end == text || is_hex || isspace((unsigned char)text[0]) || *value != *value ? NULL
                                                                                        : end;
}

bool ws_parse_f64(const char *text, double *value)
{
    const char *end = ws_f64_read(text, value);
    return end != NULL && *end == '\0';
}

int ws_by_u64(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return WS_ORDER(*x, *y);
}

int ws_by_u64_down(const void *a, const void *b)
{
    return ws_by_u64(b, a);
}

int ws_by_f64(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return WS_ORDER(*x, *y);
}

int ws_order(const uint64_t *a, const uint64_t *b, size_t n)
{
    size_t i = 0;
    while (i + 1 < n && a[i] == b[i]) {
        i++;
    }
    return WS_ORDER(a[i], b[i]);
}
