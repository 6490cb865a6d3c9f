/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats.c - "warpscope stats": prints statistics of a run as numbers and small pictures.
 */
#include "show/show.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/colour.h"
#include "cli/emit.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "cli/select.h"
#include "commands.h"
#include "render/plot.h"
#include "render/text.h"

struct stats {
    struct ws_stats_options options;
    struct ws_select_words words;
    struct ws_select select;
    struct json_writer json;
    bool ascii, by_found;
    char by_known[WS_STATS_BY_MAX];
    int output_errno;       /* errno value of a failure to write to standard output; 0: none */
    struct ws_head printed; /* file whose facts were printed last; sb NULL: none */
};

static const struct ws_option options[] = {
    {"top", "N", "length of lists of KPs, LPs and PEs (5)", WS_INTO(struct stats, options.top),
     .max = 1000},
    {"by", "FIELD",
     "what these lists are ordered by; default: rollbacks of\n"
     "KPs, events rolled back of LPs",
     WS_INTO(struct stats, options.by)},
    {"json", NULL, "print one JSON object", WS_INTO(struct stats, options.json)},
    {"ascii", NULL, "charts without UTF-8 (default if the locale is not\nUTF-8)",
     WS_INTO(struct stats, ascii)},
    WS_SELECT_OPTIONS(struct stats, words),
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    WS_SELECT_SECTION,
    {"measures",
     "Efficiency is 100 (1 - U / N) per cent with U events undone and N = executed -\n"
     "undone; 100 if no event was undone, 0 if no event is left. Totals come from the\n"
     "records of PEs, or of KPs or LPs if only these exist or are selected. The\n"
     "argument of --by is a counting field of the records; for event traces one of\n"
     "events, rollbacks, events_undone and secondary. Lists are exact for up to 131072\n"
     "KPs or LPs per PE; with more, the output states the possible error. For more\n"
     "than 16 PEs the spread of their counts is shown, with the largest count divided\n"
     "by the mean, and the outliers.\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "stats",
    "DIR-or-FILE...",
    "Adds up the records of a run. Of samples: totals and rates per PE, efficiency\n"
    "over time, phases of the run time, frequency of GVT computations, the KPs and\n"
    "LPs that roll back most. Of event traces: rates, rollbacks and the lateness of\n"
    "their causes, the LPs and KPs that were affected most. Of the model's values:\n"
    "mean, minimum and maximum of levels, totals and rates of counters, and the\n"
    "number of distinct identities. Sums are exact; medians and percentiles are\n"
    "within 3 %.\n",
    options,
    .examples = "Which KPs roll back most, and is GVT too frequent?\n"
                "  warpscope stats stats-output --by=total_rollbacks --top=10\n"
                "What did the routers do in a part of the run?\n"
                "  warpscope stats --type='router*' --from=100 --to=200 stats-output\n",
    .sections = sections,
    .see = "info tasks dump"};

static int options_check(void *command, const struct ws_args *args)
{
    struct stats *s = command;
    s->options.utf8 = !s->ascii && ws_plot_utf8();
    s->options.by_found = &s->by_found;
    s->options.by_known = s->by_known;
    (void)args;
    return ws_select_read(&s->select, &usage, &s->words);
}

/* ---- Statistics of a file -------------------------------------------------------------------- */

static bool out_of_memory(void)
{
    fputs("warpscope: out of memory\n", stderr);
    return false;
}

/* For each part of the stream in which a flight recorder overwrote records, prints their number and
 * the time after which the part has all records. */
static void overwritten_print(const struct ws_file *s)
{
    char t[3][WS_COUNT_MAX];
    for (uint32_t i = 0; i < ws_stream_parts(s); i++) {
        const struct ws_file *part = ws_stream_part(s, i);
        if (part->pes != NULL && part->overwritten > 0) {
            bool known = isfinite(part->kept_gvt);
            printf(
                "  flight recorder: from %s%s%s%s%s on only, %s older records were overwritten\n",
                known ? "GVT " : "", known ? ws_number_text(t[0], part->kept_gvt) : "",
                known ? " (" : "", ws_seconds_text(t[1], part->kept_real_time), known ? ")" : "",
                ws_count_text(t[2], part->overwritten));
        }
    }
}

/* Prints the windows of virtual time to which --trace-from and --trace-to restricted a trace. */
static void windows_print(const struct ws_file *s)
{
    char t[2][WS_COUNT_MAX];
    double from, to;
    for (uint32_t i = 0; i < ws_stream_parts(s); i++) {
        const struct ws_file *part = ws_stream_part(s, i);
        if (part->pes != NULL && ws_part_window(part, &from, &to)) {
            printf("  only events from virtual time %s%s%s\n", ws_number_text(t[0], from),
                   isfinite(to) ? " to before " : " on",
                   isfinite(to) ? ws_number_text(t[1], to) : "");
        }
    }
}

/* Prints the times in which a stream with several parts recorded nothing. Prints the kinds of
 * records that some parts lack, with the times of the parts that have them. */
static void parts_print(const struct ws_file *s)
{
    char t[4][WS_COUNT_MAX];
    struct ws_cover gap;
    for (uint32_t i = 1; i < ws_stream_parts(s); i++) {
        if (ws_stream_gap(s, i, NULL, &gap)) {
            printf("  off from GVT %s to %s (%s to %s): rates leave out this time\n",
                   ws_number_text(t[0], gap.virtual_from), ws_number_text(t[1], gap.virtual_to),
                   ws_seconds_text(t[2], gap.real_from), ws_seconds_text(t[3], gap.real_to));
        }
    }
    for (uint32_t i = 0; i < s->sb->n_schemas; i++) {
        const struct fmt_schema *schema = s->sb->schemas[i];
        if (!ws_stream_records(s, schema)) {
            printf("  %s only in parts, from GVT", schema->name);
            const char *between = "";
            for (uint32_t k = 0; k < ws_stream_parts(s); k++) {
                const struct ws_file *part = ws_stream_part(s, k);
                if (ws_part_records(part, schema)) {
                    struct ws_cover cover = ws_part_cover(part);
                    printf("%s %s", between, ws_number_text(t[0], cover.virtual_from));
                    if (isfinite(cover.virtual_to)) {
                        printf(" to %s", ws_number_text(t[1], cover.virtual_to));
                    } else {
                        fputs(" on", stdout);
                    }
                    between = ",";
                }
            }
            fputc('\n', stdout);
        }
    }
}

static void heading_print(const struct ws_file *s)
{
    assert(s->pes != NULL);
    assert(s->sb != NULL);
    char number[WS_COUNT_MAX], low[WS_COUNT_MAX], high[WS_COUNT_MAX];
    for (uint32_t i = 0; i < ws_stream_parts(s); i++) {
        fputs(ws_colour(stdout, WS_COLOUR_HEADING), stdout);
        utf8_plain_print(stdout, ws_stream_part(s, i)->path);
        printf("%s\n", ws_colour(stdout, WS_COLOUR_END));
    }
    printf("  %s records", ws_count_text(number, s->records));
    for (uint32_t i = 0, n = 0; i < s->sb->n_schemas; i++) {
        if (s->kind_records[i] > 0 && s->sb->n_schemas > 1) {
            printf("%s %s", n++ == 0 ? ":" : ",", ws_count_text(number, s->kind_records[i]));
            printf(" %s", s->sb->schemas[i]->name);
        }
    }
    fputc('\n', stdout);
    if (s->virtual_time.known) {
        printf("  virtual time %s to %s", ws_number_text(low, s->virtual_time.min),
               ws_number_text(high, s->virtual_time.max));
    }
    if (s->real_time.known) {
        printf("%s %s to %s", s->virtual_time.known ? ", wall clock" : "  wall clock",
               ws_seconds_text(low, s->real_time.min), ws_seconds_text(high, s->real_time.max));
    }
    if (s->virtual_time.known || s->real_time.known) {
        fputc('\n', stdout);
    }
    windows_print(s);
    overwritten_print(s);
    parts_print(s);
    if (s->pes_ended > 0 && s->end_code == FMT_END_CHANGED) {
        printf("  recorded up to GVT %s only (%s): %s\n", ws_number_text(low, s->end_gvt),
               ws_seconds_text(high, s->end_real_time), ws_end_cause(s->end_text));
    }
    if (s->dropped > 0) {
        printf("  LOST while recording: %s records\n", ws_count_text(number, s->dropped));
    }
    if (s->pes_unknown_loss > 0) {
        printf("  LOST: unknown: records of %" PRIu32 " PE%s may be missing\n", s->pes_unknown_loss,
               s->pes_unknown_loss == 1 ? "" : "s");
    }
    if (s->missing > 0) {
        printf("  LOST to damage: %s records\n", ws_count_text(number, s->missing));
    }
}

/* Prints the statistics of the stream that was opened as `file`. Returns false if out of memory. */
static bool stream_print(struct stats *s, struct ws_file *file)
{
    struct ws_stats_sums sums;
    bool good = ws_stats_gather(&sums, file, &s->select, &s->options);
    if (sums.events != NULL) {
        ws_events_text(stdout, sums.events, &s->options);
    } else if (sums.model != NULL) {
        ws_model_text(stdout, sums.model);
    } else if (sums.tasks != NULL) {
        ws_tasks_text(stdout, sums.tasks, s->options.top);
    } else if (sums.tracers != NULL) {
        ws_tracers_text(stdout, sums.tracers);
    } else if (sums.samples != NULL) {
        ws_samples_text(stdout, sums.samples, &s->options);
    }
    ws_stats_sums_free(&sums);
    return good;
}

/* Prints the facts about the run of a file, unless the previous file was from the same run. Then
 * prints the statistics of the file. Prints nothing if the file could not be opened. Returns false
 * if out of memory. first: true for the first file. */
static bool file_print(struct stats *s, struct ws_file *file, bool first)
{
    if (file->pes == NULL) {
        return true;
    }
    ws_select_file(&s->select, file->sb, &file->descs);
    fputs(first ? "" : "\n", stdout);
    if (s->printed.sb == NULL || !ws_facts_same_run(s->printed.sb, file->sb)) {
        ws_stats_run_text(stdout, file->sb);
        ws_head_close(&s->printed);
        ws_head_open(&s->printed, ws_stream_part(file, 0)->path);
    }
    heading_print(file);
    return stream_print(s, file);
}

static bool stream_show(struct stats *s, struct ws_file *file, bool first)
{
    bool done;
    if (s->options.json) {
        done = ws_stats_file_json(&s->json, file, &s->select, &s->options);
    } else {
        done = file_print(s, file, first);
        ws_output_flush(&s->output_errno);
    }
    bool good = (done || out_of_memory()) && file->pes != NULL && ws_file_good(file);
    ws_file_faults_end(file);
    return good;
}

/* Shows the streams, which are open, after what they cover. */
static bool streams_show(struct stats *s, struct ws_file *streams, size_t n)
{
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    for (size_t i = 0; i < n; i++) {
        ws_covers_add(&covers, &streams[i]);
    }
    bool good = ws_covers_say(s->options.json ? NULL : stdout, "", &covers);
    for (size_t i = 0; i < n; i++) {
        good &= stream_show(s, &streams[i], i == 0);
    }
    if (s->options.json) {
        json_array_close(&s->json);
        ws_covers_json(&s->json, &covers);
        json_object_close(&s->json);
    }
    return good;
}

static int files_show(void *command, const struct ws_args *args, const struct ws_files *files,
                      bool good)
{
    struct stats *s = command;
    (void)args;
    s->json = (struct json_writer){.out = stdout, .compact = true};
    if (s->options.json) {
        json_object_open(&s->json, NULL);
        json_array_open(&s->json, "files");
    }
    struct ws_file *streams = calloc(files->n_streams + 1, sizeof *streams);
    if (streams == NULL) {
        out_of_memory();
        return WS_EXIT_DAMAGED;
    }
    for (size_t i = 0; i < files->n_streams; i++) {
        ws_stream_open(&streams[i], files, i);
    }
    good &= streams_show(s, streams, files->n_streams);
    for (size_t i = 0; i < files->n_streams; i++) {
        ws_file_close(&streams[i]);
    }
    free(streams);
    good &= ws_select_answer(&s->select, &ws_on_stderr);
    if (s->options.by != NULL && !s->by_found && files->n > 0) {
        fputs("warpscope stats: --by=", stderr);
        utf8_plain_print(stderr, s->options.by);
        fputs(": no list has such a field; ", stderr);
        fprintf(stderr, s->by_known[0] == '\0' ? "there are no lists here\n" : "there are %s\n",
                s->by_known);
        good = false;
    }
    if (s->output_errno != 0) {
        return ws_output_failed(s->output_errno);
    }
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_stats(int argc, char **argv)
{
    struct stats s = {.options.top = WS_STATS_TOP, .printed.file.fd = -1};
    int status = ws_files_command(&usage, &s, options_check, files_show, argc, argv);
    ws_head_close(&s.printed);
    ws_select_free(&s.select);
    return status;
}
