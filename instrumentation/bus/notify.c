/*
 * notify.c - emitting records, and handing them to who listens.
 *
 * Cost: without listeners a load; else see held_emit() and subscriptions.c.
 */
#include "bus/api.h"
#include "bus/held.h"
#include "bus/state.h"

#define SIZE_MAX_BYTES 65536u

static inline void dispatch(const struct subscribers *to, const st_record *record, st_class records)
{
    subscribers_call(to, &g_st_bus.dispatching, record, records);
}

/* Before tw_init() and after tw_end(): there is no event that a record could belong to. */
static void emit_outside(const st_record *record)
{
    const struct subscribers *to = &g_st_bus.streams.by_id[record->stream]->subscribers;
    dispatch(to, record, ST_SPECULATIVE);
    if (g_st_listened[record->stream] != 0) { /* a subscriber may have closed it */
        dispatch(to, record, ST_COMMITTED);
    }
}

/* Subscribers may count on alignment, models need not care: emits an aligned copy. */
static __attribute__((noinline)) st_result notify_aligned(st_stream_id stream, st_type type,
                                                          const st_point *point, const void *data,
                                                          size_t size)
{
    _Alignas(16) unsigned char copy[SIZE_MAX_BYTES];
    memcpy(copy, data, size);
    return st_notify(stream, type, point, copy, size);
}

st_result st_notify(st_stream_id stream, st_type type, const st_point *point, const void *data,
                    size_t size)
{
    if (g_st_listened[stream] == 0) {
        return ST_OK;
    }
    if (size > SIZE_MAX_BYTES || (data == NULL && size > 0) || type == ST_ALL_TYPES) {
        return ST_INVALID;
    }
    if (((uintptr_t)data & 7u) != 0) {
        return notify_aligned(stream, type, point, data, size);
    }
    const st_record record = {.stream = stream,
                              .type = type,
                              .size = (uint32_t)size,
                              .data = data,
                              .point = point,
                              .lp = ST_NO_LP};
    if (g_tw_pe == NULL) {
        emit_outside(&record);
    } else if (st_enabled(stream, type) || held_tells_undone(&g_st_held, stream)) {
        held_emit(&record);
    }
    return ST_OK;
}

void bus_dispatch(const st_record *record, st_class records)
{
    if (g_st_listened[record->stream] != 0) {
        dispatch(&g_st_bus.streams.by_id[record->stream]->subscribers, record, records);
    }
}

void bus_dispatch_undone(st_stream_id stream, const st_undone *undone, tw_stime ts)
{
    const st_record record = {.stream = stream,
                              .type = ST_ROLLBACK,
                              .size = sizeof *undone,
                              .data = undone,
                              .lp = undone->lp,
                              .ts = ts,
                              .number = undone->first};
    held_tell(&record, ST_SPECULATIVE); /* what they emit then answers this */
}

/* ---- For libraries ------------------------------------------------------------------------------
 */

static const char *api_stats_path(void)
{
    return stats_dir_ask(&g_st_bus.stats_dir);
}

static unsigned api_rank(void)
{
    return (unsigned)g_tw_mynode;
}

static unsigned api_n_ranks(void)
{
    return tw_nnodes();
}

const st_api bus_api = {.size = sizeof(st_api),
                        .result_text = st_result_text,
                        .string = st_string,
                        .string_text = st_string_text,
                        .stream_open = st_stream_open,
                        .stream_close = st_stream_close,
                        .stream_find = st_stream_find,
                        .stream_name = st_stream_name,
                        .point_make = st_point_make,
                        .point_by_id = st_point_by_id,
                        .point_set = st_point_set,
                        .point_get = st_point_get,
                        .type_register = st_type_register,
                        .type_name = st_type_name,
                        .subscribe = st_subscribe,
                        .unsubscribe = st_unsubscribe,
                        .notify = st_notify,
                        .stats_path = api_stats_path,
                        .rank = api_rank,
                        .n_ranks = api_n_ranks,
                        .enabled = st_enabled,
                        .trace_enabled = st_trace_enabled,
                        .point_each = st_point_each};
