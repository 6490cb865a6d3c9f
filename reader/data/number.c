/* SPDX-License-Identifier: BSD-3-Clause */
/* number.c - see number.h. */
#include "data/number.h"

#include <errno.h>
#include <stdlib.h>

bool ws_parse_u64(const char *text, uint64_t *value)
{
    char *end;
    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    *value = v;
    return errno == 0 && *end == '\0';
}

bool ws_parse_f64(const char *text, double *value)
{
    char *end;
    if (text[0] == '\0' || text[0] == ' ') {
        return false;
    }
    *value = strtod(text, &end);
    return *end == '\0' && *value == *value;
}
