/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus.c - streams, records and points of the bus, in a program that is no simulation. In a model, the calls are the
 * same.
 *
 *     cc -o bus bus.c $(pkg-config --cflags --libs warpscope-bus)
 *     ./bus
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "st_bus.h"

static st_stream_id stream;
static unsigned n_records;

static void on_record(const st_record *record, void *arg)
{
    printf("%s: %s %s, visit %" PRIu64 "%s\n", (const char *)arg, st_stream_name(record->stream),
           st_type_name(record->type), record->instance,
           st_point_attached(record->point, &n_records) != NULL ? ", of the main program" : "");
    n_records++;
}

static void print_key(const char *key, const char *value, void *arg)
{
    (void)arg;
    printf("  %s = %s\n", key, value);
}

/* The texts, kinds and values of a point. */
static void points(void)
{
    static int own; /* any address of this program */
    st_kind kind;
    st_activity activity;
    uint64_t calls;
    const st_point *point = st_point_make("cook", "kitchen.c", 7, 0, &calls);
    const st_point *code = st_point_make_at("points", (const void *)(uintptr_t)points, NULL);
    st_kind_register("kitchen", 0, &kind);
    st_activity_register("kitchen", 0, &activity);
    st_point_describe(point, kind, activity);
    printf("%s, %s, %s at line %u\n", st_string_text(point->function), st_kind_name(kind),
           st_activity_name(activity), (unsigned)point->line);
    st_point_set(point, "dish", "soup");
    st_point_each(point, print_key, NULL);
    assert(st_point_get(point, "dish") != NULL && st_point_get(point, "wine") == NULL);
    assert(point->function == st_string("cook")); /* equal texts have equal ids */
    assert(st_point_by_id(point->id) == point && st_point_address(point) == NULL);
    assert(st_point_address(code) == (const void *)(uintptr_t)points);
    st_point_attach(point, &own, &own);
    assert(st_point_attached(point, &own) == &own);
}

/* The work that tools watch. ST_NOTIFY() and ST_SCOPE() do the same, and test for subscribers themselves. */
static void work(st_type served)
{
    uint64_t visit = 0;
    st_scope scope;
    st_scope_begin(&scope, stream, ST_REGION, NULL, ST_POINT(), NULL, 0);
    if (st_listened(stream) && st_enabled(stream, served)) { /* otherwise spare the data */
        const double price = 3.5;
        st_notify(stream, served, ST_POINT(), &price, sizeof price);
        st_notify_instance(stream, ST_TASK_BEGIN, NULL, ST_POINT(), &visit, NULL, 0);
        st_notify_instance(stream, ST_TASK_END, NULL, ST_POINT(), &visit, NULL, 0);
    }
    st_scope_end(&scope);
}

int main(void)
{
    char name[] = "seen";
    st_type served;
    st_result result = st_stream_open_version("kitchen", 1, 2, "1.2-draft", &stream);
    if (result != ST_OK) {
        fprintf(stderr, "bus: %s\n", st_result_text(result));
        return 1;
    }
    st_type_register("kitchen", 1, &served);
    st_point_attach(ST_POINT(), &n_records, name);
    printf("stream %s, version %s\n", st_stream_name(stream), st_stream_version(stream));
    assert(st_stream_find("kitchen") == stream);
    points();
    work(served); /* without a subscriber */
    st_subscribe(stream, ST_ALL_TYPES, ST_COMMITTED, on_record, name);
    work(served);
    st_unsubscribe(stream, ST_ALL_TYPES, ST_COMMITTED, on_record, name);
    st_settle(); /* from here on, on_record() is called no more, and `name` may go */
    const bool watched = st_trace_enabled(); /* by --subscribers */
    work(served);
    st_stream_close("kitchen");
    return n_records == 5 || watched ? 0 : 1;
}
