/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * colour.c - see colour.h.
 */
#include "cli/colour.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the value of an environment variable; "" if it is not set. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value == NULL ? "" : value;
}

static bool is_wanted(FILE *out)
{
    const char *force = variable("CLICOLOR_FORCE"), *terminal = variable("TERM");
    if (variable("NO_COLOR")[0] != '\0') {
        return false;
    }
    if (force[0] != '\0' && strcmp(force, "0") != 0) {
        return true;
    }
    return terminal[0] != '\0' && strcmp(terminal, "dumb") != 0 && isatty(fileno(out)) == 1;
}

const char *ws_colour(FILE *out, enum ws_colour colour)
{
    static const char *const sequences[] = {[WS_COLOUR_END] = "\033[0m",
                                            [WS_COLOUR_HEADING] = "\033[1m",
                                            [WS_COLOUR_GOOD] = "\033[32m",
                                            [WS_COLOUR_DOUBT] = "\033[33m",
                                            [WS_COLOUR_BAD] = "\033[31m"};
    assert(colour < sizeof sequences / sizeof sequences[0]);
    return is_wanted(out) ? sequences[colour] : "";
}
