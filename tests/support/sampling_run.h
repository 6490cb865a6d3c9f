/*
 * sampling_run.h - a recording of the fake engine that samples: set up into a folder of its own,
 * with the paths of its files, and read back by kind of record.
 */
#ifndef WARPSCOPE_TESTS_SAMPLING_RUN_H
#define WARPSCOPE_TESTS_SAMPLING_RUN_H

#include "support/fake_engine.h"
#include "support/read_back.h"
#include "support/root_dir.h"

enum { N_KPS = 4 }; /* of the fake engine */

static char path_gvt[RECORD_PATH_MAX];
static char path_rt[RECORD_PATH_MAX];
static char path_model[RECORD_PATH_MAX];

static inline void begin(tw_lpid n_lps)
{
    static unsigned number;
    fake_begin(n_lps);
    snprintf(g_st_options.path, sizeof(g_st_options.path), "%s/run%u", root, number++);
}

static inline void copy_path(char *to, enum record_kind kind)
{
    const char *path = context_recorder()->files[kind].path;
    snprintf(to, RECORD_PATH_MAX, "%s", path != NULL ? path : "");
}

static inline void setup(void)
{
    CU_ASSERT_EQUAL_FATAL(fake_setup(), TW_OK);
    copy_path(path_gvt, RECORD_GVT);
    copy_path(path_rt, RECORD_RT);
    copy_path(path_model, RECORD_MODEL);
}

static inline void turn(void)
{
    if (PROBE_IS_WANTED(&fake.probes, turn)) {
        PROBE_CALL(&fake.probes, turn, &fake.pe);
    }
}

/* A turn at which a sample is due. */
static inline void due_turn(void)
{
    struct rt_clock *clock = &context_recorder()->sampling.clock;
    clock->due_ticks = 1;
    clock->to_skip = 0;
    turn();
}

/* How many records of a kind are in a file; none if there is no file. */
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
