/* SPDX-License-Identifier: BSD-3-Clause */
/* error.h - fatal errors, on this rank and on others; tw_error() itself is in ross.h. */
#ifndef WARPSCOPE_ENGINE_PROCESS_ERROR_H
#define WARPSCOPE_ENGINE_PROCESS_ERROR_H

#include "engine/pe/pe.h"

/* Ends this rank if another rank has met a fatal error, or if --stall-limit has passed; otherwise
 * returns. Cheap enough to be called once per batch, since it rarely communicates. */
void messages_check_abort(struct pe *pe);

/* The functions of g_error_handler (base/error.h). */
size_t error_begin(char *text, size_t size, const char *kind);
void error_end(void) __attribute__((noreturn));

#endif
