/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * colour.h - colours of text on terminals. A colour never carries meaning alone: the text is clear
 * without colours.
 *
 * There are colours on terminals, unless TERM is "dumb" or not set, or NO_COLOR is set and not
 * empty. CLICOLOR_FORCE, set and neither empty nor "0", colours pipes and files as well; NO_COLOR
 * is stronger.
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

/* Returns the escape sequence that begins or ends text of a colour; "" if the stream shows no
 * colours. */
const char *ws_colour(FILE *out, enum ws_colour colour);

#endif
