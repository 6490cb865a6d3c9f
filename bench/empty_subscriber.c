/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * empty_subscriber.c - a subscriber of class committed that receives all records of the engine and
 * does nothing. bench_instrumentation loads it to measure the cost of delivery.
 */
#include <string.h>

#include "st_hook.h"

static void take(const st_record *record, void *arg)
{
    (void)record;
    (void)arg;
}

void st_subscriber_init(const st_api *api, unsigned major, unsigned minor, const char *version,
                        const char *stream)
{
    (void)major;
    (void)minor;
    (void)version;
    if (strcmp(stream, ST_ENGINE_STREAM) == 0) {
        api->subscribe(api->stream_find(stream), ST_ALL_TYPES, ST_COMMITTED, take, NULL);
    }
}

void st_subscriber_fini(const char *stream)
{
    (void)stream;
}
