/* SPDX-License-Identifier: BSD-3-Clause */
/* st_flight.c - requests by models to save the flight recorder; see session.h. */
#include "session.h"

#include <string.h>

#include "engine/probe.h"
#include "record/context.h"
#include "record/flight.h"
#include "record/recorder.h"

#define STREAM_NAME "warpscope.flight"

static void save_is_committed(const st_record *record, void *arg)
{
    char why[FLIGHT_REASON_MAX];
    (void)arg;
    snprintf(why, sizeof why, "%.*s", (int)record->size, (const char *)record->data);
    flight_want(context_recorder(), why);
}

void st_flight_begin(void)
{
    const struct recorder *recorder = g_st_recorder;
    st_stream_id stream;
    if (recorder == NULL || !recorder->flight.is_on) {
        return;
    }
    st_result opened = st_stream_open(STREAM_NAME, 1, 0, &stream);
    if ((opened != ST_OK && opened != ST_DUPLICATE) ||
        st_subscribe(stream, ST_ALL_TYPES, ST_COMMITTED, save_is_committed, NULL) != ST_OK) {
        run_warning("st_flight_save() has no effect: out of memory for its stream");
    }
}

void st_flight_save(const char *why)
{
    const struct recorder *recorder = g_st_recorder;
    if (recorder == NULL || !recorder->flight.is_on) {
        return;
    }
    size_t length = strlen(why);
    length = length < FLIGHT_REASON_MAX - 1 ? length : FLIGHT_REASON_MAX - 1;
    st_notify(st_stream_find(STREAM_NAME), ST_DIAGNOSTIC, NULL, why, length);
}
