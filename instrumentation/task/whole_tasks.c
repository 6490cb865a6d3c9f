/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole_tasks.c - delivers whole tasks to subscribers of beginnings and ends.
 *
 * A whole task is reported by one record of type ST_GRAPH with one number. A subscriber to
 * ST_TASK_BEGIN or ST_TASK_END gets it under these types, the beginning first. For each class, this
 * file subscribes to ST_GRAPH only while that class has such a subscriber.
 */
#include <assert.h>

#include "bus/bus.h"
#include "task/trace.h"

static void show_speculative(const st_record *record, void *arg)
{
    (void)arg;
    bus_dispatch_part(record, ST_TASK_BEGIN, ST_SPECULATIVE);
    bus_dispatch_part(record, ST_TASK_END, ST_SPECULATIVE);
}

static void show_committed(const st_record *record, void *arg)
{
    (void)arg;
    bus_dispatch_part(record, ST_TASK_BEGIN, ST_COMMITTED);
    bus_dispatch_part(record, ST_TASK_END, ST_COMMITTED);
}

static void refresh(struct trace *trace, st_class records, st_callback show)
{
    assert(trace->stream != 0);
    bool is_wanted = bus_lacks_whole(trace->stream, ST_TASK_BEGIN, ST_GRAPH, records) ||
                     bus_lacks_whole(trace->stream, ST_TASK_END, ST_GRAPH, records);
    if (is_wanted == trace->shows_parts[records]) {
        return;
    }
    /* Set before the calls below, which call this function again. */
    trace->shows_parts[records] = is_wanted;
    st_result result = is_wanted ? st_subscribe(trace->stream, ST_GRAPH, records, show, NULL)
                                 : st_unsubscribe(trace->stream, ST_GRAPH, records, show, NULL);
    if (result == ST_NO_MEMORY) {
        tw_warning(TW_LOC, "out of memory for subscribers to tasks: they do not get those that "
                           "st_task_add() adds as a whole");
    }
}

static void listen_changed(void *ctx, st_stream_id stream)
{
    struct trace *trace = trace_context_or_null(); /* the bus exists longer than the context */
    (void)ctx;
    if (trace != NULL && stream == trace->stream && stream != 0) {
        refresh(trace, ST_SPECULATIVE, show_speculative);
        refresh(trace, ST_COMMITTED, show_committed);
    }
}

void whole_tasks_watch(struct trace *trace)
{
    assert(trace->stream != 0);
    bus_on_listen(listen_changed, NULL);
    listen_changed(NULL, trace->stream);
}
