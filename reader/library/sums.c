/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sums.c - makes the JSON texts of "warpscope stats" and "warpscope info"; see warpscope/reader.h.
 */
#include <stdlib.h>

#include "access/covers.h"
#include "access/file_json.h"
#include "library/run.h"
#include "stats/stats.h"

/* A text that is being written in memory. */
struct text {
    FILE *out;
    char *bytes;
    size_t size;
};

static int text_begin(struct wsr_run *run, struct text *text)
{
    text->out = open_memstream(&text->bytes, &text->size);
    return text->out == NULL ? ws_run_fail_memory(run) : WSR_OK;
}

/* Ends the writing of a text. If status is WSR_OK, stores the text in *to; the caller frees it.
 * Otherwise frees the text. Returns status, or WSR_NO_MEMORY if writing failed. */
static int text_end(struct wsr_run *run, struct text *text, int status, char **to)
{
    bool whole = ferror(text->out) == 0;
    whole &= fclose(text->out) == 0 && text->bytes != NULL;
    if (status == WSR_OK && whole) {
        *to = text->bytes;
        return WSR_OK;
    }
    free(text->bytes);
    return status == WSR_OK ? ws_run_fail_memory(run) : status;
}

static int stats_write(struct wsr_run *run, struct ws_select *select, FILE *out)
{
    bool by_found = false, done = true;
    char by_known[WS_STATS_BY_MAX] = "";
    struct ws_stats_options options = {
        .json = true, .top = WS_STATS_TOP, .by_found = &by_found, .by_known = by_known};
    struct json_writer json = {.out = out, .compact = true};
    json_object_open(&json, NULL);
    json_array_open(&json, "files");
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    for (size_t i = 0; done && i < run->paths.n_streams; i++) {
        struct ws_file file;
        ws_stream_survey(&file, &run->paths, i, NULL);
        ws_covers_add(&covers, &file);
        done = ws_stats_file_json(&json, &file, select, &options);
        ws_file_close(&file);
    }
    json_array_close(&json);
    ws_covers_json(&json, &covers);
    json_object_close(&json);
    struct ws_messages first = ws_run_keep_first(run);
    return !done                              ? ws_run_fail_memory(run)
           : ws_select_answer(select, &first) ? WSR_OK
                                              : WSR_NOT_FOUND;
}

int wsr_stats_json(wsr_run *run, const struct wsr_select *select, char **to)
{
    struct text text = {.out = NULL};
    struct ws_select chosen;
    if (run == NULL || to == NULL) {
        return WSR_INVALID;
    }
    *to = NULL;
    if (!run->opened) {
        return ws_run_fail(run, WSR_INVALID, "the recording is not open");
    }
    int status = ws_run_select(run, &chosen, select);
    if (status == WSR_OK && select != NULL && (select->where != NULL || select->fields != NULL)) {
        status = ws_run_fail(run, WSR_INVALID, "statistics have neither where nor fields");
    }
    if (status == WSR_OK) {
        status = text_begin(run, &text);
    }
    if (status == WSR_OK) {
        status = text_end(run, &text, stats_write(run, &chosen, text.out), to);
    }
    ws_select_free(&chosen);
    return status;
}

int wsr_info_json(wsr_run *run, char **to)
{
    struct text text = {.out = NULL};
    if (run == NULL || to == NULL) {
        return WSR_INVALID;
    }
    *to = NULL;
    if (!run->opened) {
        return ws_run_fail(run, WSR_INVALID, "the recording is not open");
    }
    size_t n = run->paths.n;
    struct ws_file *files = calloc(n + 1, sizeof *files);
    int status = files == NULL ? ws_run_fail_memory(run) : text_begin(run, &text);
    if (status == WSR_OK) {
        bool good = n > 0;
        for (size_t i = 0; i < n; i++) {
            ws_file_survey_joined(&files[i], &run->paths, i, false, NULL);
            ws_file_check_bodies(&files[i]);
            good &= ws_file_good(&files[i]);
        }
        ws_files_json(text.out, files, n, good);
        for (size_t i = 0; i < n; i++) {
            ws_file_close(&files[i]);
        }
        status = text_end(run, &text, WSR_OK, to);
    }
    free(files);
    return status;
}

void wsr_text_free(char *text)
{
    free(text);
}
