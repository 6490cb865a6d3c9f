/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.h - the statistics of a task trace, and the life of one task, as text.
 */
#ifndef WARPSCOPE_READER_TASKS_TASKS_H
#define WARPSCOPE_READER_TASKS_TASKS_H

#include <stdio.h>

#include "figures/tasks.h"

/* Prints the statistics in `tasks` as tables, with at most `top` rows for each kind of task. */
void ws_tasks_text(FILE *out, const struct ws_tasks *tasks, uint32_t top);

/* Maximum number of tasks in a life, and of lines. The life of a task includes all its descendants. */
#define WS_LIFE_TASKS (1u << 20)
#define WS_LIFE_LINES (1u << 18)

/* Prints the selected records of a task and of its descendants in order of virtual time. Prints an
 * error message and returns false if no record is selected, if memory is exhausted, or if the life
 * exceeds a limit above. */
bool ws_life_print(FILE *out, struct ws_file *file, const struct ws_select *select,
                   struct ws_task_id id);

#endif
