/* SPDX-License-Identifier: BSD-3-Clause */
/* problems.c - writes as JSON what a recording lacks: parts, times and records; see report.h. */
#include <inttypes.h>
#include <math.h>
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

/* Writes one line about all streams in which a PE has no END block. */
static void open_problems(struct json_writer *json, const struct ws_figures *run)
{
    char words[400];
    uint32_t files = 0, most = 0;
    bool journals = false;
    for (size_t i = 0; i < run->n; i++) {
        const struct ws_file *s = &run->list[i].stream;
        uint32_t open = s->pes == NULL ? 0 : s->sb->layout.n_pes - s->pes_ended;
        files += open > 0;
        most = open > most ? open : most;
        for (uint32_t k = 0; open > 0 && k < ws_stream_parts(s); k++) {
            const struct ws_file *part = ws_stream_part(s, k);
            journals |= part->pes != NULL && ws_journals_count(part) > 0;
        }
    }
    const struct ws_covers covers = ws_figures_covers(run);
    if (covers.is_running) {
        snprintf(words, sizeof words, "The run is still going on. This is its state at GVT %.6g.",
                 covers.gvt);
        json_put_string(json, NULL, words);
    }
    if (files > 0) {
        snprintf(words, sizeof words,
                 "The run was killed, or still goes on: %" PRIu32 " of %" PRIu32
                 " PEs did not end their part of %" PRIu32 " file%s.%s",
                 most, run->places.n_pes, files, files == 1 ? "" : "s",
                 journals ? " What their buffers hold is missing here; after a kill, \"warpscope "
                            "recover\" adds it."
                          : "");
        json_put_string(json, NULL, words);
    }
}

/* Writes the window of virtual time to which --trace-from and --trace-to restricted a trace. */
static void window_problem(struct json_writer *json, const struct ws_file *s)
{
    char t[2][WS_COUNT_MAX];
    double from, to;
    const struct ws_file *first = ws_stream_part(s, 0);
    if (first->pes != NULL && ws_part_window(first, &from, &to)) {
        problem_put(json, s,
                    "only events from virtual time %s%s%s were recorded (--trace-from, --trace-to)",
                    ws_number_text(t[0], from), isfinite(to) ? " to before " : " on",
                    isfinite(to) ? ws_number_text(t[1], to) : "");
    }
}

/* If a flight recorder overwrote records in the first part of the stream, writes the time after
 * which this part has all records. */
static void overwritten_problem(struct json_writer *json, const struct ws_file *s)
{
    char t[2][WS_COUNT_MAX];
    const struct ws_file *first = ws_stream_part(s, 0);
    if (first->pes != NULL && first->overwritten > 0) {
        bool known = isfinite(first->kept_gvt);
        problem_put(json, s, "a flight recorder: recorded from %s%s%s%s%s on only",
                    known ? "GVT " : "", known ? ws_number_text(t[0], first->kept_gvt) : "",
                    known ? " (" : "", ws_seconds_text(t[1], first->kept_real_time),
                    known ? ")" : "");
    }
}

/* Writes the times in which a stream recorded nothing, because requests changed what the run
 * records. */
static void gap_problems(struct json_writer *json, const struct ws_file *s)
{
    char t[4][WS_COUNT_MAX];
    const struct ws_file *first = ws_stream_part(s, 0);
    struct ws_cover gap;
    double begin = first->pes == NULL ? 0.0 : ws_part_begin(first);
    if (begin > 0.0 && !(begin > ws_part_restart(first))) {
        problem_put(json, s, "recorded from virtual time %s on only: the run was restarted",
                    ws_number_text(t[0], begin));
    } else if (begin > 0.0) {
        problem_put(json, s, "recorded from GVT %s on only (%s): a request began it",
                    ws_number_text(t[0], begin),
                    ws_seconds_text(t[1], ws_fact_number(first->sb, "begins_real_time", 0.0)));
    }
    for (uint32_t i = 1; i < ws_stream_parts(s); i++) {
        if (ws_stream_gap(s, i, NULL, &gap)) {
            problem_put(
                json, s,
                "%s from GVT %s to %s (%s to %s): totals leave out this time, and curves are "
                "interrupted",
                ws_stream_part(s, i)->overwritten > 0 ? "older records were overwritten"
                                                      : "requests switched it off",
                ws_number_text(t[0], gap.virtual_from), ws_number_text(t[1], gap.virtual_to),
                ws_seconds_text(t[2], gap.real_from), ws_seconds_text(t[3], gap.real_to));
        }
    }
    if (s->pes_ended > 0 && s->end_code == FMT_END_CHANGED) {
        problem_put(json, s, "recorded up to GVT %s only (%s): %s",
                    ws_number_text(t[0], s->end_gvt), ws_seconds_text(t[1], s->end_real_time),
                    ws_end_cause(s->end_text));
    }
}

/* Writes that requests changed what the run records, and the times for which the stream lacks
 * records. */
static void change_problem(struct json_writer *json, const struct ws_file *s)
{
    const struct fmt_change *change = NULL;
    for (size_t i = 0; i < s->n_changes && change == NULL; i++) {
        change = strncmp(s->changes[i].text, "set ", 4) == 0 ? &s->changes[i] : NULL;
    }
    if (s->n_parts > 0) {
        problem_put(json, s, "has %" PRIu32 " files: %s, see \"warpscope info\"", s->n_parts,
                    ws_fact(s->sb, "option_buffer_overwrite") != NULL
                        ? "the flight recorder was saved"
                        : "requests changed what it records");
    } else if (change != NULL) {
        problem_put(json, s,
                    "a request changed options of recording at GVT %.6g, see \"warpscope info\"",
                    change->gvt);
    }
    window_problem(json, s);
    overwritten_problem(json, s);
    gap_problems(json, s);
}

/* Writes what a stream lacks, and its faults. */
static void file_problems(struct json_writer *json, const struct ws_file *s)
{
    char number[WS_COUNT_MAX];
    if (s->pes == NULL) {
        problem_put(json, s, "cannot be read");
    } else {
        change_problem(json, s);
    }
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
    open_problems(json, run);
    for (size_t i = 0; i < run->n; i++) {
        file_problems(json, &run->list[i].stream);
    }
    json_array_close(json);
}
