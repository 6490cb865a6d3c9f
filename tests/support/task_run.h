/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_run.h - functions for tests of tasks: a fake engine that is set up, outside of any event,
 * and commits.
 */
#ifndef WARPSCOPE_TESTS_TASK_RUN_H
#define WARPSCOPE_TESTS_TASK_RUN_H

#include "support/fake_engine.h"
#include "support/suite.h"

#include "task/context.h"

#define N_LPS 8u

static inline void begin(void)
{
    fake_begin(N_LPS);
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    fake_leave();
}

static inline void commit(struct fake_event *event)
{
    fake_enter(PROBE_IN_COMMIT, event);
    fake_commit(event);
    fake_leave();
}

#endif
