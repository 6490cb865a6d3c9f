/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_pack.h - packs the data of records of tasks, as described in st_task.h.
 */
#ifndef WARPSCOPE_TASK_TASK_PACK_H
#define WARPSCOPE_TASK_TASK_PACK_H

#include "st_task.h"

/* Size in bytes of the largest packed whole task. */
#define TASK_PACK_MAX                                                                              \
    (sizeof(st_task_packed) + 3 * (ST_TASK_TEXT_MAX + 1) +                                         \
     ST_TASK_STEPS_MAX * (sizeof(st_step_packed) + ST_STEP_TEXT_MAX + 1) + 8)

struct task_pack {
    /* Size of the packed data in bytes. */
    size_t size;
    _Alignas(8) char data[TASK_PACK_MAX];
};

/* Packs the record of a step or a detail with its text, or of an end if text is NULL. The text is
 * truncated to max bytes. */
void task_pack_id(struct task_pack *pack, st_task_id id, const char *text, size_t max);

/* Packs the record of a beginning, or of a whole task with n_steps steps. task: the members id,
 * parent, start, kind, what and where are used. */
void task_pack_task(struct task_pack *pack, const st_task_record *task, const st_step *steps,
                    size_t n_steps);

#endif
