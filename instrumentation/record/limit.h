/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * limit.h - the limit for the total size of all record files of a run (--stats-limit).
 *
 * The limit applies to the sum of the blocks in all files of all ranks. Each rank gets a share of
 * the limit, which its writers never exceed (struct fmt_quota). When a rank has used its share, all
 * ranks divide the remaining bytes at the next GVT: one half equally, the other half in proportion
 * to the bytes that each has written since the previous division. If few bytes remain, all ranks
 * instead end recording at that GVT and complete their files.
 *
 * Invariants
 *  Q1  The sum of the shares never exceeds the limit.
 *  Q2  Near its end, a share is used in small steps: the buffers are written early, so that their
 *      records fit. Records that do not fit are counted as lost.
 *  Q3  Ranks communicate only after a GVT computation in which a rank voted for it.
 */
#ifndef WARPSCOPE_RECORD_LIMIT_H
#define WARPSCOPE_RECORD_LIMIT_H

#include "base/status.h"
#include "format/format.h"
#include "ross.h"

struct recorder;
struct probe_table;

/* State of the limit. A zero-initialised object limits nothing. */
struct record_limit {
    uint64_t size; /* limit in bytes for all ranks together; 0: no limit */
    /* Share of this rank, and the number of bytes used of it. */
    struct fmt_quota quota;
    uint64_t margin; /* number of bytes of a share that may stay unused */
    uint64_t mark;   /* value of quota.used at the last division */
    bool is_wanted;  /* true if this rank votes for a division */
    bool is_reached; /* true if recording has ended; equal on all ranks after the end of the run */
    double gvt;      /* GVT at which recording ended */
    double seconds;  /* wall-clock time at which recording ended, in seconds since the run began */
};

/* Reads --stats-limit and divides the limit among the ranks. Returns TW_OK, or TW_ERR_USAGE with
 * one line in error (size bytes). The result is the same on all ranks. */
enum tw_status limit_init(struct recorder *recorder, char *error, size_t size);

/* Called after each GVT computation and after stream_gvt_advanced(). Near the end of this rank's
 * share, writes buffers early, and finally votes for a division. */
void limit_look(struct recorder *recorder);

/* Divides the remaining bytes among the ranks, or ends recording. Collective; called in
 * tw_extension.answer_request(). */
void limit_answer(struct recorder *recorder, tw_pe *pe, struct probe_table *table);

/* At the end of the run, sets is_reached to the same value on all ranks. Collective. */
void limit_finish(struct recorder *recorder, const tw_pe *pe);

#endif
