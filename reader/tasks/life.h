/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * life.h - the life of one task as text.
 */
#ifndef WARPSCOPE_READER_TASKS_LIFE_H
#define WARPSCOPE_READER_TASKS_LIFE_H

#include <stdio.h>

#include "figures/tasks.h"

/* Maximum number of tasks in a life. The life of a task includes all its descendants. */
#define WS_LIFE_TASKS (1u << 20)
#define WS_LIFE_LINES (1u << 18)

/* Prints the selected records of a task and of its descendants in order of virtual time. Prints an
 * error message and returns false if no record is selected, if memory is exhausted, or if the life
 * exceeds a limit above. */
bool ws_life_print(FILE *out, struct ws_file *file, const struct ws_select *select,
                   struct ws_task_id id);

#endif
