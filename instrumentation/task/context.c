/* SPDX-License-Identifier: BSD-3-Clause */
/* context.c - the tasks and tracers of this process; see context.h. */
#include "task/context.h"

struct task_context *task_context(void)
{
    if (g_st_tasks == NULL) {
        g_st_tasks = tw_calloc(TW_LOC, "tasks", sizeof(*g_st_tasks), 1);
    }
    return g_st_tasks;
}

struct task_context *task_context_or_null(void)
{
    return g_st_tasks;
}

struct task_book *task_context_book(void)
{
    return &task_context()->book;
}
