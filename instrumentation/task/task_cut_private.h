/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_cut_private.h - interface between task_cut.c, which writes, and task_cut_read.c.
 */
#ifndef WARPSCOPE_TASK_TASK_CUT_PRIVATE_H
#define WARPSCOPE_TASK_TASK_CUT_PRIVATE_H

#include "task/context.h"

#define TASK_CUT_OPEN 1u /* bits of a task: context->open has it */
#define TASK_CUT_BOOK 2u /* the book has it */

/* Returns true if the command line has created the tracer, false if the model has. */
bool task_cut_is_requested(const struct task_context *context, const struct st_tracer *tracer);
/* Returns the number of tracers that were attached before this one, and that have the same
 * specification and the same creator. */
uint32_t task_cut_ordinal(const struct task_context *context, const struct st_tracer *tracer);

#endif
