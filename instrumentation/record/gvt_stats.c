/*
 * gvt_stats.c - one record per sampling point and PE.
 *
 * The accumulators of this stream are its own copy of the counters as of its last sample. A record
 * holds differences of two states, so the sum over a PE's records is exactly its final count: the
 * recorder takes a last sample when the run is over. The counters recorded here only grow.
 */
#include "record/gvt_stats.h"

#include "base/efficiency.h"

void gvt_stats_sample(struct gvt_stats *stats, const struct tw_counters *now, double gvt,
                      double real_time)
{
    struct tw_counters d;
#define X(name, text) d.name = now->name - stats->last.name;
    TW_COUNTER_LIST(X)
#undef X
    struct fmt_gvt_pe_row *row = lane_reserve(stats->lane, sizeof(*row));
    *row = (struct fmt_gvt_pe_row){
        .pe = stats->pe,
        .gvt = gvt,
        .real_time = real_time,
        .all_reduce_count = d.all_reduces,
        .events_processed = d.events_processed,
        .events_aborted = d.events_aborted,
        .events_rolled_back = d.events_rolled_back,
        .event_ties = d.event_ties,
        .total_rollbacks = d.primary_rollbacks + d.secondary_rollbacks,
        .secondary_rollbacks = d.secondary_rollbacks,
        .fossil_collects = d.fossil_collects,
        .network_sends = d.network_sends,
        .network_recvs = d.network_recvs,
        .remote_events = d.remote_events,
        .efficiency = efficiency_percent(d.events_processed, d.events_rolled_back)};
    lane_commit(stats->lane, sizeof(*row));
    stats->last = *now;
}
