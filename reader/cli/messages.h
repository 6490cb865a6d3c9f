/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h - prints the messages of the command.
 */
#ifndef WARPSCOPE_READER_CLI_MESSAGES_H
#define WARPSCOPE_READER_CLI_MESSAGES_H

#include "data/messages.h"

/* Receiver that prints each line on stderr as "warpscope: LINE", with a question mark in place of
 * each control character. */
extern const struct ws_messages ws_on_stderr;

/* Prints the line "PATH: WHY: REMEDY" on stderr; remedy NULL: there is none. Returns false. */
bool ws_refuse(const char *path, const char *why, const char *remedy);
/* Like ws_fail_memory(), on stderr. */
bool ws_no_memory(bool *failed);

#endif
