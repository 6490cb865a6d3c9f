/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h - receivers of lines of text about faults in files and mistakes of users. The command
 * prints the lines; the library keeps them for wsr_message(). A function that fails says the cause to
 * a receiver, and returns false. A piece of work that fails is reported once: its flag says that this
 * has happened.
 */
#ifndef WARPSCOPE_READER_DATA_MESSAGES_H
#define WARPSCOPE_READER_DATA_MESSAGES_H

#include <stdbool.h>

#include "format/format.h"

/* A receiver of lines. A line has no line end and is valid during the call. It may hold control
 * characters, which come from names in files. */
struct ws_messages {
    void (*say)(void *ctx, const char *line);
    void *ctx;
};

/* Maximum size of a line in bytes, with its terminating zero; longer lines are cut. */
#define WS_MESSAGE_MAX 8192u

/* Composes a line from the printf() format `words`, and passes it to the receiver. Does nothing if
 * messages is NULL. Returns false. */
bool ws_say(const struct ws_messages *messages, const char *words, ...)
    __attribute__((format(printf, 2, 3)));

/* Sends the line "out of memory" to messages, unless *failed is true; sets *failed to true. failed
 * NULL: always sends it. Returns false. */
bool ws_fail_memory(const struct ws_messages *messages, bool *failed);

/* Describes in *error that memory is exhausted; path NULL: of no file. Returns FMT_ERR_MEMORY. */
enum fmt_status ws_fault_memory(struct fmt_error *error, const char *path);

#endif
