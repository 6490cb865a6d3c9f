/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c - see messages.h. */
#include "data/messages.h"

#include "data/known.h"

#include <stdio.h>

bool ws_say(const struct ws_messages *messages, const char *words, ...)
{
    char line[WS_MESSAGE_MAX];
    WS_FORMAT(line, sizeof line, words);
    if (messages != NULL) {
        messages->say(messages->ctx, line);
    }
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
