/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * agree.h - agreement of all ranks on one status and one error message.
 */
#ifndef WARPSCOPE_RECORD_BASE_AGREE_H
#define WARPSCOPE_RECORD_BASE_AGREE_H

#include <stddef.h>

#include "base/status.h"

#define AGREE_MESSAGE_MAX 4608

/*
 * Returns, on all ranks, the status of the lowest rank whose status is not TW_OK; TW_OK if there is
 * none. That rank prints the program's name and message on stderr. message is ignored if status is
 * TW_OK. Collective.
 */
enum tw_status agree_on_status(enum tw_status status, const char *message);

/* Like agree_on_status(), but prints nothing. If a rank has an error, error (size bytes) receives,
 * on all ranks, the error message of the lowest such rank. Collective. */
enum tw_status agree_on_error(enum tw_status status, char *error, size_t size);

#endif
