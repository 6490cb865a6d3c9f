/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * full_disk.c - frees disk space for records when the disk is full: gives up the journals of the
 * rank, then asks the other ranks to give up their journals.
 *
 * A rank asks another rank by setting a number (`unwanted`) in the header of the other rank's
 * journal, which that rank has mapped into memory. This needs neither disk space nor a message
 * between ranks, and reaches all ranks on the same machine. Each rank reads the number in its own
 * journal after a GVT computation. While a stream waits, its records stay in the buffers, which may
 * grow.
 *
 * Invariants
 *  F1  A stream asks once. A stream waits while it is in state STREAM_ASKS and stalled.
 *  F2  A waiting stream tries again or is switched off after two GVT computations at the latest, or
 *      when its buffers are full.
 */
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/probe.h"
#include "record/buffer/stream_private.h"
#include "text/text_new.h"

/* Number of GVT computations after which the other ranks have noticed a request. After only one GVT
 * computation, a rank has possibly not yet read the number in its journal, but is about to. */
#define ASKING_GVTS 2u

char *stream_journal_path(const char *file, uint32_t pe)
{
    assert(strlen(file) > strlen(".bin"));
    return text_new("%.*s.%u.journal", (int)(strlen(file) - strlen(".bin")), file, (unsigned)pe);
}

void streams_share_disk(struct record_stream *streams, unsigned n_streams)
{
    for (unsigned i = 0; i < n_streams; i++) {
        streams[i].rank_streams = streams;
        streams[i].n_rank_streams = n_streams;
    }
}

static bool is_full_disk(const struct fmt_error *why)
{
    return why->sys_errno == ENOSPC || why->sys_errno == EDQUOT;
}

/* Gives up the journal of one stream and frees its disk space. Recording continues without a
 * journal. */
static void give_up_journal(struct record_stream *stream)
{
    assert(stream->mode == STREAM_OPEN && stream->queue.buffers.journal >= 0);
    write_queue_hold(&stream->queue);
    stream->crash_safe = false;
    if (!buffers_leave_journal(&stream->queue.buffers)) {
        struct fmt_error why = {.status = FMT_ERR_MEMORY};
        snprintf(why.text, sizeof(why.text), "the system took the memory of the buffers");
        stream_switch_off(stream, &why);
    }
    write_queue_release(&stream->queue);
}

/* Lets a stream write again after it stopped because the disk was full. */
static void try_again(struct record_stream *stream)
{
    struct fmt_error why;
    if (stream->mode == STREAM_OPEN && write_queue_has_failed(&stream->queue, &why) &&
        is_full_disk(&why)) {
        write_queue_resume(&stream->queue);
    }
}

/* Gives up all journals of the rank, to free disk space for records. Returns false if the rank has
 * no journals. */
static bool give_up_journals(struct record_stream *stream)
{
    bool any = false;
    struct record_stream *all = stream->rank_streams != NULL ? stream->rank_streams : stream;
    unsigned n = stream->rank_streams != NULL ? stream->n_rank_streams : 1;
    for (unsigned i = 0; i < n; i++) {
        if (all[i].mode == STREAM_OPEN && all[i].queue.buffers.journal >= 0) {
            give_up_journal(&all[i]);
            any = true;
        }
    }
    for (unsigned i = 0; any && i < n; i++) {
        try_again(&all[i]);
    }
    return any;
}

static bool give_up_own(struct record_stream *stream)
{
    bool any = give_up_journals(stream);
    if (any) {
        run_warning("PE %u: no space left for %s: from here on records in buffers would not "
                    "survive a kill of the run",
                    (unsigned)stream->pe, stream->path);
    }
    return any;
}

/* ---- Other ranks ----------------------------------------------------------------------------- */

/* Asks the owner of the journal `path` to give it up. Returns false if path names no journal of the
 * record file with this file_id. */
static bool ask_for(const char *path, uint64_t file_id)
{
    struct fmt_file file;
    struct fmt_journal_head head;
    const uint64_t one = 1;
    size_t got = 0;
    if (fmt_file_open_write(&file, path, NULL) != FMT_OK) {
        return false;
    }
    const uint64_t at = FMT_JOURNAL_LIVE + offsetof(struct fmt_journal_live, unwanted);
    bool asked = file.io.read_at(file.io.ctx, &head, sizeof(head), 0, &got) == 0 &&
                 got == sizeof(head) && memcmp(head.magic, FMT_JOURNAL_MAGIC, 8) == 0 &&
                 head.file_id == file_id &&
                 file.io.write_at(file.io.ctx, &one, sizeof(one), at) == 0;
    fmt_file_close(&file, NULL);
    return asked;
}

/* Asks all other ranks to give up their journals of the record file to which the stream `of`
 * writes. Returns false if the other ranks have no such journals. */
static bool ask_ranks(const struct record_stream *of)
{
    bool any = false;
    for (uint32_t pe = 0; pe < of->queue.writer.layout.n_pes; pe++) {
        char *path = pe != of->pe ? stream_journal_path(of->path, pe) : NULL;
        any |= path != NULL && ask_for(path, of->queue.writer.layout.file_id);
        free(path);
    }
    return any;
}

/* Asks the other ranks to give up their journals of all record files. Returns false if they have no
 * journals. */
static bool ask_others(struct record_stream *stream)
{
    assert(stream->asking == STREAM_NOT_ASKED);
    bool any = false;
    for (unsigned i = 0; i < stream->n_rank_streams; i++) {
        const struct record_stream *of = &stream->rank_streams[i];
        any |= of->mode == STREAM_OPEN && ask_ranks(of);
    }
    return any;
}

bool stream_waits(struct record_stream *stream)
{
    return stream->asking == STREAM_ASKS && stream->mode == STREAM_OPEN &&
           write_queue_is_stalled(&stream->queue);
}

/* Ends the stream's wait for disk space, and tries to write again: the other ranks have had time to
 * give up their journals. */
static void end_asking(struct record_stream *stream)
{
    assert(stream->asking == STREAM_ASKS);
    stream->asking = STREAM_HAS_ASKED;
    write_queue_resume(&stream->queue);
}

void stream_settle_disk(struct record_stream *stream)
{
    struct fmt_journal_live *live = buffers_live(&stream->queue.buffers);
    if (live != NULL && atomic_load_explicit(&live->unwanted, memory_order_relaxed) != 0) {
        give_up_journals(stream);
        run_warning("PE %u: another rank has no space left for its records: from here on those in "
                    "buffers of this one would not survive a kill of the run",
                    (unsigned)stream->pe);
    }
    if (stream_waits(stream) && ++stream->asking_for >= ASKING_GVTS) {
        end_asking(stream);
    }
}

/* ---- Write errors ---------------------------------------------------------------------------- */

/* Handles a write error of a stream. patient: true if the buffers still have space or may grow, so
 * that the stream may wait. */
static void mend(struct record_stream *stream, bool patient)
{
    struct fmt_error why;
    if (stream->mode != STREAM_OPEN || !write_queue_has_failed(&stream->queue, &why)) {
        return;
    }
    bool is_full = is_full_disk(&why);
    if (is_full && give_up_own(stream)) {
        return;
    }
    if (stream_waits(stream)) {
        if (!patient) {
            end_asking(stream);
        }
    } else if (is_full && patient && stream->asking == STREAM_NOT_ASKED && ask_others(stream)) {
        stream->asking = STREAM_ASKS;
    } else {
        stream_switch_off(stream, &why);
    }
}

void stream_mend(struct record_stream *stream)
{
    mend(stream, false);
}

void stream_mend_patiently(struct record_stream *stream)
{
    mend(stream, true);
}
