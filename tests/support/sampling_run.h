/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_run.h - a recording of the fake engine with samples, read back by kind of record.
 */
#ifndef WARPSCOPE_TESTS_SAMPLING_RUN_H
#define WARPSCOPE_TESTS_SAMPLING_RUN_H

#include "support/record_root.h"

enum { N_KPS = 4 }; /* of the fake engine */

static inline void turn(void)
{
    if (PROBE_IS_WANTED(&fake.probes, turn)) {
        PROBE_CALL(&fake.probes, turn, &fake.pe);
    }
}

/* Makes a turn at which a sample is due. */
static inline void due_turn(void)
{
    struct rt_clock *clock = &context_recorder()->sampling.clock;
    clock->due_ticks = 1;
    clock->to_skip = 0;
    turn();
}

/* Returns the number of records of a kind in a file; 0 if there is no file. */
static inline size_t count_rows(const char *path, uint32_t record)
{
    struct read_back back;
    if (path[0] == '\0') {
        return 0;
    }
    read_back_kind(&back, path, record);
    CU_ASSERT_EQUAL(back.errors, 0);
    size_t n = back.n;
    read_back_free(&back);
    return n;
}

#endif
