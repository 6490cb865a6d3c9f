/* SPDX-License-Identifier: BSD-3-Clause */
/* error.h - fatal errors of other ranks, for schedulers; tw_error() itself is in ross.h. */
#ifndef WARPSCOPE_ENGINE_PROCESS_ERROR_H
#define WARPSCOPE_ENGINE_PROCESS_ERROR_H

#include "engine/pe/pe.h"

/* Checks for a fatal error on another rank, and does not return if there is one. Called once per
 * batch, since it rarely communicates. */
void messages_check_abort(struct pe *pe);

#endif
