/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h - receivers of lines about faults and mistakes. The command prints the lines; the
 * library keeps them for wsr_message().
 */
#ifndef WARPSCOPE_READER_DATA_MESSAGES_H
#define WARPSCOPE_READER_DATA_MESSAGES_H

/* A receiver of lines. line: without a line end, valid during the call; it may hold control
 * characters of names in files. */
struct ws_messages {
    void (*say)(void *ctx, const char *line);
    void *ctx;
};

#define WS_MESSAGE_MAX 8192u /* bytes of a line; longer ones are cut */

/* Hands a line to the receiver. messages NULL: does nothing. */
void ws_say(const struct ws_messages *messages, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

#endif
