/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_counters.h - counters of the engine, kept per LP or per KP.
 *
 * Functions at probes update the counters, so only runs that record KPs or LPs pay for them. The
 * counts of an LP are changes since its readers (the samplers) last took them; taking sets them to
 * 0. At the end of the run, the sums of all changes of LPs (or of all counts of KPs) equal the
 * counters of the PE. Before the end, network_recvs possibly lacks anti-messages that arrived
 * before their events: the probe message_received reports such an anti-message only when the event
 * arrives.
 */
#ifndef WARPSCOPE_RECORD_SAMPLE_LP_COUNTERS_H
#define WARPSCOPE_RECORD_SAMPLE_LP_COUNTERS_H

#include <assert.h>

#include "base/status.h"
#include "engine/probe.h"

/* Counts that the records of KPs and of LPs have, named as in schema_list.h. */
#define LP_COUNT_LIST(X)                                                                           \
    X(events_processed)                                                                            \
    X(events_aborted)                                                                              \
    X(events_rolled_back)                                                                          \
    X(network_sends)                                                                               \
    X(network_recvs)                                                                               \
    X(remote_events)

struct lp_counts {
#define X(name) uint64_t name;
    LP_COUNT_LIST(X)
#undef X
};

static inline void lp_counts_add(struct lp_counts *sum, const struct lp_counts *more)
{
#define X(name) sum->name += more->name;
    LP_COUNT_LIST(X)
#undef X
}

/* Counts and identity of one LP, in one cache line. */
struct lp_line {
    _Alignas(64) struct lp_counts counts; /* changes since a reader last took them */
    uint64_t gid;
    uint32_t kp;
};

struct kp_line {
    /* Totals since the start; zero if counts are kept per LP. */
    _Alignas(64) struct lp_counts counts;
    uint64_t rollbacks[2]; /* number of rollbacks, indexed by enum probe_rollback - 1 */
};

/* Maximum number of readers of the same counters: the samplers at GVT and by wall clock. */
#define LP_READERS_MAX 2

/* Changes that one reader has not taken yet although the other reader has. Unused while there is
 * only one reader. */
struct lp_reader {
    struct lp_counts *changes; /* [i]: changes of local LP i; NULL: unused */
    uint64_t *changed;         /* set of the LPs that have changes in `changes`; NULL: unused */
};

/* Counters of the LPs or KPs of a PE. Zero-initialised counters count nothing. */
struct lp_counters {
    struct lp_line *lps; /* [i]: counts of local LP i; NULL if counts are kept per KP */
    /* Set of the LPs whose lines are not zero: bit i % 64 of word i / 64 is LP i. NULL if counts
     * are kept per KP. */
    uint64_t *changed;
    /* [k]: counts of KP k. */
    struct kp_line *kps;
    uint64_t n_lps; /* number of entries of lps; 0 if counts are kept per KP */
    uint64_t n_kps;
    struct lp_reader readers[LP_READERS_MAX];
    bool is_read[LP_READERS_MAX]; /* [r]: true if reader r takes changes */
};

/*
 * Creates counts for n_kps KPs and, if by_lp is true, for the n_lps LPs in lps; if by_lp is false,
 * events count for their KPs. There are no readers yet. Returns TW_OK or TW_ERR_MEMORY. Release
 * with lp_counters_fini().
 */
enum tw_status lp_counters_init(struct lp_counters *counters, tw_lp *const *lps, tw_lpid n_lps,
                                tw_kpid n_kps, bool by_lp);

/* Adds the counting functions to the probes of table; on == false: removes them. The counters must
 * outlive the run. */
void lp_counters_attach(struct lp_counters *counters, struct probe_table *table, bool on);

void lp_counters_fini(struct lp_counters *counters);

/* ---- Readers --------------------------------------------------------------------------------- */

/*
 * Adds the reader with the number `reader`, below LP_READERS_MAX, to counters that are kept per LP.
 * The reader gets all changes from now on, independently of other readers. Returns TW_OK or
 * TW_ERR_MEMORY.
 */
enum tw_status lp_counters_join(struct lp_counters *counters, unsigned reader);

/* Removes the reader with this number. */
void lp_counters_leave(struct lp_counters *counters, unsigned reader);

/* Returns the number of words in a set of the LPs. */
static inline uint64_t lp_counters_words(const struct lp_counters *counters)
{
    return (counters->n_lps + 63) / 64;
}

/* Returns word w of the set of LPs that have changes for the reader, and sets the word to 0. The
 * caller must then take the changes of all LPs in the returned word. */
uint64_t lp_counters_take_word(struct lp_counters *counters, unsigned reader, uint64_t w);

/* Returns the changes of local LP i for the reader, and sets them to 0. The LP must have no
 * changes, or be in a word that lp_counters_take_word() has returned. */
static inline struct lp_counts lp_counters_take(struct lp_counters *counters, unsigned reader,
                                                uint64_t i)
{
    assert(reader < LP_READERS_MAX && i < counters->n_lps);
    struct lp_counts change = counters->lps[i].counts;
    counters->lps[i].counts = (struct lp_counts){0};
    struct lp_counts *mine = counters->readers[reader].changes;
    if (__builtin_expect(mine != NULL, 0)) {
        lp_counts_add(&counters->readers[1 - reader].changes[i], &change);
        lp_counts_add(&change, &mine[i]);
        mine[i] = (struct lp_counts){0};
    }
    return change;
}

#endif
