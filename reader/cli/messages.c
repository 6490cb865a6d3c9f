/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c - see messages.h. */
#include "cli/messages.h"

#include <stdio.h>

#include "text/utf8.h"

static void line_print(void *ctx, const char *line)
{
    (void)ctx;
    fputs("warpscope: ", stderr);
    utf8_plain_print(stderr, line);
    fputc('\n', stderr);
}

const struct ws_messages ws_on_stderr = {.say = line_print};

bool ws_refuse(const char *path, const char *why, const char *remedy)
{
    return ws_say(&ws_on_stderr, "%.300s: %s%s%s", path, why, remedy == NULL ? "" : ": ",
                  remedy == NULL ? "" : remedy);
}

bool ws_no_memory(bool *failed)
{
    return ws_fail_memory(&ws_on_stderr, failed);
}
