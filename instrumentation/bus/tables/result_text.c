/* SPDX-License-Identifier: BSD-3-Clause */
/* result_text.c - texts of the st_result codes, for messages. */
#include "st_bus.h"

const char *st_result_text(st_result result)
{
    static const char *const texts[] = {
        [ST_OK] = "done",
        [ST_DUPLICATE] = "already done",
        [ST_RESTORED] = "restored at its old place",
        [ST_INVALID] = "an argument is invalid",
        [ST_NOT_FOUND] = "not found",
        [ST_FULL] = "the table is full",
        [ST_NO_MEMORY] = "out of memory",
        [ST_WRONG_STATE] = "not possible in this state",
        [ST_IO] = "writing failed",
    };
    return (size_t)result < sizeof texts / sizeof *texts ? texts[result] : "unknown result";
}
