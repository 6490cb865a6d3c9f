/* SPDX-License-Identifier: BSD-3-Clause */
/* fail.c - see fail.h. */
#include "data/fail.h"

#include <stdio.h>

bool ws_fail(const struct ws_messages *messages, const char *path, const char *why,
             const char *remedy)
{
    ws_say(messages, "%.300s: %s%s%s", path, why, remedy == NULL ? "" : ": ",
           remedy == NULL ? "" : remedy);
    return false;
}

bool ws_fail_memory(const struct ws_messages *messages, bool *failed)
{
    if (failed == NULL || !*failed) {
        ws_say(messages, "out of memory");
    }
    if (failed != NULL) {
        *failed = true;
    }
    return false;
}

enum fmt_status ws_fault_memory(struct fmt_error *error, const char *path)
{
    *error = (struct fmt_error){.status = FMT_ERR_MEMORY, .pe = FMT_NO_PE, .offset = FMT_NO_OFFSET};
    snprintf(error->text, sizeof error->text, "%.200s%sout of memory", path == NULL ? "" : path,
             path == NULL ? "" : ": ");
    return FMT_ERR_MEMORY;
}
