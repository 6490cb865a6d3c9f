/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the sums that "warpscope top" keeps of a run (struct top_model). Each record is added
 * once, in any order of files and PEs, and is never read again. Memory: 500 bytes per PE, 150 per KP
 * and per LP, and a history of the latest minutes.
 */
#ifndef WARPSCOPE_READER_TOP_MODEL_H
#define WARPSCOPE_READER_TOP_MODEL_H

#include "figures/counts.h"
#include "live/live.h"
#include "store/index.h"
#include "text/date.h"
#include "top/history.h"

/* Sources of samples: samples are taken at intervals of wall-clock time, at GVT computations, or at
 * intervals of virtual time. */
enum top_source { TOP_BY_CLOCK, TOP_AT_GVT, TOP_AT_TIMES, TOP_SOURCES };

/* Maximum number of links in a chain. Each link is a range of wall-clock time in which only the
 * samples of one source are counted. A range begins where the previous one ends. */
#define TOP_LINKS_MAX 32u
struct top_chain {
    unsigned n;
    struct top_link {
        enum top_source source;
        double until; /* end of the range in seconds since the run began; last link: INFINITY */
    } links[TOP_LINKS_MAX];
};

/* Kinds of entities that have sums. Samples of the first three may come from several sources. */
enum top_entity { TOP_OF_PES, TOP_OF_KPS, TOP_OF_LPS, TOP_OF_TYPES, TOP_ENTITIES };
#define TOP_SAMPLED TOP_OF_TYPES

/* The sums of a PE, KP, LP, or of all LPs of a type. */
struct top_part {
    /* number: that of the PE, of the KP within its PE, of the LP, or id of the payload description of the
     * type. id: the same, but for KPs with the number of the PE in the upper half; no two parts of an
     * entity have the same. */
    uint64_t id, number;
    uint32_t pe, kp; /* where a KP or LP is, at the last sample */
    struct ws_counts counts;
    double recent; /* number of events traced or undone recently; decays at each refresh */
    /* KPs: virtual time from GVT to the last event, at the last sample. PEs: that of the KP farthest
     * ahead. */
    double ahead;
};

/* All parts of an entity, in the order in which they came; PEs in the order of their numbers. */
struct top_parts {
    struct top_part *list; /* owned */
    size_t n, room;
    struct index index; /* finds a part by its id; not for PEs */
    size_t last;        /* the part that was found last */
};

struct top_pe {
    double processed;     /* number of events executed recently; decays at each refresh */
    double covered, lost; /* recent time of its thread in ns, and what it lost; decay alike */
    double phases[WS_PHASE_COUNT]; /* recent time in each phase, in ticks; decays at each refresh */
    double times[WS_PHASE_COUNT];  /* time in each phase since the beginning of the run, in ticks */
    uint64_t queue;                /* number of pending events at the last sample */
    double real_time, gvt;         /* wall-clock time and GVT of the last sample; 0: none yet */
    double sampled[TOP_SOURCES];   /* [source]: wall-clock time of the latest sample */
    bool is_sampled[TOP_SOURCES];  /* [source]: true if there was a sample */
    double gvt_known;              /* latest GVT that records or journals state */
    /* Time by date_clock() at which its newest record or GVT was read. */
    double news;
    bool elsewhere;     /* true if it records on a disk of another host */
    long process;       /* id of its process in the system; 0: unknown */
    char process_state; /* state of its process as in /proc, such as 'R' or 'T'; 0: unknown */
    uint64_t memory;    /* memory in use by its process, in bytes; 0: unknown */
    /* The latest traced event: its LP, the id of the payload description of the LP's type, its time. */
    struct {
        bool any;
        uint64_t lp, type;
        double time;
    } event;
};

/* Returns the recent time of a PE in all phases, in ticks. */
static inline double top_phases_sum(const struct top_pe *pe)
{
    double sum = 0;
    for (int i = 0; i < WS_PHASE_COUNT; i++) {
        sum += pe->phases[i];
    }
    return sum;
}

