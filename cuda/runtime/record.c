/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording of observed accesses; see module.h.
 */
#include "runtime/module.h"
#include "trace/files.h"
#include "trace/options.h"
#include <assert.h>
#include <stdlib.h>

enum { BATCH = 1024 };

struct gpu_record {
    struct ws_trace_file *file; /* NULL: the file could not be created */
    struct ws_slot_record batch[BATCH];
};

/* Returns the options of recording, which the first call reads from the environment. Returns NULL
 * if recording is off, or if memory is exhausted. The caller holds the lock. */
static struct ws_trace_options *recording(void)
{
    char error[WS_TRACE_ERROR_MAX];
    if (!gpu_state.recording) {
        struct ws_trace_options *o = malloc(sizeof *o);
        if (!o) {
            return NULL;
        }
        if (!ws_trace_options_read(o, error)) {
            gpu_say("nothing is recorded: %s", error);
            ws_trace_lost();
            o->directory[0] = '\0';
        }
        gpu_state.recording = o;
    }
    return gpu_state.recording->directory[0] != '\0' ? gpu_state.recording : NULL;
}

bool gpu_record_order(struct gpu_stream *stream, const struct gpu_kernel *kernel)
{
    if (kernel->module->rewritten) {
        return false;
    }
    gpu_lock();
    bool is_on = recording() != NULL;
    if (stream->record_number == 0 && is_on) {
        stream->record_number = ++gpu_state.recorded_streams;
    }
    gpu_unlock();
    return is_on;
}

static struct gpu_record *open_record(unsigned number)
{
    char error[WS_TRACE_ERROR_MAX];
    gpu_lock();
    const struct ws_trace_options *options = recording();
    gpu_unlock();
    struct gpu_record *record = options ? calloc(1, sizeof *record) : NULL;
    if (!record) {
        return NULL;
    }
    record->file = ws_trace_file_create(options, number, error);
    if (!record->file) {
        gpu_say("a stream is not recorded: %s", error);
        ws_trace_lost();
    }
    return record;
}

/* Returns the trace file of the stream, or NULL if there is none. */
static struct ws_trace_file *file_of(struct gpu_stream *stream)
{
    if (!stream->record) {
        stream->record = open_record(stream->record_number);
    }
    return stream->record ? stream->record->file : NULL;
}

static void observe(void *user, const struct interp_access *accesses, size_t count)
{
    struct gpu_record *r = user;
    assert(r->file != NULL);
    while (count > 0) {
        size_t n = count < BATCH ? count : BATCH;
        for (size_t i = 0; i < n; i++) {
            r->batch[i] = ws_trace_record(accesses[i].address, accesses[i].size, accesses[i].type,
                                          accesses[i].sm, accesses[i].cta);
        }
        ws_trace_file_add(r->file, r->batch, n);
        accesses += n;
        count -= n;
    }
}

interp_observer gpu_record_begin(struct gpu_stream *stream, const struct gpu_kernel *kernel,
                                 void **user)
{
    if (kernel->module->rewritten || !file_of(stream)) {
        return NULL;
    }
    ws_trace_file_launch(stream->record->file, kernel->name);
    *user = stream->record;
    return observe;
}

void gpu_record_fault(struct gpu_stream *stream, const char *message)
{
    if (stream->record_number > 0 && file_of(stream)) {
        ws_trace_file_incomplete(stream->record->file, "%s", message);
    }
}

void gpu_record_end(struct gpu_stream *stream)
{
    char error[WS_TRACE_ERROR_MAX];
    struct gpu_record *r = stream->record;
    if (!r) {
        return;
    }
    if (r->file && !ws_trace_file_finish(r->file, error)) {
        gpu_say("%s", error);
    }
    free(r);
    stream->record = NULL;
}
