/* SPDX-License-Identifier: BSD-3-Clause */
/* problems.c - writes as JSON what a recording lacks: parts, times and records; see report.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "access/journals.h"
#include "render/plot.h"
#include "report/report.h"

#define FAULTS_SHOWN 3u /* maximum number of faults to write per stream */

/* Writes what a stream lacks, in words made from a printf() format. */
__attribute__((format(printf, 3, 4))) static void
problem_put(struct json_writer *json, const struct ws_file *s, const char *words, ...)
{
    char text[512];
    const char *name = strrchr(s->path, '/');
    va_list args;
    size_t used =
        (size_t)snprintf(text, sizeof text, "%.200s: ", name == NULL ? s->path : name + 1);
    va_start(args, words);
    vsnprintf(text + used, sizeof text - used, words, args);
    va_end(args);
    json_put_string(json, NULL, text);
}

/* Writes why the streams together do not cover the whole run. */
static void covers_problems(struct json_writer *json, const struct ws_figures *run)
{
    char words[100];
    bool journals = false;
    const struct fmt_change *change = NULL;
    const struct ws_covers covers = ws_figures_covers(run);
    for (size_t i = 0; i < run->n; i++) {
        const struct ws_file *s = &run->list[i].stream;
        for (uint32_t k = 0; s->pes != NULL && k < ws_stream_parts(s); k++) {
            const struct ws_file *part = ws_stream_part(s, k);
            journals |= part->pes != NULL && ws_journals_count(part) > 0;
        }
        for (size_t k = 0; k < s->n_changes && change == NULL; k++) {
            change = strncmp(s->changes[k].text, "set ", 4) == 0 ? &s->changes[k] : NULL;
        }
    }
    if (covers.is_running) {
        snprintf(words, sizeof words, "the run is still going on; this is its state at GVT %.6g",
                 covers.gvt);
        json_put_string(json, NULL, words);
    } else if (journals) {
        json_put_string(json, NULL,
                        "the run was killed: \"warpscope recover\" adds what was in its "
                        "buffers");
    }
    for (uint32_t i = 0; i < covers.n_clauses; i++) {
        json_put_string(json, NULL, covers.clauses[i]);
    }
    if (change != NULL) {
        snprintf(words, sizeof words,
                 "a request changed what the run records at GVT %.6g: see \"warpscope info\"",
                 change->gvt);
        json_put_string(json, NULL, words);
    }
}

/* Writes what a stream lacks, and its faults. */
static void file_problems(struct json_writer *json, const struct ws_file *s)
{
    char number[WS_COUNT_MAX];
    if (s->pes != NULL && s->dropped > 0) {
        problem_put(json, s, "%s records were lost while recording",
                    ws_count_text(number, s->dropped));
    }
    if (s->pes != NULL && s->missing > 0) {
        problem_put(json, s, "%s records were lost to damage", ws_count_text(number, s->missing));
    }
    if (s->pes != NULL && s->pes_unknown_loss > 0) {
        problem_put(json, s, "records of %" PRIu32 " PE%s may be missing", s->pes_unknown_loss,
                    s->pes_unknown_loss == 1 ? "" : "s");
    }
    /* Each PE without an END block was counted as a fault. */
    uint64_t open = s->pes == NULL ? 0 : s->sb->layout.n_pes - s->pes_ended;
    for (uint64_t i = 0; s->n_faults > open && i < s->n_faults && i < FAULTS_SHOWN; i++) {
        size_t length = strlen(s->path); /* most faults begin with the path */
        bool named = strncmp(s->faults[i].text, s->path, length) == 0 &&
                     strncmp(s->faults[i].text + length, ": ", 2) == 0;
        problem_put(json, s, "%s", s->faults[i].text + (named ? length + 2 : 0));
    }
    if (s->n_faults > open && s->n_faults > FAULTS_SHOWN) {
        problem_put(json, s, "%" PRIu64 " more faults", s->n_faults - FAULTS_SHOWN);
    }
}

void report_problems_json(struct json_writer *json, const struct ws_figures *run)
{
    json_array_open(json, "problems");
    covers_problems(json, run);
    for (size_t i = 0; i < run->n; i++) {
        file_problems(json, &run->list[i].stream);
    }
    json_array_close(json);
}
