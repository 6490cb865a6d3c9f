/* SPDX-License-Identifier: BSD-3-Clause */
/* context.c - see context.h. */
#include "record/context.h"

#include "record/recorder.h"

struct recorder *context_recorder(void)
{
    if (g_st_recorder == NULL) {
        g_st_recorder = tw_calloc(TW_LOC, "recorder", sizeof(*g_st_recorder), 1);
    }
    return g_st_recorder;
}

struct recorder *context_recorder_or_null(void)
{
    return g_st_recorder;
}
