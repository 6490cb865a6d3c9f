/*
 * task_pack.h - makes the data of records of tasks, as st_task.h describes it.
 */
#ifndef WARPSCOPE_TRACE_TASK_PACK_H
#define WARPSCOPE_TRACE_TASK_PACK_H

#include "st_task.h"

/* What a whole task with the longest of all it may have takes. */
#define TASK_PACK_MAX                                                                              \
    (sizeof(st_task_packed) + 3 * (ST_TASK_TEXT_MAX + 1) +                                         \
     ST_TASK_STEPS_MAX * (sizeof(st_step_packed) + ST_STEP_TEXT_MAX + 1) + 8)

struct task_pack {
    size_t size;
    _Alignas(8) char data[TASK_PACK_MAX];
};

/* Steps, details (text) and ends (NULL). Texts are cut at max bytes. */
void task_pack_id(struct task_pack *pack, st_task_id id, const char *text, size_t max);

/* Beginnings and whole tasks. task: id, parent, start, kind, what, where. */
void task_pack_task(struct task_pack *pack, const st_task_record *task, const st_step *steps,
                    size_t n_steps);

#endif
