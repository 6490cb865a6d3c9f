/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - contents of the records of a checkpoint: the run, LPs, events.
 *
 * A record of an LP consists of parts, each with a tag and a length, so that new kinds of parts
 * leave others unchanged. Unknown tags are errors. Records are independent of the ranks and the
 * scheduler of the run that wrote them, except for counters.
 */
#ifndef WARPSCOPE_CHECKPOINT_RECORD_H
#define WARPSCOPE_CHECKPOINT_RECORD_H

#include "checkpoint/format.h"
#include "engine/pe/pe.h"

#define CKPT_PROGRAM_SIZE 64

/* The run. Counts are those of the rank that wrote the file; their sums over the files are those of
 * the run. */
struct ckpt_run {
    uint64_t record_bytes;
    double at;       /* virtual time of the cut: exactly the events before it were committed */
    double end_time; /* end time of the run: events at or past it were dropped */
    uint64_t number; /* number of the checkpoint */
    uint64_t rank;
    uint64_t n_ranks;
    uint64_t total_lps;
    uint64_t msg_bytes;
    uint32_t n_streams; /* random streams per LP */
    uint32_t n_core_streams;
    uint32_t rng_kind;
    uint32_t has_fingerprint;
    uint32_t model_seed[4];
    uint32_t core_seed[4];
    uint64_t committed_fingerprint;
    double run_seconds;
    char program[CKPT_PROGRAM_SIZE];
    uint64_t n_counters;
    struct tw_counters counters;
};

enum ckpt_part_tag {
    CKPT_STATE = 1,      /* the state: state_sz bytes */
    CKPT_STATE_OF_MODEL, /* the state, as the functions of the model wrote it */
    CKPT_STREAMS,        /* the model's random streams */
    CKPT_CORE_STREAMS,
    CKPT_NUMBERS,   /* record numbers taken by the LP, a uint64_t; see probe_record_number() */
    CKPT_SUSPENDED, /* error_num of a suspended LP, an int64_t */
    CKPT_PARTS
};

/* A random stream as stored in the file. */
struct ckpt_stream {
    uint32_t c[4];
    uint64_t count;
    uint64_t reserved;
};

struct ckpt_part {
    const void *bytes; /* contents of the part; NULL: absent */
    size_t size;
};

/* A decoded record of an LP. */
struct ckpt_lp {
    tw_lpid gid;
    struct ckpt_part part[CKPT_PARTS]; /* the parts, indexed by tag */
};

/* A decoded record of an event, with pointers into it. */
struct ckpt_event {
    double recv_ts;
    double send_ts;
    double prio;
    double tie;
    tw_lpid src;
    tw_lpid dest;
    bool is_withdrawn;
    int32_t send_order; /* same as in tw_event */
    unsigned lineage_len;
    const void *payload; /* payload of msg_bytes bytes */
    const void *lineage; /* lineage[1] to lineage[lineage_len - 1], as doubles */
};

/* Returns the model's functions that write and read the states of an LP's type, see
 * tw_lptype_state_io(); NULL: states are stored as raw bytes. */
const tw_state_io *ckpt_state_io(const struct pe *pe, const tw_lp *lp);

/* Add a record of the run, an LP or an event. Return false if memory is short. */
bool ckpt_add_run(struct ckpt_image *image, const struct ckpt_run *run);
bool ckpt_add_lp(struct ckpt_image *image, const struct pe *pe, const tw_lp *lp);
bool ckpt_add_event(struct ckpt_image *image, const struct pe *pe, const tw_event *event);

/* Decode a record of the run, an LP or an event. Return false if it is invalid. */
bool ckpt_read_run(const void *record, size_t size, struct ckpt_run *run);
bool ckpt_read_lp(const void *record, size_t size, struct ckpt_lp *lp);
bool ckpt_read_event(const void *record, size_t size, size_t msg_bytes, struct ckpt_event *event);

/* Restores the streams of an LP from a part whose length has been checked. */
void ckpt_restore_streams(const struct ckpt_part *part, tw_rng_stream *streams);

#endif
