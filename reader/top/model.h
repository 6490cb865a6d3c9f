/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the sums that "warpscope top" keeps of a run. Each record is added once, in any order
 * of files and PEs, and is never read again. Memory: 400 bytes per PE, 72 per KP, 40 per LP, and a
 * history of the latest minutes.
 */
#ifndef WARPSCOPE_READER_TOP_MODEL_H
#define WARPSCOPE_READER_TOP_MODEL_H

#include "live/live.h"
#include "top/history.h"

/* Occasions at which samples were taken: intervals of wall-clock time, GVT computations, or
 * intervals of virtual time. */
enum top_source { TOP_BY_CLOCK, TOP_AT_GVT, TOP_AT_TIMES, TOP_SOURCES };

/* Greatest number of ranges of wall-clock time in a chain. For each range, the samples of one
 * source are counted. A range begins where the previous one ends. */
#define TOP_LINKS_MAX 32u
struct top_chain {
    unsigned n;
    struct top_link {
        enum top_source source;
        double until; /* end of the range in seconds since the run began; last link: INFINITY */
    } links[TOP_LINKS_MAX];
};

/* Phases of a PE's time. Each is the sum of one or more fields of its samples. */
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
    double ahead;         /* virtual time from GVT to the KP's last event, at the last sample */
    double recent_undone; /* decays at each refresh */
    bool seen;
};

struct top_pe {
    struct top_counts counts;
    double phases[TOP_PHASES];    /* ticks, recent; decay at each refresh */
    double times[TOP_PHASES];     /* ticks since the beginning */
    double processed, undone;     /* events, recent; decay at each refresh */
    uint64_t queue;               /* pending events at the last sample */
    double ahead;                 /* greatest `ahead` of its KPs */
    double real_time, gvt;        /* times of the last sample; 0: none yet */
    double sampled[TOP_SOURCES];  /* for each source, time of the latest sample */
    bool is_sampled[TOP_SOURCES]; /* for each source, true if there was a sample */
    double gvt_known;             /* latest GVT in records or journals */
    double news;                  /* time at which its newest record was read, by top_clock() */
    bool elsewhere;               /* true if it recorded on a disk of another host */
    bool ended;
    struct top_kp *kps; /* owned; by KP number */
    size_t room_kps, n_kps;
    long process;       /* id of its process; 0: unknown */
    char process_state; /* as in /proc: 'R', 'S', 'T' ...; 0: unknown */
    uint64_t memory;    /* bytes in use by the process, 0: unknown */
};

/* An LP, as known from its samples. */
struct top_lp {
    uint64_t processed, undone, remote;
    float recent_undone; /* decays at each refresh */
    uint32_t pe, kp;
    bool seen;
};

/* The LP that the user has chosen, with the event rates of its latest samples. */
#define TOP_LP_STEPS 120
struct top_chosen_lp {
    bool any;
    uint64_t lp;
    double rates[TOP_LP_STEPS]; /* executed minus undone events per second */
    unsigned n;
    double sampled; /* time of the latest sample; NaN: none */
};

/* Totals of all LPs of one type. */
struct top_type {
    uint32_t id; /* id of the payload description */
    uint64_t events, rollbacks, undone;
    double recent; /* executed and undone events, recent; decays at each refresh */
};

/* True for each kind of data that occurs in the records. */
struct top_has {
    bool pes, phases, counts, queue, kps, lps, ahead, events, rollbacks, types;
};

struct top_model {
    struct top_pe *pes; /* owned */
    uint32_t n_pes;
    uint32_t n_here;        /* number of PEs whose records the files have */
    struct top_type *types; /* owned */
    size_t n_types, room_types;
    struct top_lp *lps; /* owned; by LP number */
    size_t n_lps, room_lps;
    struct top_chosen_lp chosen;
    struct top_has has;
    struct top_counts sum; /* totals of all PEs */
    double gvts;           /* number of GVT computations */
    uint64_t records;      /* number of records in blocks, and of records added from journals */
    double real_time;      /* wall-clock time of the latest sample, in seconds */
    double gvt;            /* latest known GVT */
    double news;           /* latest time `news` of any PE */
    double gvt_news;       /* time of the last advance of GVT, by top_clock() */
    double pace;           /* longest recent time between news, in seconds; decays */
    struct top_history history;
    bool no_memory;
};

/* Indices into the array `fields` of struct top_feed. An element is the number of that field in the
 * records, or -1 if they lack it. */
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
    const struct top_chain *chain; /* samples to count; NULL: all */
    int32_t fields[FIELDS];
};

/* Returns the time of a monotonic clock in seconds. */
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
/* Takes over a PE's GVT and time from ws_live_pe(), which may be later than its records. */
void top_model_note(struct top_model *model, uint32_t pe, const struct ws_live_pe *seen);
/* Reduces the weight of older counts. Call it once per refresh, before top_model_add(). */
void top_model_fade(struct top_model *model);
/* Resets the recent counts. Call it once all records that existed at the opening have been added,
 * as none of their events is recent. */
void top_model_forget(struct top_model *model);
/* Computes the values over all PEs, such as GVT. Call it once per refresh, after all calls of
 * top_model_add(). */
void top_model_settle(struct top_model *model);

/* Follows one LP from now on. */
void top_model_choose_lp(struct top_model *model, uint64_t lp);

/* Returns the share, 0 to 1, of a sample's counts to be counted, given the sample's interval (from,
 * to] and source. It is the part of the interval in which the chain uses that source. from NaN:
 * unknown; the result is then 1 or 0, depending on `to` alone. */
double top_chain_share(const struct top_chain *chain, enum top_source source, double from,
                       double to);

/* Returns the efficiency in per cent, defined as in the samples; NaN if no event was executed. */
double top_efficiency(double processed, double undone);

#endif
