/*
 * record.h - what the records of a checkpoint hold: the run, LPs, events.
 *
 * A record of an LP consists of parts, each with a tag and a length, so that kinds of parts can
 * come without others being touched; a tag that is not known is refused. Nothing in a record
 * depends on the rank or the scheduler of the run that wrote it, but for counters.
 */
#ifndef WARPSCOPE_CHECKPOINT_RECORD_H
#define WARPSCOPE_CHECKPOINT_RECORD_H

#include "checkpoint/format.h"
#include "engine/pe.h"

#define CKPT_PROGRAM_SIZE 64

/* The run. Counts are those of the rank that wrote the file; sums over the files are the run's. */
struct ckpt_run {
    uint64_t record_bytes;
    double at;       /* the time of the cut: all events before it were committed, no others */
    double end_time; /* events at or past it were dropped */
    uint64_t number; /* of the checkpoint */
    uint64_t rank;
    uint64_t n_ranks;
    uint64_t total_lps;
    uint64_t msg_bytes;
    uint32_t n_streams; /* per LP */
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
    CKPT_STATE = 1,      /* state_sz bytes */
    CKPT_STATE_OF_MODEL, /* what its tw_state_io has written */
    CKPT_STREAMS,        /* the model's */
    CKPT_CORE_STREAMS,
    CKPT_NUMBERS,   /* uint64_t: see probe_lp_number() */
    CKPT_SUSPENDED, /* int64_t: error_num; only of LPs that are */
    CKPT_PARTS
};

/* A stream, as it is in the file. */
struct ckpt_stream {
    uint32_t c[4];
    uint64_t count;
    uint64_t reserved;
};

struct ckpt_part {
    const void *bytes; /* NULL: there is none */
    size_t size;
};

/* A record of an LP, taken apart. */
struct ckpt_lp {
    tw_lpid gid;
    struct ckpt_part part[CKPT_PARTS]; /* by tag */
};

/* A record of an event, taken apart; pointers into it. */
struct ckpt_event {
    double recv_ts;
    double send_ts;
    double prio;
    double tie;
    tw_lpid src;
    tw_lpid dest;
    bool is_withdrawn;
    unsigned lineage_len;
    const void *payload; /* msg_bytes */
    const void *lineage; /* doubles behind tie, lineage_len - 1 of them */
};

/* How LPs of a type are saved and restored; see tw_lptype_state_io(). NULL: as bytes. */
const tw_state_io *ckpt_state_io(const struct pe *pe, const tw_lp *lp);

/* These add a record; false when there is no memory. */
bool ckpt_add_run(struct ckpt_image *image, const struct ckpt_run *run);
bool ckpt_add_lp(struct ckpt_image *image, const struct pe *pe, const tw_lp *lp);
bool ckpt_add_event(struct ckpt_image *image, const struct pe *pe, const tw_event *event);

/* These take one apart; false when it makes no sense. */
bool ckpt_read_run(const void *record, size_t size, struct ckpt_run *run);
bool ckpt_read_lp(const void *record, size_t size, struct ckpt_lp *lp);
bool ckpt_read_event(const void *record, size_t size, size_t msg_bytes, struct ckpt_event *event);

/* Streams of an LP from a part; the number has been checked. */
void ckpt_restore_streams(const struct ckpt_part *part, tw_rng_stream *streams);

#endif
