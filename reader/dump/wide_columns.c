/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide_columns.c - the columns of "dump --layout=wide"; see wide.h.
 */
#include "dump/wide.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

/* The items of lines: the name of a column, with the tail of its level, and after "=" the name of the
 * field if it is not the same in small letters. Here are those that several of the lists below share. */
#define REAL_TIME_AND_CYCLES                                                                       \
    "PE_ID=pe", "current_real_time=real_time", "current_GVT=gvt", "time_ahead_GVT_KP",             \
        "network_read_CC", "gvt_CC", "fossil_collect_CC", "event_abort_CC", "event_processing_CC", \
        "priority_queue_CC", "rollbacks_CC", "cancelq_CC", "avl_CC", "buddy_CC", "lz4_CC",         \
        "events_aborted", "pq_size"
#define KPS_AND_LPS                                                                                \
    "total_rollbacks_KP", "secondary_rollbacks_KP", "events_processed_LP",                         \
        "events_rolled_back_LP", "network_sends_LP", "network_recvs_LP", "remote_events_LP"

/* [stream rt][granularity] */
static const char *const lists[2][2][WS_WIDE_ITEMS_MAX + 1] = {
    {{"PE_ID=pe", "GVT", "all_reduce_count", "events_processed", "events_aborted",
      "events_rolled_back", "event_ties", "total_rollbacks", "secondary_rollbacks",
      "fossil_collects", "network_sends", "network_recvs", "remote_events", "efficiency"},
     {"PE_ID=pe", "GVT", "all_reduce_count", "events_aborted", "event_ties",
      "fossil_collect=fossil_collects", "efficiency", KPS_AND_LPS}},
    {{REAL_TIME_AND_CYCLES, "remote_events", "network_sends", "network_recvs", "event_ties",
      "fossil_collects", "num_GVT", "events_processed", "events_rolled_back", "total_rollbacks",
      "secondary_rollbacks"},
     {REAL_TIME_AND_CYCLES, "event_ties", "fossil_collects", "num_GVT", KPS_AND_LPS}}};

static void item_read(struct ws_wide_item *item, const char *text)
{
    size_t length = item->length = strcspn(text, "=");
    item->name = text;
    item->level = ws_ends_with(text, "_KP")   ? WS_WIDE_KP
                  : ws_ends_with(text, "_LP") ? WS_WIDE_LP
                                              : WS_WIDE_PE;
    length -= item->level == WS_WIDE_PE ? 0 : 3;
    assert(length < sizeof item->field);
    snprintf(item->field, sizeof item->field, "%.*s", (int)length, text);
    for (char *c = item->field; *c != '\0'; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    if (text[item->length] == '=') {
        snprintf(item->field, sizeof item->field, "%s", text + item->length + 1);
    }
}

bool ws_wide_columns_init(struct ws_wide_columns *columns, uint32_t stream, unsigned granularity)
{
    *columns = (struct ws_wide_columns){0};
    if ((stream != FMT_STREAM_GVT && stream != FMT_STREAM_RT) || granularity > 1) {
        return false;
    }
    const char *const *list = lists[stream == FMT_STREAM_RT][granularity];
    for (uint32_t i = 0; list[i] != NULL; i++) {
        struct ws_wide_item *item = &columns->items[columns->n_items++];
        struct ws_wide_group *last = &columns->groups[columns->n_groups];
        item_read(item, list[i]);
        if (i == 0 || last[-1].level != item->level) {
            *last = (struct ws_wide_group){.level = item->level, .first_item = i};
            columns->n_groups++;
        }
        columns->groups[columns->n_groups - 1].n_items++;
    }
    return true;
}

size_t ws_wide_name(char *to, size_t size, const struct ws_wide_item *item, uint64_t number)
{
    assert(size > 0 && item->level < WS_WIDE_LEVELS);
    int n = snprintf(to, size, "%.*s", (int)item->length, item->name);
    if (item->level != WS_WIDE_PE) {
        n += snprintf(to + n, size - (size_t)n, "%" PRIu64, number);
    }
    assert(n > 0 && (size_t)n < size);
    return (size_t)n;
}
