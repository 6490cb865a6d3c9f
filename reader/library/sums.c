/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sums.c - makes the JSON texts of "warpscope stats" and "warpscope info"; see warpscope/reader.h.
 */
#include <stdlib.h>

#include "library/run.h"

/* Writes a text in memory by `write`, and stores it in *to; the caller frees it. select: borrowed,
 * passed to write. Returns the status of write, or another one. */
static int text_make(struct wsr_run *run, char **to, struct ws_select *select,
                     int (*write)(struct wsr_run *run, struct ws_select *select, FILE *out))
{
    char *bytes = NULL;
    size_t size;
    FILE *out = open_memstream(&bytes, &size);
    if (out == NULL) {
        return ws_run_fail_memory(run);
    }
    int status = write(run, select, out);
    bool whole = ferror(out) == 0;
    whole &= fclose(out) == 0 && bytes != NULL;
    if (status == WSR_OK && whole) {
        *to = bytes;
        return WSR_OK;
    }
    free(bytes);
    return status == WSR_OK ? ws_run_fail_memory(run) : status;
}

static int stats_write(struct wsr_run *run, struct ws_select *select, FILE *out)
{
    struct ws_stats_options options = {.top = WS_STATS_TOP};
    struct json_writer json = {.out = out, .compact = true};
    struct ws_file *streams = calloc(run->paths.n_streams + 1, sizeof *streams);
    size_t n = 0;
    for (; streams != NULL && n < run->paths.n_streams; n++) {
        ws_stream_survey(&streams[n], &run->paths, n, NULL);
    }
    bool done = streams != NULL && ws_stats_json(&json, streams, n, select, &options);
    while (n > 0) {
        ws_file_close(&streams[--n]);
    }
    free(streams);
    struct ws_messages first = ws_run_keep_first(run);
    return !done                              ? ws_run_fail_memory(run)
           : ws_select_answer(select, &first) ? WSR_OK
                                              : WSR_NOT_FOUND;
}

int wsr_stats_json(wsr_run *run, const struct wsr_select *select, char **to)
{
    struct ws_select chosen;
    if (run == NULL || to == NULL) {
        return WSR_INVALID;
    }
    *to = NULL;
    int status = ws_run_ready(run);
    if (status != WSR_OK) {
        return status;
    }
    status = ws_run_select(run, &chosen, select);
    if (status == WSR_OK && select != NULL && (select->where != NULL || select->fields != NULL)) {
        status = ws_run_fail(run, WSR_INVALID, "statistics have neither where nor fields");
    }
    if (status == WSR_OK) {
        status = text_make(run, to, &chosen, stats_write);
    }
    ws_select_free(&chosen);
    return status;
}

static int info_write(struct wsr_run *run, struct ws_select *select, FILE *out)
{
    size_t n = run->paths.n;
    bool good = n > 0;
    struct ws_file *files = calloc(n + 1, sizeof *files);
    (void)select;
    if (files == NULL) {
        return ws_run_fail_memory(run);
    }
    for (size_t i = 0; i < n; i++) {
        ws_file_survey_joined(&files[i], &run->paths, i, WS_USUAL, NULL);
        ws_file_check_bodies(&files[i]);
        good &= ws_file_good(&files[i]);
    }
    ws_files_json(out, &run->paths, files, n, good);
    for (size_t i = 0; i < n; i++) {
        ws_file_close(&files[i]);
    }
    free(files);
    return WSR_OK;
}

int wsr_info_json(wsr_run *run, char **to)
{
    if (run == NULL || to == NULL) {
        return WSR_INVALID;
    }
    *to = NULL;
    int status = ws_run_ready(run);
    return status == WSR_OK ? text_make(run, to, NULL, info_write) : status;
}

void wsr_text_free(char *text)
{
    free(text);
}
