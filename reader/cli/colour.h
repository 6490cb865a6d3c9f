/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * colour.h - colours of text on terminals. A colour never carries meaning alone: the text is clear
 * without colours.
 *
 * Output to a terminal has colours, unless TERM is "dumb" or not set, or NO_COLOR is set and not
 * empty. If CLICOLOR_FORCE is set and neither empty nor "0", output to pipes and files has colours
 * as well. NO_COLOR takes precedence over CLICOLOR_FORCE.
 */
#ifndef WARPSCOPE_READER_CLI_COLOUR_H
#define WARPSCOPE_READER_CLI_COLOUR_H

#include <stdio.h>

enum ws_colour {
    WS_COLOUR_END, /* end of coloured text */
    WS_COLOUR_HEADING,
    WS_COLOUR_GOOD,
    WS_COLOUR_DOUBT,
    WS_COLOUR_BAD
};

/* Returns the escape sequence that begins text of a colour or ends coloured text; "" if output to
 * `out` has no colours. */
const char *ws_colour(FILE *out, enum ws_colour colour);

#endif
