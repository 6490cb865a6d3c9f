/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus_notify.h - streams with no, one and two subscribers, and operations that emit records into a
 * stream, for bus.c and bus_threads.c. The callbacks do nothing.
 */
#ifndef WARPSCOPE_BENCH_BUS_NOTIFY_H
#define WARPSCOPE_BENCH_BUS_NOTIFY_H

#include "st_bus.h"

struct bus_streams {
    st_stream_id silent, one, two;
};

static inline void bus_ignore(const st_record *record, void *arg)
{
    (void)record, (void)arg;
}

static inline void bus_streams_open(struct bus_streams *s)
{
    st_stream_open("silent", 1, 0, &s->silent);
    st_stream_open("one", 1, 0, &s->one);
    st_stream_open("two", 1, 0, &s->two);
    st_subscribe(s->one, ST_TASK_BEGIN, ST_SPECULATIVE, bus_ignore, s);
    st_subscribe(s->one, ST_TASK_END, ST_SPECULATIVE, bus_ignore, s);
    st_subscribe(s->two, ST_TASK_BEGIN, ST_SPECULATIVE, bus_ignore, s);
    st_subscribe(s->two, ST_TASK_BEGIN, ST_SPECULATIVE, bus_ignore, NULL);
}

/* Keeps the compiler from moving reads of the bus out of a loop. */
static inline void bus_forget(void)
{
    __asm__ volatile("" ::: "memory");
}

/* Emits n records that have a payload. */
static inline void bus_notify(st_stream_id stream, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bus_forget();
        const size_t payload = i;
        ST_NOTIFY(stream, ST_TASK, ST_POINT(), &payload, sizeof payload);
    }
}

/* Emits n pairs of records, for the begin and the end of a scope. */
static inline void bus_scopes(st_stream_id stream, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bus_forget();
        ST_SCOPE(stream, ST_TASK, ST_POINT());
    }
}

#endif
