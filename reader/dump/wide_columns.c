/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide_columns.c - the columns of "dump --layout=wide"; see wide.h.
 */
#include "dump/wide.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#define PE(name, field)                                                                            \
    {                                                                                              \
        name, field, WS_WIDE_PE                                                                    \
    }
#define KP(name, field)                                                                            \
    {                                                                                              \
        name, field, WS_WIDE_KP                                                                    \
    }
#define LP(name, field)                                                                            \
    {                                                                                              \
        name, field, WS_WIDE_LP                                                                    \
    }

/* Items that several of the lists below share. */
#define REAL_TIME_AND_CYCLES                                                                       \
    PE("PE_ID", "pe"), PE("current_real_time", "real_time"), PE("current_GVT", "gvt"),             \
        KP("time_ahead_GVT", "time_ahead_gvt"), PE("network_read_CC", "network_read_cc"),          \
        PE("gvt_CC", "gvt_cc"), PE("fossil_collect_CC", "fossil_collect_cc"),                      \
        PE("event_abort_CC", "event_abort_cc"), PE("event_processing_CC", "event_processing_cc"),  \
        PE("priority_queue_CC", "priority_queue_cc"), PE("rollbacks_CC", "rollbacks_cc"),          \
        PE("cancelq_CC", "cancelq_cc"), PE("avl_CC", "avl_cc"), PE("buddy_CC", "buddy_cc"),        \
        PE("lz4_CC", "lz4_cc"), PE("events_aborted", "events_aborted"), PE("pq_size", "pq_size")
#define KPS_AND_LPS                                                                                \
    KP("total_rollbacks", "total_rollbacks"), KP("secondary_rollbacks", "secondary_rollbacks"),    \
        LP("events_processed", "events_processed"),                                                \
        LP("events_rolled_back", "events_rolled_back"), LP("network_sends", "network_sends"),      \
        LP("network_recvs", "network_recvs"), LP("remote_events", "remote_events")

static const struct ws_wide_item gvt_pe[] = {PE("PE_ID", "pe"),
                                             PE("GVT", "gvt"),
                                             PE("all_reduce_count", "all_reduce_count"),
                                             PE("events_processed", "events_processed"),
                                             PE("events_aborted", "events_aborted"),
                                             PE("events_rolled_back", "events_rolled_back"),
                                             PE("event_ties", "event_ties"),
                                             PE("total_rollbacks", "total_rollbacks"),
                                             PE("secondary_rollbacks", "secondary_rollbacks"),
                                             PE("fossil_collects", "fossil_collects"),
                                             PE("network_sends", "network_sends"),
                                             PE("network_recvs", "network_recvs"),
                                             PE("remote_events", "remote_events"),
                                             PE("efficiency", "efficiency")};
static const struct ws_wide_item gvt_all[] = {PE("PE_ID", "pe"),
                                              PE("GVT", "gvt"),
                                              PE("all_reduce_count", "all_reduce_count"),
                                              PE("events_aborted", "events_aborted"),
                                              PE("event_ties", "event_ties"),
                                              PE("fossil_collect", "fossil_collects"),
                                              PE("efficiency", "efficiency"),
                                              KPS_AND_LPS};
static const struct ws_wide_item rt_pe[] = {REAL_TIME_AND_CYCLES,
                                            PE("remote_events", "remote_events"),
                                            PE("network_sends", "network_sends"),
                                            PE("network_recvs", "network_recvs"),
                                            PE("event_ties", "event_ties"),
                                            PE("fossil_collects", "fossil_collects"),
                                            PE("num_GVT", "num_gvt"),
                                            PE("events_processed", "events_processed"),
                                            PE("events_rolled_back", "events_rolled_back"),
                                            PE("total_rollbacks", "total_rollbacks"),
                                            PE("secondary_rollbacks", "secondary_rollbacks")};
static const struct ws_wide_item rt_all[] = {REAL_TIME_AND_CYCLES, PE("event_ties", "event_ties"),
                                             PE("fossil_collects", "fossil_collects"),
                                             PE("num_GVT", "num_gvt"), KPS_AND_LPS};

#define LIST(items)                                                                                \
    {                                                                                              \
        items, sizeof(items) / sizeof((items)[0])                                                  \
    }
static const struct {
    const struct ws_wide_item *items;
    size_t n;
} lists[2][2] = {{LIST(gvt_pe), LIST(gvt_all)}, {LIST(rt_pe), LIST(rt_all)}};

bool ws_wide_columns_init(struct ws_wide_columns *columns, uint32_t stream, unsigned granularity)
{
    *columns = (struct ws_wide_columns){0};
    if ((stream != FMT_STREAM_GVT && stream != FMT_STREAM_RT) || granularity > 1) {
        return false;
    }
    columns->items = lists[stream == FMT_STREAM_RT][granularity].items;
    columns->n_items = (uint32_t)lists[stream == FMT_STREAM_RT][granularity].n;
    for (uint32_t i = 0; i < columns->n_items; i++) {
        struct ws_wide_group *last = &columns->groups[columns->n_groups];
        if (i == 0 || last[-1].level != columns->items[i].level) {
            *last = (struct ws_wide_group){.level = columns->items[i].level, .first_item = i};
            columns->n_groups++;
        }
        columns->groups[columns->n_groups - 1].n_items++;
    }
    return true;
}

size_t ws_wide_name(char *to, size_t size, const struct ws_wide_item *item, uint64_t number)
{
    assert(size > 0 && item->level < WS_WIDE_LEVELS);
    static const char *const tails[] = {"", "_KP", "_LP"};
    int n = item->level == WS_WIDE_PE
                ? snprintf(to, size, "%s", item->name)
                : snprintf(to, size, "%s%s%" PRIu64, item->name, tails[item->level], number);
    assert(n > 0 && (size_t)n < size);
    return (size_t)n;
}
