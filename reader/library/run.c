/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - opens and closes recordings, and keeps the text that wsr_message() returns; see
 * warpscope/reader.h.
 */
#include "library/run.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ross.config.h"

/* ---- Messages -------------------------------------------------------------------------------- */

const char *wsr_version(void)
{
    return WARPSCOPE_VERSION;
}

const char *wsr_message(const wsr_run *run)
{
    return run == NULL ? wsr_status_text(WSR_NO_MEMORY) : run->message;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Opens all files of the run, and describes them. Returns an enum wsr_status. */
static int files_open(struct wsr_run *run)
{
    const char *operand = run->path;
    struct ws_messages first = ws_run_keep_first(run);
    errno = 0;
    if (!ws_files_gather(&run->paths, &operand, 1, &first)) {
        return errno == EACCES || errno == EMFILE ? WSR_SYSTEM
               : errno == ENOMEM                  ? WSR_NO_MEMORY
                                                  : WSR_NOT_FOUND;
    }
    run->paths.journals = WS_JOURNALS_NONE;
    size_t n = run->paths.n;
    assert(n > 0);
    run->streams = calloc(2 * run->paths.n_streams, sizeof *run->streams);
    run->files = calloc(n, sizeof *run->files);
    run->facts = calloc(n, sizeof *run->facts);
    if (run->streams == NULL || run->files == NULL || run->facts == NULL) {
        return ws_run_fail_memory(run);
    }
    for (size_t k = 0; k < run->paths.n_streams; k++) {
        struct ws_file *stream = &run->streams[k];
        ws_stream_survey(stream, &run->paths, k, NULL);
        if (ws_stream_parts(stream) != run->paths.streams[k].n) {
            return ws_run_fail_memory(run);
        }
    }
    return ws_run_files_describe(run);
}

/* Sets the text that wsr_message() returns to the first fault of a stream that could not be read, and
 * returns the enum wsr_status for it. */
static int unreadable(struct wsr_run *run, const struct ws_file *stream)
{
    const struct fmt_error *error = &stream->faults[0];
    return ws_run_fail(run, ws_run_status(error), "%s", error->text);
}

/* Reads once more, with their journals, the streams that have some. Returns an enum wsr_status. */
static int journals_read(struct wsr_run *run)
{
    const size_t n = run->paths.n_streams;
    run->paths.journals = WS_JOURNALS_ALL;
    for (size_t k = 0; k < n; k++) {
        struct ws_file *plain = &run->streams[k], *full = &run->streams[n + k];
        struct wsr_file *files = &run->files[run->paths.streams[k].first];
        bool has = false;
        for (uint32_t i = 0; i < ws_stream_parts(plain); i++) {
            has |= files[i].journals > 0;
        }
        if (has) {
            ws_stream_survey(full, &run->paths, k, NULL);
        }
        if (has && full->pes == NULL) {
            return unreadable(run, full);
        }
        for (uint32_t i = 0; has && i < ws_stream_parts(full); i++) {
            /* Damage in buffers can also take away records that blocks had. */
            uint64_t all = ws_stream_part(full, i)->records, own = files[i].records;
            files[i].pending = all > own ? all - own : 0;
        }
    }
    run->paths.journals = WS_JOURNALS_NONE;
    return WSR_OK;
}

int wsr_open(wsr_run **to, const char *path, unsigned flags)
{
    if (to == NULL) {
        return WSR_INVALID;
    }
    struct wsr_run *run = *to = calloc(1, sizeof *run);
    if (run == NULL) {
        return WSR_NO_MEMORY;
    }
    if (path == NULL || (flags & ~WSR_JOURNALS) != 0) {
        return ws_run_fail(run, WSR_INVALID, path == NULL ? "no path is given" : "unknown flag");
    }
    run->path = strdup(path);
    int status = run->path == NULL ? ws_run_fail_memory(run) : files_open(run);
    if (status == WSR_OK && run->first == NULL) {
        status = unreadable(run, &run->streams[0]);
    }
    if (status == WSR_OK && (flags & WSR_JOURNALS) != 0) {
        status = journals_read(run);
    }
    if (status == WSR_OK) {
        status = ws_run_kinds_make(run);
    }
    run->opened = status == WSR_OK;
    return status;
}

void wsr_close(wsr_run *run)
{
    if (run == NULL) {
        return;
    }
    while (run->scans != NULL) {
        wsr_scan_end(run->scans);
    }
    ws_run_kinds_free(run);
    for (size_t k = 0; run->streams != NULL && k < 2 * run->paths.n_streams; k++) {
        ws_file_close(&run->streams[k]);
    }
    for (size_t i = 0; run->facts != NULL && i < run->paths.n; i++) {
        free(run->facts[i]);
    }
    free(run->findings);
    free(run->streams);
    free(run->files);
    free(run->facts);
    ws_files_free(&run->paths);
    free(run->path);
    free(run);
}
