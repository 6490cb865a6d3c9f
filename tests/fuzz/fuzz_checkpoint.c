/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Restarts from hostile checkpoint files. For any file, reading ends, with memory in proportion to
 * the file; an error has a message of one line. An accepted file leaves the engine with events in
 * order, in a state that can be written and read again.
 *
 * The mutator (checkpoint_mutate.c) corrects checksums.
 */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz/checkpoint_mutate.h"
#include "fuzz/fuzz_promise.h"
#include "support/checkpoint_engine.h"

static void begin(void)
{
    int is_initialized;
    MPI_Initialized(&is_initialized);
    if (!is_initialized) {
        MPI_Init(NULL, NULL);
        engine_begin();
    }
    engine_empty();
}

static bool read_file(void)
{
    char error[CKPT_ERROR_SIZE];
    bool good = engine_read(error);
    if (!good) {
        promise_message(error, sizeof error);
    }
    return good;
}

size_t checkpoint_make(uint8_t *data, size_t max_size)
{
    begin();
    engine_fill();
    engine_write();
    engine_empty();
    promise(read_file(), "what the engine has written is accepted");
    engine_empty();
    size_t size = engine_get(data, max_size);
    return size <= max_size ? size : 0;
}

/* All events come in order, for existing LPs. */
static void events_check(void)
{
    const tw_event *before = NULL;
    tw_event *kept = NULL, *event;
    while ((event = pending_pop(pe->pending)) != NULL) {
        promise(before == NULL || event_compare(before, event) <= 0, "events come in order");
        promise(event->send_lp < LPS && event->dest_lpid < LPS, "events are of LPs that exist");
        promise(event->recv_ts >= CUT_AT && event->recv_ts <= DBL_MAX, "events are in the future");
        before = event;
        event->prev = kept;
        kept = event;
    }
    while (kept != NULL) {
        event = kept;
        kept = event->prev;
        event_pool_put(&pe->pool, event);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    begin();
    engine_put(data, size);
    if (read_file() && pe->checkpoint->from_run.at == CUT_AT) {
        engine_write();
        engine_empty();
        promise(read_file(), "what was restored can be written and read again");
        events_check();
    }
    engine_empty();
    return 0;
}
