/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h - receivers of lines of text about faults in files and mistakes of users. The command
 * prints the lines; the library keeps them for wsr_message().
 */
#ifndef WARPSCOPE_READER_DATA_MESSAGES_H
#define WARPSCOPE_READER_DATA_MESSAGES_H

/* A receiver of lines. A line has no line end and is valid during the call. It may hold control
 * characters, which come from names in files. */
struct ws_messages {
    void (*say)(void *ctx, const char *line);
    void *ctx;
};

/* Maximum size of a line in bytes, with its terminating zero; longer lines are cut. */
#define WS_MESSAGE_MAX 8192u

/* Composes a line from the printf() format `words`, and passes it to the receiver. Does nothing if
 * messages is NULL. */
void ws_say(const struct ws_messages *messages, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

#endif
