/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journals.c - creates a journal beside each record file, see files.h. The record file
 * <prefix>-<stream>.bin has one journal per PE, <prefix>-<stream>.<pe>.journal.
 */
#include "record/files.h"

#include <assert.h>
#include <errno.h>

#include "record/base/agree.h"

/* Creates the journal of a file. After a failure, `note` receives the reason if it is empty. */
static void create_one(struct recorder *recorder, enum record_file_id kind,
                       char note[AGREE_MESSAGE_MAX])
{
    assert(recorder->files[kind].path != NULL);
    struct record_stream *stream = &recorder->streams[kind];
    const char *file = recorder->files[kind].path;
    char *path = stream_journal_path(file, stream->pe);
    int why = path == NULL ? ENOMEM : stream_keep_journal(stream, path, record_file_stream(kind));
    if (why != 0 && note[0] == '\0') {
        snprintf(note, AGREE_MESSAGE_MAX, "%.300s (%zu KiB): %s", path != NULL ? path : file,
                 stream->queue.buffers.memory_size / 1024, strerror(why));
    }
    free(path);
}

static void journals_create_wanted(struct recorder *recorder, const bool wanted[RECORD_FILES],
                                   char note[AGREE_MESSAGE_MAX])
{
    note[0] = '\0';
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (recorder->files[kind].in_use && wanted[kind] &&
            recorder->streams[kind].mode == STREAM_OPEN) {
            create_one(recorder, (enum record_file_id)kind, note);
        }
    }
}

void journals_create_more(struct recorder *recorder, const bool wanted[RECORD_FILES])
{
    char note[AGREE_MESSAGE_MAX];
    journals_create_wanted(recorder, wanted, note);
    if (note[0] != '\0') {
        run_warning("records in buffers would not survive a kill of the run: %s", note);
    }
}

void journals_create(struct recorder *recorder, const tw_pe *pe)
{
    char note[AGREE_MESSAGE_MAX];
    journals_create_wanted(recorder, record_all_kinds, note);
    const enum tw_status mine = note[0] == '\0' ? TW_OK : TW_ERR_IO;
    if (agree_on_error(mine, note, sizeof note) != TW_OK && pe->id == 0) {
        fprintf(stderr, "%s: records in buffers would not survive a kill of the run: %s\n",
                run_program_name(), note);
    }
}
