/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole_tasks.c - delivers whole tasks to subscribers of beginnings and ends.
 *
 * A whole task is reported by a single record of type ST_GRAPH. A subscriber to ST_TASK_BEGIN or
 * ST_TASK_END gets this record under that type. A subscriber to both types gets the record twice:
 * first as the beginning, then as the end. For each class, this file subscribes to ST_GRAPH only
 * while the class has a subscriber to one of these types.
 */
#include <assert.h>

#include "bus/bus.h"
#include "task/context.h"

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

static void refresh(struct task_context *context, st_class records, st_callback show)
{
    assert(context->stream != 0);
    bool is_wanted = bus_lacks_whole(context->stream, ST_TASK_BEGIN, ST_GRAPH, records) ||
                     bus_lacks_whole(context->stream, ST_TASK_END, ST_GRAPH, records);
    if (is_wanted == context->shows_parts[records]) {
        return;
    }
    /* The member is set before the calls below, which call this function again. */
    context->shows_parts[records] = is_wanted;
    st_result result = is_wanted ? st_subscribe(context->stream, ST_GRAPH, records, show, NULL)
                                 : st_unsubscribe(context->stream, ST_GRAPH, records, show, NULL);
    if (result == ST_NO_MEMORY) {
        tw_warning(TW_LOC, "out of memory for subscribers to tasks: they do not get those that "
                           "st_task_add() adds as a whole");
    }
}

static void listen_changed(void *ctx, st_stream_id stream)
{
    struct task_context *context =
        task_context_or_null(); /* the bus may exist longer than the context */
    (void)ctx;
    if (context != NULL && stream == context->stream && stream != 0) {
        refresh(context, ST_SPECULATIVE, show_speculative);
        refresh(context, ST_COMMITTED, show_committed);
    }
}

void whole_tasks_watch(struct task_context *context)
{
    assert(context->stream != 0);
    bus_on_listen(listen_changed, NULL);
    listen_changed(NULL, context->stream);
}
