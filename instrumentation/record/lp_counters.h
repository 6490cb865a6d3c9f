/*
 * lp_counters.h - what the engine counts for the whole PE, counted LP by LP or KP by KP.
 *
 * Filled from probes, so only runs that record KPs or LPs pay for it. Over the run the sums over
 * all LPs (or KPs) are the PE's counters exactly; in between network_recvs may lag behind by the
 * anti-messages that came before their events (probe.h, message_received).
 */
#ifndef WARPSCOPE_RECORD_LP_COUNTERS_H
#define WARPSCOPE_RECORD_LP_COUNTERS_H

#include "base/status.h"
#include "engine/probe.h"

/* The counts that records of KPs and LPs share, by their names in schema_list.h. Each only grows.
 */
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

/* One LP in one cache line, with what its records say of it. */
struct lp_line {
    _Alignas(64) struct lp_counts counts;
    uint64_t gid;
    uint32_t kp;
};

struct kp_line {
    _Alignas(64) struct lp_counts counts; /* zero when they are kept by LP */
    uint64_t rollbacks[2];                /* of each enum probe_rollback, minus 1 */
};

/* Zero-initialised it counts nothing. */
struct lp_counters {
    struct lp_line *lps; /* by local number; NULL when counts are kept by KP */
    struct kp_line *kps;
    uint64_t n_lps; /* 0 when counts are kept by KP */
    uint64_t n_kps;
};

/*
 * Makes lines for n_kps KPs and, if by_lp, for these LPs; otherwise events are counted for their
 * KP. TW_ERR_MEMORY. Undo with lp_counters_fini().
 */
enum tw_status lp_counters_init(struct lp_counters *counters, tw_lp *const *lps, tw_lpid n_lps,
                                tw_kpid n_kps, bool by_lp);

/* Sets the probes that count. Counters must outlive the run. */
void lp_counters_attach(struct lp_counters *counters, struct probe_table *table);

void lp_counters_fini(struct lp_counters *counters);

#endif
