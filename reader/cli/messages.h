/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * messages.h - messages of the command.
 */
#ifndef WARPSCOPE_READER_CLI_MESSAGES_H
#define WARPSCOPE_READER_CLI_MESSAGES_H

#include "data/messages.h"

/* Prints "warpscope: LINE" on stderr, with '?' for control characters. */
extern const struct ws_messages ws_on_stderr;

#endif
