/*
 * messages.h - what the schedulers ask about fatal errors; tw_error() itself is in ross.h.
 */
#ifndef WARPSCOPE_ENGINE_MESSAGES_H
#define WARPSCOPE_ENGINE_MESSAGES_H

#include "engine/pe.h"

/* Does not return when another rank has met a fatal error. Cheap; once per batch. */
void messages_check_abort(struct pe *pe);

#endif
