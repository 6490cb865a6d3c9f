/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - contents of the records of a checkpoint: the run, LPs, events.
 *
 * A record of an LP consists of parts, each with a tag and a length, so that a new kind of part
 * leaves the other parts unchanged. Unknown tags are errors. Except for counters, records do not
 * depend on the ranks and the scheduler of the run that wrote them.
 */
#ifndef WARPSCOPE_CHECKPOINT_RECORD_H
#define WARPSCOPE_CHECKPOINT_RECORD_H

#include "checkpoint/format.h"
#include "engine/pe/pe.h"

#define CKPT_PROGRAM_SIZE 64

/* The run that wrote the checkpoint. The counters are those of the rank that wrote the file; the
 * sum over all files yields the counters of the run. */
struct ckpt_run {
    uint64_t record_bytes;
    double at;       /* virtual time of the cut: exactly the events before it were committed */
    double end_time; /* end time of the run: events at or past it were dropped */
    uint64_t number; /* number of the checkpoint in the run, from 1 */
    uint64_t rank;   /* rank that wrote the file */
    uint64_t n_ranks;
    uint64_t total_lps;
    uint64_t msg_bytes;      /* size of the payload of an event in bytes */
    uint32_t n_streams;      /* number of model streams per LP */
    uint32_t n_core_streams; /* number of core streams per LP */
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
    CKPT_STATE = 1,      /* copy of the state: state_sz bytes */
    CKPT_STATE_OF_MODEL, /* the state as the function `save` of a tw_state_io wrote it */
    CKPT_STREAMS,        /* model streams: an array of struct ckpt_stream */
    CKPT_CORE_STREAMS,   /* core streams: an array of struct ckpt_stream */
    CKPT_NUMBERS,        /* last record number taken by the LP, a uint64_t; 0: none */
    CKPT_SUSPENDED,      /* error_num of a suspended LP, an int64_t */
    CKPT_OBSERVERS,      /* knowledge of observers, see tw_extension.lp_write() */
    CKPT_PARTS
};

/* A random stream in the form in which a file stores it. */
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
    struct ckpt_part part[CKPT_PARTS]; /* indexed by tag */
};

/* The start of the record of an event. The payload and elements 1 to lineage_len - 1 of the lineage
 * follow. */
struct ckpt_event_head {
    uint64_t record_bytes;
    double recv_ts;
    double send_ts;
    double prio;
    double tie;
    uint64_t src;
    uint64_t dest;
    uint32_t lineage_len;
    uint32_t flags; /* is_withdrawn and send_order of the event, encoded in record.c */
};

/* A decoded record of an event. Its pointers point into the record. */
struct ckpt_event {
    struct ckpt_event_head head;
    bool is_withdrawn;   /* see engine/withdraw.c */
    int32_t send_order;  /* see struct tw_event */
    const void *payload; /* msg_bytes bytes */
    const void *lineage; /* elements 1 to lineage_len - 1 of the lineage, as doubles */
};

/* Returns the model's functions that write and read the states of LPs of lp's type, see
 * tw_lptype_state_io(). NULL: such states are stored as bytes. */
const tw_state_io *ckpt_state_io(const struct pe *pe, const tw_lp *lp);

/* These functions add to image a record of the run, of an LP or of an event. They return false if
 * memory is short. ckpt_add_lp() may be called between ckpt_observers_begin() and
 * ckpt_observers_end(). */
bool ckpt_add_run(struct ckpt_image *image, const struct ckpt_run *run);
bool ckpt_add_lp(struct ckpt_image *image, const struct pe *pe, const tw_lp *lp);
bool ckpt_add_event(struct ckpt_image *image, const struct pe *pe, const tw_event *event);

/* Let observers prepare for calls of ckpt_add_lp(), see tw_extension.lps_pack(). Returns false if
 * memory is short; ckpt_observers_end() must be called in any case. */
bool ckpt_observers_begin(void);
void ckpt_observers_end(void);

/* These functions decode a record of size bytes, of the run, of an LP or of an event. They return
 * false if the record is invalid. */
bool ckpt_read_run(const void *record, size_t size, struct ckpt_run *run);
bool ckpt_read_lp(const void *record, size_t size, struct ckpt_lp *lp);
bool ckpt_read_event(const void *record, size_t size, size_t msg_bytes, struct ckpt_event *event);

/* Copies the streams in a part to `streams`, an array of an LP. The caller has checked the size of
 * the part. */
void ckpt_restore_streams(const struct ckpt_part *part, tw_rng_stream *streams);

#endif
