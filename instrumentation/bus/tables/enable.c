/* SPDX-License-Identifier: BSD-3-Clause */
/* enable.c - reads ROSS_TRACE_ENABLE, see enable.h. */
#include "bus/tables/enable.h"

#include <stddef.h>
#include <strings.h>

static bool is_one_of(const char *value, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcasecmp(value, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

enum bus_switch enable_read(const char *value)
{
    static const char *const off[] = {"0", "false", "off", "no"};
    static const char *const on[] = {"", "1", "true", "on", "yes"};
    if (value == NULL || is_one_of(value, on, sizeof on / sizeof on[0])) {
        return BUS_ON;
    }
    return is_one_of(value, off, sizeof off / sizeof off[0]) ? BUS_OFF : BUS_UNDECIDED;
}
