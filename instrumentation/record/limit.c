/* SPDX-License-Identifier: BSD-3-Clause */
/* limit.c - see limit.h. */
#include "record/limit.h"

#include <assert.h>

#include "engine/control.h"
#include "record/base/agree.h"
#include "record/change.h"

#define MARGIN_MAX     65536u
#define MARGIN_PART    16u    /* the margin is at most a share divided by this number */
#define LEAST_PER_FILE 65536u /* minimum share of a rank per file, in bytes */

/* ---- Division -------------------------------------------------------------------------------- */

enum tw_status limit_init(struct recorder *recorder, char *error, size_t size)
{
    struct record_limit *limit = &recorder->limit;
    uint64_t bytes = recorder->options.stats_limit, n_ranks = tw_nnodes(), n_files = 0;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        n_files += recorder->files[kind].in_use;
    }
    n_files = n_files > 0 ? n_files : 1;
    if (bytes == 0 || recorder->options.disable_output != 0) {
        return TW_OK;
    }
    if (bytes / n_ranks / n_files < LEAST_PER_FILE) {
        snprintf(
            error, size,
            "--stats-limit=%llu: give at least %llu bytes, 64K for each of %llu ranks and %llu "
            "files",
            (unsigned long long)bytes, (unsigned long long)(n_ranks * n_files * LEAST_PER_FILE),
            (unsigned long long)n_ranks, (unsigned long long)n_files);
        return TW_ERR_USAGE;
    }
    uint64_t ring = recorder->options.buffer_overwrite;
    /* Blocks are hardly larger than their rows, even if the rows cannot be compressed. */
    uint64_t save = ring + ring / 16 + LEAST_PER_FILE;
    if (ring != 0 && (save < ring || bytes / n_ranks / n_files < save)) {
        snprintf(
            error, size,
            "--buffer-overwrite=%llu: %llu ranks save up to %.4g MiB at once in %llu files, more "
            "than --stats-limit=%llu permits; give less of the one or more of the other",
            (unsigned long long)ring, (unsigned long long)n_ranks,
            (double)save * (double)n_ranks * (double)n_files / 1048576.0,
            (unsigned long long)n_files, (unsigned long long)bytes);
        return TW_ERR_USAGE;
    }
    uint64_t share = bytes / n_ranks;
    limit->size = bytes;
    limit->margin = ROSS_MIN(share / MARGIN_PART, MARGIN_MAX);
    atomic_store(&limit->quota.limit, share);
    return TW_OK;
}

/* Returns this rank's share of the `left` remaining bytes. Since the last division, this rank has
 * written `mine` bytes, and all ranks together `sum` bytes. */
static uint64_t share_of(uint64_t left, uint64_t n_ranks, uint64_t mine, uint64_t sum)
{
    double part = sum > 0 ? (double)mine / (double)sum : 0.0;
    assert(part >= 0.0 && part <= 1.0);
    /* The factor 0.99 keeps the sum of the second terms of all ranks below left / 2, in spite of
     * rounding. */
    return left / 2 / n_ranks + (uint64_t)(0.99 * (double)(left / 2) * part);
}

/* ---- The end of recording -------------------------------------------------------------------- */

/* Ends recording and completes all files. Later records of tasks and tracers count as lost. */
static void stop(struct recorder *recorder, tw_pe *pe, struct probe_table *table)
{
    struct fmt_counter counters[RECORD_COUNTERS];
    const struct change_extent all = recorder_extent_of_lps(recorder);
    if (all.vt || recorder->options.event_trace == RECORD_TRACE_COMMITTED) {
        control_return_to_gvt(pe);
    }
    recorder_detach(recorder, pe, table, &all);
    struct fmt_end_info end = recorder_end_info(recorder, pe, RUN_END_NONE, counters);
    end.code = FMT_END_CHANGED;
    end.text = FMT_END_TEXT_LIMIT;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        recorder->streams[kind].gvt = end.gvt;
        stream_end(&recorder->streams[kind], &end);
    }
    recorder->limit.is_reached = true;
    recorder->limit.gvt = end.gvt;
    recorder->limit.seconds = end.real_time;
    if (pe->id == 0) {
        run_warning("--stats-limit=%llu is reached: recording ended at GVT %g, and the run goes on "
                    "without it",
                    (unsigned long long)recorder->limit.size, end.gvt);
    }
}

void limit_answer(struct recorder *recorder, tw_pe *pe, struct probe_table *table)
{
    struct record_limit *limit = &recorder->limit;
    if (limit->size == 0 || limit->is_reached) {
        return;
    }
    uint64_t used = atomic_load(&limit->quota.used), n_ranks = tw_nnodes();
    const uint64_t mine[3] = {used, used - limit->mark, atomic_load(&limit->quota.refused)};
    uint64_t all[3];
    MPI_Allreduce(mine, all, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_ROSS);
    uint64_t left = all[0] < limit->size ? limit->size - all[0] : 0;
    limit->is_wanted = false;
    if (all[2] != 0 || left / n_ranks < 4 * limit->margin) {
        stop(recorder, pe, table);
        return;
    }
    atomic_store(&limit->quota.limit, used + share_of(left, n_ranks, mine[1], all[1]));
    limit->mark = used;
}

void limit_finish(struct recorder *recorder, const tw_pe *pe)
{
    struct record_limit *limit = &recorder->limit;
    if (limit->size == 0) {
        return;
    }
    int mine = atomic_load(&limit->quota.refused) && !limit->is_reached, any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_ROSS);
    if (any != 0) {
        limit->is_reached = true;
        limit->gvt = probe_virtual_time(pe->GVT);
        limit->seconds = run_seconds();
    }
    if (any != 0 && pe->id == 0) {
        run_warning("--stats-limit=%llu was reached: records are missing",
                    (unsigned long long)limit->size);
    }
    if (limit->is_reached) {
        run_results_are_lost();
    }
}

/* ---- Use of the share ------------------------------------------------------------------------ */

/* Returns an upper bound of the number of bytes of rows in the buffers of all streams. */
static uint64_t pending_bytes(struct recorder *recorder)
{
    uint64_t sum = 0;
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        sum += stream_pending(&recorder->streams[kind]);
    }
    return sum;
}

void limit_look(struct recorder *recorder)
{
    struct record_limit *limit = &recorder->limit;
    if (limit->size == 0 || limit->is_reached || limit->is_wanted) {
        return;
    }
    uint64_t bound = atomic_load_explicit(&limit->quota.limit, memory_order_relaxed);
    uint64_t used = atomic_load_explicit(&limit->quota.used, memory_order_relaxed);
    uint64_t left = used < bound ? bound - used : 0;
    if (pending_bytes(recorder) > left / 2) {
        for (int kind = 0; kind < RECORD_FILES; kind++) {
            stream_flush(&recorder->streams[kind]);
        }
        used = atomic_load_explicit(&limit->quota.used, memory_order_relaxed);
        left = used < bound ? bound - used : 0;
    }
    limit->is_wanted = left < 2 * limit->margin || atomic_load(&limit->quota.refused);
}
