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
