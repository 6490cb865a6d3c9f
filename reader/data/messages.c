/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c - see messages.h. */
#include "data/messages.h"

#include <stdarg.h>
#include <stdio.h>

void ws_say(const struct ws_messages *messages, const char *words, ...)
{
    char line[WS_MESSAGE_MAX];
    va_list args;
    if (messages == NULL) {
        return;
    }
    va_start(args, words);
    vsnprintf(line, sizeof line, words, args);
    va_end(args);
    messages->say(messages->ctx, line);
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
