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

/* arg: the class of the subscribers. */
static void show(const st_record *record, void *arg)
{
    const st_class records = (st_class)(uintptr_t)arg;
    bus_dispatch_part(record, ST_TASK_BEGIN, records);
    bus_dispatch_part(record, ST_TASK_END, records);
}

static void refresh(struct task_context *context, st_class records)
{
    void *arg = (void *)(uintptr_t)records;
    assert(context->stream != 0);
    bool is_wanted = bus_lacks_whole(context->stream, ST_TASK_BEGIN, ST_GRAPH, records) ||
                     bus_lacks_whole(context->stream, ST_TASK_END, ST_GRAPH, records);
    if (is_wanted == context->shows_parts[records]) {
        return;
    }
    /* The member is set before the calls below, which call this function again. */
    context->shows_parts[records] = is_wanted;
    st_result result = is_wanted ? st_subscribe(context->stream, ST_GRAPH, records, show, arg)
                                 : st_unsubscribe(context->stream, ST_GRAPH, records, show, arg);
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
        refresh(context, ST_SPECULATIVE);
        refresh(context, ST_COMMITTED);
    }
}

void whole_tasks_watch(struct task_context *context)
{
    assert(context->stream != 0);
    bus_on_listen(listen_changed, NULL);
    listen_changed(NULL, context->stream);
}