/* The LP that the user follows, with the rates of its latest samples. */
#define TOP_LP_STEPS 120
struct top_chosen_lp {
    bool any;
    uint64_t lp;
    double rates[TOP_LP_STEPS]; /* executed minus undone events per second, oldest first */
    unsigned n;
    double sampled; /* wall-clock time of the latest sample; NaN: none */
};

struct top_model {
    struct top_pe *pes; /* owned */
    uint32_t n_pes;
    uint32_t n_here, first_here; /* number of PEs whose records are in the files, and the first */
    struct top_parts parts[TOP_ENTITIES];
    struct top_chosen_lp chosen;
    unsigned known[TOP_ENTITIES]; /* the counts in records: bits 1 << enum ws_count */
    bool has_phases, has_queue, has_ahead;
    struct ws_counts sum; /* sums over all PEs */
    uint64_t records;     /* number of records that were read from blocks and journals */
    double real_time;     /* wall-clock time of the latest sample, in seconds */
    double gvt;           /* latest known GVT */
    double news;          /* largest `news` of all PEs whose records are in the files */
    double gvt_news;      /* time by date_clock() of the last advance of GVT */
    double pace;          /* longest recent time without news, in seconds; decays */
    struct top_history history;
};

/* Returns true if the records state a count of PEs, KPs, LPs or types. */
static inline bool top_knows(const struct top_model *model, enum top_entity of, enum ws_count count)
{
    return (model->known[of] >> count & 1u) != 0;
}

/* How records of one kind are added: to what, and the indices of their fields; -1: there is no such
 * field. Zero-initialised: not at all. */
struct top_feed {
    bool is_used;
    enum top_entity of;
    enum top_source source;
    const struct top_chain *chain; /* chain by which samples are counted; NULL: all are counted */
    int32_t counts[WS_COUNTS], phases[WS_PHASE_FIELDS];
    int32_t real_time, gvt, kp, lp, queue, ahead, type;
    int32_t cause; /* of a rollback; records of events have none */
    int32_t dest;  /* LP that received an event */
};

/* Initialises *model for n_pes PEs, without any records. Returns false if out of memory. */
bool top_model_init(struct top_model *model, uint32_t n_pes);
void top_model_free(struct top_model *model);

/* Finds the fields of a kind of record that the sums need, stores their indices in *feed, and adds
 * them to *wanted. */
void top_feed_init(struct top_feed *feed, enum top_entity of, const struct fmt_schema *schema,
                   struct fmt_wanted *wanted);
/* Adds new records to the sums. */
void top_model_add(struct top_model *model, const struct top_feed *feed,
                   const struct ws_live_rows *rows);
/* Stores in *model the GVT and the wall-clock time that ws_live_pe() states for a PE. They may be
 * later than those in the records of the PE. */
void top_model_note(struct top_model *model, uint32_t pe, const struct ws_live_pe *seen);
/* Reduces the sums that decay. Must be called once per refresh, before top_model_add(). */
void top_model_fade(struct top_model *model);
/* Sets the recent counts of KPs, LPs and types to 0. Must be called as soon as all records that
 * existed when the recording was opened have been added, since none of their events is recent. */
void top_model_forget(struct top_model *model);
/* Computes the values over all PEs, such as GVT. Must be called once per refresh, after all calls
 * of top_model_add(). */
void top_model_settle(struct top_model *model);

/* Chooses the LP whose rates are kept from now on; see top_model.chosen. */
void top_model_choose_lp(struct top_model *model, uint64_t lp);

/* Returns which share, 0 to 1, of the counts in a sample is added to the sums. The sample is from
 * `source`, and covers the wall-clock time (from, to]. The share is the part of this interval in
 * which the chain uses that source. from: NaN if unknown; the result is then 1 or 0, depending on
 * `to` alone. */
double top_chain_share(const struct top_chain *chain, enum top_source source, double from,
                       double to);

#endif
