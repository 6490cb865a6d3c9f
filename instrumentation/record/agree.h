/*
 * agree.h - one answer, and one message, from all ranks.
 */
#ifndef WARPSCOPE_RECORD_AGREE_H
#define WARPSCOPE_RECORD_AGREE_H

#include "base/status.h"

#define AGREE_MESSAGE_MAX 4608

/*
 * Collective. Returns the status of the lowest rank that has one other than TW_OK, on all ranks;
 * that rank prints "error: message" on stderr. message may be anything when status is TW_OK.
 */
enum tw_status agree_on_status(enum tw_status status, const char *message);

#endif
