/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_rows.h - macros that set fields which several kinds of rows have in common.
 */
#ifndef WARPSCOPE_TASK_TASK_ROWS_H
#define WARPSCOPE_TASK_TASK_ROWS_H

#include "engine/probe.h"
#include "format/format.h"
#include "st_task.h"

/* Converts the LP in a task id (1 + gid; 0: none) to the LP in a row (gid; -1: none). */
static inline int64_t task_row_lp(uint64_t lp_plus_1)
{
    return (int64_t)lp_plus_1 - 1;
}

#define TASK_ROW_ID(row, id_)                                                                      \
    do {                                                                                           \
        (row)->lp = (id_).lp - 1;                                                                  \
        (row)->number = (id_).number;                                                              \
        (row)->from = task_row_lp((id_).from);                                                     \
    } while (0)

#define TASK_ROW_PARENT(row, parent_)                                                              \
    do {                                                                                           \
        (row)->parent_lp = task_row_lp((parent_).lp);                                              \
        (row)->parent_number = (parent_).number;                                                   \
        (row)->parent_from = task_row_lp((parent_).from);                                          \
    } while (0)

/* Sets the fields about the place and time of writing, and about the payload. gid: gid of an LP of
 * this rank. */
#define TASK_ROW_WHERE(row, gid, texts_)                                                           \
    do {                                                                                           \
        (row)->real_time = run_seconds();                                                          \
        (row)->pe = (uint32_t)g_tw_pe->id;                                                         \
        (row)->kp = (uint32_t)tw_getlocal_lp(gid)->kp->id;                                         \
        (row)->payload_type = (texts_).type;                                                       \
        (row)->payload_size = (texts_).size;                                                       \
    } while (0)

#endif
