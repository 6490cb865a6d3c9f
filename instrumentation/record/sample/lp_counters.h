/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_counters.h - counters of the engine by LP or by KP.
 *
 * Functions of probes update the counters, so only runs that record KPs or LPs pay for them. Counts of
 * LPs are changes: readers, which are the samplers, take them away. At the end of the run, the sums
 * over all LPs (or KPs) equal the counters of the PE. Before the end,
 * network_recvs may lack anti-messages that arrived before their events: the probe message_received
 * reports these only when the event arrives.
 */
#ifndef WARPSCOPE_RECORD_SAMPLE_LP_COUNTERS_H
#define WARPSCOPE_RECORD_SAMPLE_LP_COUNTERS_H

#include <assert.h>

#include "base/status.h"
#include "engine/probe.h"

/* Counts that records of KPs and LPs share, named as in schema_list.h. */
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
    _Alignas(64) struct lp_counts counts; /* zero if counts are kept by LP; never decrease */
    uint64_t rollbacks[2]; /* number of rollbacks, indexed by enum probe_rollback - 1 */
};

/* Most readers of the same counters: the samplers at GVT and by wall clock. */
#define LP_READERS_MAX 2

/* Changes that a reader has not taken although another reader has. Unused while there is one reader. */
struct lp_reader {
    struct lp_counts *changes; /* [n_lps]; NULL: none */
    uint64_t *changed;         /* set of the LPs with such changes; NULL: none */
};

/* Counters of the LPs or KPs of a PE. Zero-initialised counters count nothing. */
struct lp_counters {
    struct lp_line *lps; /* counts of the LPs, by local LP id; NULL if counts are kept by KP */
    /* Set of the LPs whose lines are not zero: bit i % 64 of word i / 64 is LP i. NULL if counts are
     * kept by KP. */
    uint64_t *changed;
    struct kp_line *kps;
    uint64_t n_lps; /* number of lines; 0 if counts are kept by KP */
    uint64_t n_kps;
    struct lp_reader readers[LP_READERS_MAX];
    bool is_read[LP_READERS_MAX]; /* true for those readers that take changes */
};

/*
 * Creates counts for n_kps KPs and, if by_lp is true, for these LPs; otherwise events count for
 * their KP. There are no readers yet. Returns TW_OK or TW_ERR_MEMORY. Release with lp_counters_fini().
 */
enum tw_status lp_counters_init(struct lp_counters *counters, tw_lp *const *lps, tw_lpid n_lps,
                                tw_kpid n_kps, bool by_lp);

/* Adds the counting functions to the probes. The counters must outlive the run. */
void lp_counters_attach(struct lp_counters *counters, struct probe_table *table);

/* Removes the functions of lp_counters_attach() from the probes. */
void lp_counters_detach(struct lp_counters *counters, struct probe_table *table);

void lp_counters_fini(struct lp_counters *counters);

/* ---- Readers --------------------------------------------------------------------------------- */

/*
 * Adds a reader, with a number below LP_READERS_MAX, to counters by LP. It gets the changes from now
 * on, whatever other readers take. Returns TW_OK or TW_ERR_MEMORY.
 */
enum tw_status lp_counters_join(struct lp_counters *counters, unsigned reader);

/* Removes a reader. */
void lp_counters_leave(struct lp_counters *counters, unsigned reader);

/* Returns the number of words in a set of the LPs. */
static inline uint64_t lp_counters_words(const struct lp_counters *counters)
{
    return (counters->n_lps + 63) / 64;
}

/* Returns word w of the set of LPs that have changes for the reader, whose caller then takes the
 * changes of all of them. */
uint64_t lp_counters_take_word(struct lp_counters *counters, unsigned reader, uint64_t w);

/* Returns the changes of LP i for the reader, and sets them to 0. The LP must be in a word that was
 * taken, or have no changes. */
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
