/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail.h - failures, reported in one way: a function says the cause to a receiver of messages, and
 * returns false. A piece of work that fails is reported once: its flag says that this has happened.
 */
#ifndef WARPSCOPE_READER_DATA_FAIL_H
#define WARPSCOPE_READER_DATA_FAIL_H

#include <stdbool.h>

#include "data/messages.h"
#include "format/format.h"

/* Sends the line "PATH: WHY: REMEDY" to messages; remedy NULL: there is none. Returns false. */
bool ws_fail(const struct ws_messages *messages, const char *path, const char *why,
             const char *remedy);

/* Sends the line "out of memory" to messages, unless *failed is true; sets *failed to true. failed
 * NULL: always sends it. Returns false. */
bool ws_fail_memory(const struct ws_messages *messages, bool *failed);

/* Describes in *error that memory is exhausted; path NULL: of no file. Returns FMT_ERR_MEMORY. */
enum fmt_status ws_fault_memory(struct fmt_error *error, const char *path);

#endif
