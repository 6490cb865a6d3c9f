/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journals.c - creates a journal beside each record file, see files.h. The record file
 * <prefix>-<stream>.bin has one journal per PE, <prefix>-<stream>.<pe>.journal.
 */
#include "record/files.h"

#include <assert.h>
#include <errno.h>

#define JOURNAL_NOTE_MAX 512

/* Reason of the first failure to create a journal; empty: no failure. */
struct note {
    char text[JOURNAL_NOTE_MAX];
};

static void create_one(struct recorder *recorder, enum record_file_id kind, struct note *note)
{
    assert(recorder->files[kind].path != NULL);
    struct record_stream *stream = &recorder->streams[kind];
    const char *file = recorder->files[kind].path;
    char *path = stream_journal_path(file, stream->pe);
    int why = path == NULL ? ENOMEM : stream_keep_journal(stream, path, record_file_stream(kind));
    if (why != 0 && note->text[0] == '\0') {
        snprintf(note->text, sizeof(note->text), "%.300s (%zu KiB): %s", path != NULL ? path : file,
                 stream->queue.buffers.memory_size / 1024, strerror(why));
    }
    free(path);
}

static struct note create_all(struct recorder *recorder, const bool wanted[RECORD_FILES])
{
    struct note note = {""};
    for (int kind = 0; kind < RECORD_FILES; kind++) {
        if (recorder->files[kind].in_use && wanted[kind] &&
            recorder->streams[kind].mode == STREAM_OPEN) {
            create_one(recorder, (enum record_file_id)kind, &note);
        }
    }
    return note;
}

void journals_create_more(struct recorder *recorder, const bool wanted[RECORD_FILES])
{
    const struct note note = create_all(recorder, wanted);
    if (note.text[0] != '\0') {
        run_warning("records in buffers would not survive a kill of the run: %s", note.text);
    }
}

void journals_create(struct recorder *recorder, const tw_pe *pe)
{
    const struct note mine = create_all(recorder, record_all_kinds);
    struct note first = mine;
    int n_ranks = 1;
    MPI_Comm_size(MPI_COMM_ROSS, &n_ranks);
    int rank = mine.text[0] != '\0' ? (int)pe->id : n_ranks, lowest = n_ranks;
    MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_ROSS);
    if (lowest == n_ranks) {
        return;
    }
    MPI_Bcast(&first, (int)sizeof(first), MPI_BYTE, lowest, MPI_COMM_ROSS);
    if (pe->id == 0) {
        fprintf(stderr, "%s: records in buffers would not survive a kill of the run: %s\n",
                run_program_name(), first.text);
    }
}
