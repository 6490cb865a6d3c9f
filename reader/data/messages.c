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
