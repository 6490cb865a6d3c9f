/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_root.h - recordings of a fake engine, each in a directory of its own within that of
 * root_dir.h.
 */
#ifndef WARPSCOPE_TESTS_RECORD_ROOT_H
#define WARPSCOPE_TESTS_RECORD_ROOT_H

#include <string.h>
#include <sys/stat.h>

#include "support/fake_engine.h"
#include "support/read_back.h"
#include "support/root_dir.h"
#include "text/json.h"

static char path_gvt[RECORD_PATH_MAX];
static char path_rt[RECORD_PATH_MAX];
static char path_model[RECORD_PATH_MAX];
static char dir[RECORD_PATH_MAX];

static inline void begin(tw_lpid n_lps)
{
    static unsigned number;
    fake_begin(n_lps);
    snprintf(g_st_options.path, sizeof(g_st_options.path), "%s/run%u", root, number++);
}

static inline void copy_path(char to[RECORD_PATH_MAX], const char *path)
{
    snprintf(to, RECORD_PATH_MAX, "%s", path != NULL ? path : "");
}

static inline enum tw_status setup(void)
{
    enum tw_status status = fake_setup();
    const struct recorder *recorder = context_recorder();
    copy_path(path_gvt, recorder->files[RECORD_GVT].path);
    copy_path(path_rt, recorder->files[RECORD_RT].path);
    copy_path(path_model, recorder->files[RECORD_MODEL].path);
    copy_path(dir, recorder->dir);
    return status;
}

static inline bool exists(const char *directory, const char *name)
{
    char path[2 * RECORD_PATH_MAX];
    struct stat st;
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    return stat(path, &st) == 0;
}

/* Prints the extension's part of the report's JSON as an object. */
static inline void report_json_print(FILE *out)
{
    struct json_writer json = {.out = out};
    json_object_open(&json, NULL);
    tw_extension.report_json(&json);
    json_object_close(&json);
}

/* Sums over the samples of a file. */
struct gvt_sums {
    uint64_t all_reduces, processed, aborted, rolled_back, ties, rollbacks, secondary, fossil;
    uint64_t sends, recvs, remote;
};

static inline struct gvt_sums sum_rows(const struct read_back *back)
{
    struct gvt_sums s = {0};
    for (size_t i = 0; i < back->n; i++) {
        struct fmt_gvt_pe_row row;
        memcpy(&row, back->rows + i * back->row_size, sizeof(row));
        s.all_reduces += row.all_reduce_count;
        s.processed += row.events_processed;
        s.aborted += row.events_aborted;
        s.rolled_back += row.events_rolled_back;
        s.ties += row.event_ties;
        s.rollbacks += row.total_rollbacks;
        s.secondary += row.secondary_rollbacks;
        s.fossil += row.fossil_collects;
        s.sends += row.network_sends;
        s.recvs += row.network_recvs;
        s.remote += row.remote_events;
    }
    return s;
}

#endif
