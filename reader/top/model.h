/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the sums that "warpscope top" keeps of a run. Records are added once, in any order of
 * files and PEs; nothing is read again. Memory: 400 bytes per PE, 72 per KP, 40 per LP, a history
 * of the latest minutes.
 */
#ifndef WARPSCOPE_READER_TOP_MODEL_H
#define WARPSCOPE_READER_TOP_MODEL_H

#include "live/live.h"
#include "top/history.h"

/* When samples were taken. */
enum top_source { TOP_BY_CLOCK, TOP_AT_GVT, TOP_AT_TIMES, TOP_SOURCES };

/* The sources of samples that count, one after another: each from the end of the one before. */
#define TOP_LINKS_MAX 32u
struct top_chain {
    unsigned n;
    struct top_link {
        enum top_source source;
        double until; /* seconds since the run began; the last: INFINITY */
    } links[TOP_LINKS_MAX];
};

/* Parts of a PE's time, each of one or more fields of its samples. */
enum top_phase {
    TOP_EXECUTING,
    TOP_QUEUE,
    TOP_NETWORK,
    TOP_GVT,
    TOP_COMMITTING,
    TOP_UNDOING,
    TOP_ANTI,
    TOP_SAVING,
    TOP_RECORDING,
    TOP_REST,
    TOP_PHASES
};
struct top_phase_name {
    char letter;
    const char *words, *json;
};
extern const struct top_phase_name top_phase_names[TOP_PHASES];

/* Counts since the beginning of the run. */
struct top_counts {
    uint64_t processed, undone, committed, rollbacks, secondary, remote;
};

struct top_kp {
    struct top_counts counts;
    double ahead;         /* virtual time of its last event beyond GVT, at the last sample */
    double recent_undone; /* fades */
    bool seen;
};

struct top_pe {
    struct top_counts counts;
    double phases[TOP_PHASES];    /* ticks; older ones fade */
    double times[TOP_PHASES];     /* ticks since the beginning */
    double processed, undone;     /* recent; older ones fade */
    uint64_t queue;               /* at the last sample */
    double ahead;                 /* most of its KPs */
    double real_time, gvt;        /* of the last sample; 0: none yet */
    double sampled[TOP_SOURCES];  /* time of the sample before the next one */
    bool is_sampled[TOP_SOURCES]; /* there was one */
    double gvt_known;             /* also from its journals */
    double news;                  /* time at which its newest record was read, by top_clock() */
    bool ended;
    struct top_kp *kps; /* owned; by number */
    size_t room_kps, n_kps;
    long process;       /* number of its process, 0: unknown */
    char process_state; /* as in /proc: 'R', 'S', 'T' ...; 0: unknown */
    uint64_t memory;    /* bytes in use by the process, 0: unknown */
};

/* An LP, by its samples. */
struct top_lp {
    uint64_t processed, undone, remote;
    float recent_undone; /* fades */
    uint32_t pe, kp;
    bool seen;
};

/* The LP that the user has chosen: events per second, of its latest samples. */
#define TOP_LP_STEPS 120
struct top_chosen_lp {
    bool any;
    uint64_t lp;
    double rates[TOP_LP_STEPS]; /* of executed events that were not undone */
    unsigned n;
    double sampled; /* time of the sample before the next one, NaN: none */
};

/* Events of the LPs of one type. */
struct top_type {
    uint32_t id; /* of the description */
    uint64_t events, rollbacks, undone;
    double recent; /* events and undone events; fades */
};

/* The data that the records have. */
struct top_has {
    bool pes, phases, counts, queue, kps, lps, ahead, events, rollbacks, types;
};

struct top_model {
    struct top_pe *pes; /* owned */
    uint32_t n_pes;
    struct top_type *types; /* owned */
    size_t n_types, room_types;
    struct top_lp *lps; /* owned; by number */
    size_t n_lps, room_lps;
    struct top_chosen_lp chosen;
    struct top_has has;
    struct top_counts sum; /* of all PEs */
    double gvts;           /* GVT computations */
    uint64_t records;      /* in blocks and added */
    double real_time;      /* of the latest sample */
    double gvt;            /* the latest known */
    double news;           /* the latest of those times of all PEs */
    double gvt_news;       /* time of the last advance of GVT, by top_clock() */
    double pace;           /* longest time between news, fades */
    struct top_history history;
    bool no_memory;
};

/* Fields of a kind of record; -1: it has no such field. */
enum top_field {
    FIELD_REAL_TIME,
    FIELD_GVT,
    FIELD_KP,
    FIELD_LP,
    FIELD_PROCESSED,
    FIELD_UNDONE,
    FIELD_COMMITTED,
    FIELD_ROLLBACKS,
    FIELD_SECONDARY,
    FIELD_REMOTE,
    FIELD_NUM_GVT,
    FIELD_QUEUE,
    FIELD_AHEAD,
    FIELD_TYPE,
    FIELD_PHASES,
    FIELDS = FIELD_PHASES + 12
};
enum top_feed_kind {
    FEED_NOTHING,
    FEED_PE,
    FEED_KP,
    FEED_LP,
    FEED_AHEAD,
    FEED_EVENT,
    FEED_ROLLBACK
};
struct top_feed {
    enum top_feed_kind kind;
    enum top_source source;
    const struct top_chain *chain; /* NULL: all records count */
    int32_t fields[FIELDS];
};

/* Seconds of a clock that only advances. */
double top_clock(void);

/* Prepares the sums for n_pes PEs. Returns false if out of memory. */
bool top_model_init(struct top_model *model, uint32_t n_pes);
void top_model_free(struct top_model *model);

/* Finds the fields of a kind of record that the model uses, and marks them as wanted. */
void top_feed_init(struct top_feed *feed, enum top_feed_kind kind, const struct fmt_schema *schema,
                   struct fmt_wanted *wanted);
/* Adds new records. */
void top_model_add(struct top_model *model, const struct top_feed *feed,
                   const struct ws_live_rows *rows);
/* Notes what else is known of a PE. */
void top_model_note(struct top_model *model, uint32_t pe, const struct ws_live_pe *seen);
/* Called before the records of a refresh are added: lets older ones fade. */
void top_model_fade(struct top_model *model);
/* Called when all that was recorded before was added: nothing of it happened just now. */
void top_model_forget(struct top_model *model);
/* Called after them: completes the sums. */
void top_model_settle(struct top_model *model);

/* Follows one LP from now on. */
void top_model_choose_lp(struct top_model *model, uint64_t lp);

/* Returns the share of a sample that counts: it covers the time from `from` (NaN: not known) to
 * `to`. */
double top_chain_share(const struct top_chain *chain, enum top_source source, double from,
                       double to);

/* Returns per cent, as in samples; NaN if nothing was executed. */
double top_efficiency(double processed, double undone);

#endif
