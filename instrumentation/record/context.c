/* SPDX-License-Identifier: BSD-3-Clause */
/* context.c - see context.h. */
#include "record/context.h"

#include "record/recorder.h"

const bool record_all_kinds[RECORD_FILES] = {true, true, true, true, true, true, true};
_Static_assert(RECORD_FILES == 7, "record_all_kinds has all");

struct recorder *context_recorder(void)
{
    if (g_st_recorder == NULL) {
        g_st_recorder = tw_calloc(TW_LOC, "recorder", sizeof(*g_st_recorder), 1);
    }
    return g_st_recorder;
}
