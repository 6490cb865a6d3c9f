/* SPDX-License-Identifier: BSD-3-Clause */
/* dump.c - ws_dump_streams() of recorder.h. The program contains it although only a debugger calls it. */
#include "record/recorder.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "record/context.h"

static void print_channel(const struct record_channel *channel)
{
    size_t used = (size_t)(channel->next - channel->rows);
    size_t space = (size_t)(channel->end - channel->rows);
    fprintf(stderr, "    %-12s %" PRIu64 " records, sub-buffer %zu of %zu bytes%s\n",
            channel->schema->name, channel->n_records, used, space,
            channel->is_discarding ? ", discarding" : "");
}

static void print_stream(const struct record_stream *stream)
{
    static const char *const modes[] = {"not in use", "memory only", "open", "off", "closed"};
    const struct write_queue *queue = &stream->queue;
    assert((size_t)stream->mode < sizeof modes / sizeof modes[0]);
    fprintf(stderr, "  %s: %s, %u closed sub-buffers wait%s%s, %u of %u sub-buffers have memory\n",
            stream->path != NULL ? stream->path : "(no file)", modes[stream->mode], queue->n,
            queue->stalled ? ", stalled by an error" : "", queue->held ? ", held" : "",
            queue->buffers.n, queue->buffers.n_max);
    for (unsigned i = 0; i < stream->n_channels; i++) {
        print_channel(&stream->channels[i]);
    }
}

__attribute__((used, noinline)) void ws_dump_streams(void)
{
    const struct recorder *recorder = g_st_recorder;
    if (recorder == NULL) {
        fprintf(stderr, "nothing is recorded\n");
        return;
    }
    for (unsigned i = 0; i < RECORD_FILES; i++) {
        if (recorder->streams[i].mode != STREAM_NONE) {
            print_stream(&recorder->streams[i]);
        }
    }
}
