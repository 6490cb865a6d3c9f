/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * row_streams.c - delivers the rows of the recorder's channels. It uses taps: functions that a
 * channel calls for each row.
 *
 * A channel has a tap only while its stream on the bus has a subscriber. Each row is then delivered
 * right after it was written. Samples are final when they are taken. Of the traces, the trace of
 * committed events is final. Rows of the other traces report executions that may still be undone,
 * so only speculative subscribers get them.
 */
#include "bus/sources/row_streams.h"

#include <assert.h>

#include "bus/bus.h"
#include "bus/deferred.h"
#include "record/options/options.h"

static void emit_row(st_stream_id stream, const struct record_channel *channel, st_record *record,
                     bool is_committed)
{
    assert(stream != 0);
    record->stream = stream;
    record->type = st_row_type(channel->schema->id);
    deferred_dispatch(record, ST_SPECULATIVE);
    if (is_committed) {
        deferred_dispatch(record, ST_COMMITTED);
    }
}

static void sample_row(void *ctx, const struct record_channel *channel, const void *row,
                       size_t bytes)
{
    const struct row_streams *rows = ctx;
    st_record record = {.size = (uint32_t)bytes, .data = row, .lp = ST_NO_LP, .ts = g_tw_pe->GVT};
    emit_row(rows->sample, channel, &record, true);
}

/* Delivers a row of the event trace. A row about a rollback begins with the members of a row about
 * an event. */
static void trace_row(void *ctx, const struct record_channel *channel, const void *row,
                      size_t bytes)
{
    const struct row_streams *rows = ctx;
    const struct fmt_event_row *event = row;
    assert(bytes >= sizeof(*event));
    st_record record = {
        .size = (uint32_t)bytes, .data = row, .lp = event->dest_lp, .ts = event->recv_ts};
    emit_row(rows->trace, channel, &record, rows->trace_is_committed);
}

/* Sets the tap of all channels of a stream of records; NULL removes it. */
static void tap_channels(struct record_stream *stream, const struct channel_tap *tap)
{
    for (unsigned i = 0; i < stream->n_channels; i++) {
        stream->channels[i].tap = tap;
    }
}

static bool is_listened(st_stream_id stream)
{
    return stream != 0 && g_st_listened[stream] != 0;
}

static void tap_all(struct row_streams *rows)
{
    assert(rows->recorder != NULL);
    struct record_stream *streams = rows->recorder->streams;
    const struct channel_tap *sample = is_listened(rows->sample) ? &rows->sample_tap : NULL;
    tap_channels(&streams[RECORD_GVT], sample);
    tap_channels(&streams[RECORD_RT], sample);
    tap_channels(&streams[RECORD_VT], sample);
    tap_channels(&streams[RECORD_MODEL], sample);
    tap_channels(&streams[RECORD_EVTRACE], is_listened(rows->trace) ? &rows->trace_tap : NULL);
}

static void listen_changed(void *ctx, st_stream_id stream)
{
    struct row_streams *rows = ctx;
    if (rows->recorder != NULL && (stream == rows->sample || stream == rows->trace)) {
        tap_all(rows);
    }
}

void row_streams_open(struct row_streams *rows)
{
    st_stream_open(ST_SAMPLE_STREAM, 1, 0, &rows->sample);
    st_stream_open(ST_TRACE_STREAM, 1, 0, &rows->trace);
}

void row_streams_begin(struct row_streams *rows, struct recorder *recorder)
{
    rows->recorder = recorder;
    rows->sample_tap = (struct channel_tap){sample_row, rows};
    rows->trace_tap = (struct channel_tap){trace_row, rows};
    if (recorder != NULL) {
        rows->trace_is_committed = recorder->options.event_trace == RECORD_TRACE_COMMITTED;
        bus_on_listen(listen_changed, rows);
        tap_all(rows);
    }
}

void row_streams_refresh(struct row_streams *rows)
{
    if (rows->recorder != NULL) {
        rows->trace_is_committed = rows->recorder->options.event_trace == RECORD_TRACE_COMMITTED;
        tap_all(rows);
    }
}

/* Returns true if a channel of the recorder has a tap. */
static bool has_taps(const struct recorder *recorder)
{
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        const struct record_stream *stream = &recorder->streams[kind];
        for (unsigned i = 0; i < stream->n_channels; i++) {
            if (stream->channels[i].tap != NULL) {
                return true;
            }
        }
    }
    return false;
}

/* All taps must have been removed already: the channels outlive this object, and a remaining tap
 * would be called without its streams. */
void row_streams_fini(struct row_streams *rows)
{
    const bool any_tap = rows->recorder != NULL && has_taps(rows->recorder);
    assert(!any_tap);
    (void)any_tap;
    *rows = (struct row_streams){0};
}
