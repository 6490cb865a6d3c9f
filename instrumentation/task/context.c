/* SPDX-License-Identifier: BSD-3-Clause */
/* context.c - the tasks and tracers of this process; see trace.h. */
#include "task/trace.h"

struct trace *trace_context(void)
{
    if (g_st_trace == NULL) {
        g_st_trace = tw_calloc(TW_LOC, "tasks", sizeof(*g_st_trace), 1);
    }
    return g_st_trace;
}

struct trace *trace_context_or_null(void)
{
    return g_st_trace;
}

struct task_book *trace_book(void)
{
    return &trace_context()->book;
}
