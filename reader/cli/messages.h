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

#endif
