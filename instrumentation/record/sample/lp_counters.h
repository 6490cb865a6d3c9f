/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_counters.h - counters of the engine by LP or by KP.
 *
 * Functions of probes update the counters, so only runs that record KPs or LPs pay for them. At the
 * end of the run, the sums over all LPs (or KPs) equal the counters of the PE. Before the end,
 * network_recvs may lack anti-messages that arrived before their events: the probe message_received
 * reports these only when the event arrives.
 */
#ifndef WARPSCOPE_RECORD_SAMPLE_LP_COUNTERS_H
#define WARPSCOPE_RECORD_SAMPLE_LP_COUNTERS_H

#include "base/status.h"
#include "engine/probe.h"

/* Counts that records of KPs and LPs share, named as in schema_list.h. They never decrease. */
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

/* Counts and identity of one LP, in one cache line. */
struct lp_line {
    _Alignas(64) struct lp_counts counts;
    uint64_t gid;
    uint32_t kp;
};

struct kp_line {
    _Alignas(64) struct lp_counts counts; /* zero if counts are kept by KP */
    uint64_t rollbacks[2]; /* number of rollbacks, indexed by enum probe_rollback - 1 */
};

/* Counters of the LPs or KPs of a PE. Zero-initialised counters count nothing. */
struct lp_counters {
    struct lp_line *lps; /* counts of the LPs, by local LP id; NULL if counts are kept by KP */
    struct kp_line *kps;
    uint64_t n_lps; /* number of lines; 0 if counts are kept by KP */
    uint64_t n_kps;
};

/*
 * Creates counts for n_kps KPs and, if by_lp is true, for these LPs; otherwise events count for
 * their KP. Returns TW_OK or TW_ERR_MEMORY. Release with lp_counters_fini().
 */
enum tw_status lp_counters_init(struct lp_counters *counters, tw_lp *const *lps, tw_lpid n_lps,
                                tw_kpid n_kps, bool by_lp);

/* Adds the counting functions to the probes. The counters must outlive the run. */
void lp_counters_attach(struct lp_counters *counters, struct probe_table *table);

/* Removes the functions of lp_counters_attach() from the probes. */
void lp_counters_detach(struct lp_counters *counters, struct probe_table *table);

void lp_counters_fini(struct lp_counters *counters);

#endif
