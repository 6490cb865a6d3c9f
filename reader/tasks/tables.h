/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.h - the statistics of a task trace as text.
 */
#ifndef WARPSCOPE_READER_TASKS_TABLES_H
#define WARPSCOPE_READER_TASKS_TABLES_H

#include <stdio.h>

#include "figures/tasks.h"

/* Prints the statistics in `tasks` as tables, with at most `top` rows for each kind of task. */
void ws_tasks_text(FILE *out, const struct ws_tasks *tasks, uint32_t top);

#endif
