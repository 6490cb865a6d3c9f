/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.c - opens and closes recordings, and keeps the text that wsr_message() returns; see
 * warpscope/reader.h.
 */
#include "library/run.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
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

/* Opens all files of the run. Returns an enum wsr_status. */
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
    run->paths.without_journals = true; /* scans read them, if the caller wants them (live.h) */
    size_t n = run->paths.n;
    assert(n > 0);
    run->streams = calloc(run->paths.n_streams, sizeof *run->streams);
    run->parts = calloc(n, sizeof *run->parts);
    run->files = calloc(n, sizeof *run->files);
    run->facts = calloc(n, sizeof *run->facts);
    if (run->streams == NULL || run->parts == NULL || run->files == NULL || run->facts == NULL) {
        return ws_run_fail_memory(run);
    }
    for (size_t k = 0; k < run->paths.n_streams; k++) {
        run->streams[k].file.fd = -1;
    }
    for (size_t k = 0; k < run->paths.n_streams; k++) {
        struct ws_file *stream = &run->streams[k];
        ws_stream_survey(stream, &run->paths, k, NULL);
        stream->faults_once = true;
        for (size_t i = 0; i < run->paths.streams[k].n; i++) {
            if (ws_stream_parts(stream) != run->paths.streams[k].n) {
                return ws_run_fail_memory(run);
            }
            run->parts[run->paths.streams[k].first + i] = ws_stream_part(stream, (uint32_t)i);
        }
    }
    return WSR_OK;
}

/* Sets the text that wsr_message() returns to the first fault of the first stream, and returns the
 * enum wsr_status for it. Called if no file could be read. */
static int unreadable(struct wsr_run *run)
{
    const struct fmt_error *error = &run->streams[0].faults[0];
    return ws_run_fail(run, ws_run_status(error), "%s", error->text);
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
    run->flags = flags;
    run->path = strdup(path);
    int status = run->path == NULL ? ws_run_fail_memory(run) : files_open(run);
    if (status == WSR_OK) {
        status = ws_run_files_describe(run);
    }
    if (status == WSR_OK && run->first == NULL) {
        status = unreadable(run);
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
    for (size_t k = 0; run->streams != NULL && k < run->paths.n_streams; k++) {
        ws_file_close(&run->streams[k]);
    }
    for (size_t i = 0; run->facts != NULL && i < run->paths.n; i++) {
        free(run->facts[i]);
    }
    free(run->findings);
    free(run->streams);
    free(run->parts);
    free(run->files);
    free(run->facts);
    ws_files_free(&run->paths);
    free(run->path);
    free(run);
}
