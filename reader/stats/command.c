/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command.c - "warpscope stats": prints statistics of a run as numbers and small pictures.
 */
#include "stats/stats.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access/held.h"
#include "access/stream.h"
#include "cli/colour.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "cli/select.h"
#include "commands.h"
#include "compare/compare.h"
#include "document/document.h"
#include "figures/values.h"
#include "findings/findings.h"
#include "render/text.h"
#include "tasks/tasks.h"

struct stats {
    struct ws_stats_options options;
    struct ws_select_words words;
    struct ws_select select;
    struct ws_paths against;
    bool is_json, ascii, by_found;
    size_t n_streams;
    char by_known[WS_STATS_BY_MAX];
    const struct ws_file *printed; /* stream whose facts were printed last; NULL: none */
};

static const struct ws_option options[] = {
    {"top", "N", "length of lists of KPs, LPs and PEs (5)", WS_INTO(struct stats, options.top),
     .max = 1000},
    {"by", "FIELD",
     "what these lists are ordered by; default: rollbacks of\n"
     "KPs, events rolled back of LPs",
     WS_INTO(struct stats, options.by)},
    {"against", "DIR",
     "compare with this run of another setting; may be\n"
     "repeated: times, counts, options and findings",
     WS_INTO(struct stats, against)},
    {"json", NULL, "print one JSON object", WS_INTO(struct stats, is_json)},
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
    {"comparing",
     "With --against, the operands are runs of one setting, B, and those of the option\n"
     "are runs of another one, A. Numbers are medians. From four runs each on, the\n"
     "95 % interval of the ratio of times tells whether they differ by more than noise\n"
     "(test of Mann and Whitney: the ends are ratios of pairs of runs). Runs that were\n"
     "stopped, and damaged or incomplete recordings, are named, and their times do not\n"
     "count. A finding is that of a setting if more than half of its runs have it. Do\n"
     "the runs of A and B in turns.\n"},
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
                "Did --nkp=64 help? Runs were made in turns:\n"
                "  warpscope stats nkp1 nkp2 nkp3 nkp4 --against=old{1,2,3,4}\n"
                "What did the routers do in a part of the run?\n"
                "  warpscope stats --type='router*' --from=100 --to=200 stats-output\n",
    .sections = sections,
    .see = "info tasks dump report"};

static int options_check(void *command, const struct ws_args *args)
{
    struct stats *s = command;
    s->options.utf8 = !s->ascii && ws_plot_utf8();
    s->options.by_found = &s->by_found;
    s->options.by_known = s->by_known;
    for (size_t i = 0; s->against.n > 0 && options[i].name != NULL; i++) {
        if (args->values[i] != NULL && strcmp(options[i].name, "against") != 0 &&
            strcmp(options[i].name, "json") != 0) {
            return ws_usage_error(&usage, "--against compares whole runs, without --%s",
                                  options[i].name);
        }
    }
    return ws_select_read(&s->select, &usage, &s->words);
}

/* ---- What models record: values of LPs, results of tracers ------------------------------------ */

#define ROWS_SHOWN 200u /* maximum number of rows of each table */

enum table { TABLE_LEVELS, TABLE_COUNTS, TABLE_IDENTITIES, TABLES };

/* Returns the table in which the statistics of field f are printed. */
static enum table table_of(const struct ws_model_field *f)
{
    switch (f->field->measure) {
    case FMT_COUNTER:
    case FMT_CHANGE:
        return TABLE_COUNTS;
    case FMT_IDENTITY:
        return TABLE_IDENTITIES;
    default:
        return TABLE_LEVELS;
    }
}

static const char *name_of(const char *owner)
{
    return owner[0] != '\0' ? owner : "(not known)";
}

static void field_row(struct doc_table *t, const struct ws_model *m, const struct ws_model_field *f)
{
    assert(f->n > 0);
    double counted = ws_model_counted(m, f);
    const double *per = ws_model_span(m, f)->length;
    bool is_more = f->ids.ids.n > WS_MODEL_IDS;
    struct doc_cell *cells = doc_row(t, doc_name(name_of(f->desc->owner)),
                                     doc_text(t->doc, f->field->unit[0] != '\0' ? "%s [%s]" : "%s",
                                              f->field->name, f->field->unit));
    switch (table_of(f)) {
    case TABLE_LEVELS:
        cells[2] = doc_count(f->n);
        cells[3] = doc_real(f->sum / (double)f->n);
        cells[4] = doc_real(f->min);
        cells[5] = doc_real(f->max);
        break;
    case TABLE_COUNTS:
        cells[2] = doc_real(counted);
        cells[3] = doc_if(per[WS_WALL] > 0.0, doc_real(counted / per[WS_WALL]));
        cells[4] = doc_if(per[WS_VIRTUAL] > 0.0, doc_real(counted / per[WS_VIRTUAL]));
        break;
    default:
        cells[2] = doc_count(is_more ? WS_MODEL_IDS : f->ids.ids.n);
        cells[3] = doc_if(is_more, doc_name("or more"));
        break;
    }
}

/* Adds, for each LP type whose payload has no described fields, the number of its records. Then
 * adds the number of records without a payload description. */
static void others_add(struct doc_table *t, const struct ws_model *m)
{
    const struct fmt_desc_set *descs = &m->file->descs;
    for (size_t d = 0; d < descs->n; d++) {
        if (m->types[d] > 0 && m->first_field[d] == m->first_field[d + 1]) {
            doc_row(t, doc_name(name_of(descs->descs[d].owner)), doc_name("(not described)"),
                    doc_count(m->types[d]));
        }
    }
    if (m->types[descs->n] > 0) {
        doc_row(t, doc_name("(no values)"), doc_name(""), doc_count(m->types[descs->n]));
    }
}

static void model_print(FILE *out, const struct ws_model *m)
{
    assert(m->file != NULL);
    static const char *const words[] = {"otherwise", "at GVT", "by wall clock", "by virtual time"};
    char number[WS_COUNT_MAX];
    fputs("  samples of LPs", out);
    const char *between = ": ";
    for (int i = 0; i < 4; i++) {
        if (m->kinds[i] > 0) {
            fprintf(out, "%s%s %s", between, ws_count_text(number, m->kinds[i]), words[i]);
            between = ", ";
        }
    }
    fputc('\n', out);
    static const char *const columns[TABLES] = {
        "type of LP|value|numbers|mean|least|largest",
        "type of LP|count|total|per second|per virtual time",
        "type of LP|number or code|different|more=",
    };
    struct doc doc = {.n = 0};
    for (int table = 0; table < TABLES; table++) {
        struct doc_table *t = doc_table(&doc, "fields", "", columns[table]);
        for (size_t i = 0; i < m->n_fields && t->n_rows < ROWS_SHOWN; i++) {
            if (m->fields[i].n > 0 && (int)table_of(&m->fields[i]) == table) {
                field_row(t, m, &m->fields[i]);
            }
        }
        if (table == TABLE_LEVELS) {
            others_add(t, m);
        }
    }
    doc_print_free(out, &doc);
}

static void tracers_print(FILE *out, const struct ws_tracers *t)
{
    char number[WS_COUNT_MAX];
    struct doc doc = {.n = 0};
    struct doc_table *tracers =
        doc_table(&doc, "tracers", "", "tracer|places|begun|ended|busy|mean");
    struct doc_table *steps = doc_table(&doc, "steps", "", "step|places|times|tasks=in tasks");
    for (uint32_t i = 0; i < t->names.n; i++) {
        const struct ws_tracer_sum *sum = &t->sums[i];
        const char *step = ws_tracers_step(t, i), *name = t->names.names[i];
        if (step == NULL) {
            doc_row(tracers, doc_name(name), doc_count(sum->places), doc_count(sum->begun),
                    doc_count(sum->ended),
                    doc_if(strncmp(name, "busy", 4) == 0, doc_real(sum->busy)),
                    doc_real(ws_tracers_mean(sum)));
        } else {
            doc_row(steps, doc_name(step), doc_count(sum->places), doc_count(sum->occurrences),
                    doc_count(sum->tasks));
        }
    }
    doc_print_free(out, &doc);
    if (t->left_out > 0) {
        fprintf(out, "  %s records are left out\n", ws_count_text(number, t->left_out));
    }
}

/* ---- Statistics of a file -------------------------------------------------------------------- */

/* Prints the kinds of records that some parts of a stream lack, with the times of the parts that have
 * them. */
static void kinds_in_parts_print(const struct ws_file *s)
{
    for (uint32_t i = 0; i < s->sb->n_schemas; i++) {
        const struct fmt_schema *schema = s->sb->schemas[i];
        if (ws_stream_records(s, schema)) {
            continue;
        }
        printf("  %s only in parts, from GVT", schema->name);
        const char *between = "";
        for (uint32_t k = 0; k < ws_stream_parts(s); k++) {
            const struct ws_file *part = ws_stream_part(s, k);
            if (ws_part_records(part, schema)) {
                struct ws_cover cover = ws_part_cover(part);
                printf("%s %.6g ", between, cover.virtual_from);
                printf(isfinite(cover.virtual_to) ? "to %.6g" : "on", cover.virtual_to);
                between = ",";
            }
        }
        putchar('\n');
    }
}

/* Prints what a stream has, and what is missing there unless the stream is the only one: the first
 * line of the output has said it then. */
static void heading_print(const struct ws_file *s, bool is_only)
{
    assert(s->pes != NULL && s->sb != NULL);
    char number[WS_COUNT_MAX], low[WS_COUNT_MAX], high[WS_COUNT_MAX];
    struct ws_covers covers = {.what = WS_COVERS_ALL};
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
    bool holds = false;
    for (uint32_t i = 0; i < s->sb->n_schemas * ws_stream_parts(s); i++) {
        holds |= ws_held_any(s, i / s->sb->n_schemas, s->sb->schemas[i % s->sb->n_schemas]);
    }
    puts(holds ? ", beside samples that were left out" : "");
    const char *between = "  ";
    if (s->virtual_time.known) {
        printf("  virtual time %s to %s", ws_number_text(low, s->virtual_time.min),
               ws_number_text(high, s->virtual_time.max));
        between = ", ";
    }
    if (s->real_time.known) {
        printf("%swall clock %s to %s", between, ws_seconds_text(low, s->real_time.min),
               ws_seconds_text(high, s->real_time.max));
    }
    fputs(s->virtual_time.known || s->real_time.known ? "\n" : "", stdout);
    kinds_in_parts_print(s);
    ws_covers_add(&covers, s);
    ws_covers_say(is_only ? NULL : stdout, "  ", &covers);
}

/* Prints the statistics of the stream that was opened as `file`. Returns false if out of memory. */
static bool stream_print(struct stats *s, struct ws_file *file)
{
    struct ws_stats_sums sums;
    bool good = ws_stats_gather(&sums, file, &s->select, &s->options);
    if (sums.tasks != NULL) {
        ws_tasks_text(stdout, sums.tasks, s->options.top);
    } else if (sums.tracers != NULL) {
        tracers_print(stdout, sums.tracers);
    } else if (sums.model != NULL && sums.model->records > 0) {
        model_print(stdout, sums.model);
    } else if (sums.counted != NULL && sums.counted->all.records > 0) {
        ws_counted_text(stdout, sums.counted, &s->options);
    } else if (good) {
        puts(ws_select_given(&s->select) ? "  no records were chosen" : "  no records");
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
    if (s->printed == NULL || !ws_facts_same_run(s->printed->sb, file->sb)) {
        ws_run_print(stdout, file->sb);
        s->printed = file;
    }
    heading_print(file, s->n_streams == 1);
    return stream_print(s, file);
}

/* Prints what is said of the run, after its numbers. */
static void findings_print(const struct ws_evidence *evidence)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    size_t n = ws_findings_find(evidence, list, WS_FINDINGS_MAX);
    char advice[WS_FINDING_TEXT], words[2 * WS_FINDING_TEXT + 2];
    if (n > 0) {
        printf("\n%sfindings%s\n", ws_colour(stdout, WS_COLOUR_HEADING),
               ws_colour(stdout, WS_COLOUR_END));
    }
    for (size_t i = 0; i < n; i++) {
        snprintf(words, sizeof words, "%s %s", list[i].text, ws_finding_advice(advice, &list[i]));
        doc_finding_print(stdout, words);
    }
}

/* Prints the streams, which are open. Returns false if out of memory. */
static bool streams_print(struct stats *s, struct ws_file *streams, size_t n)
{
    struct ws_evidence evidence;
    bool done = true;
    ws_evidence_init(&evidence);
    s->options.evidence = ws_evidence_is_of_one_run(streams, n) ? &evidence : NULL;
    for (size_t i = 0; done && i < n; i++) {
        done = file_print(s, &streams[i], i == 0);
        fflush(stdout); /* before messages; main() reports a failure */
        ws_file_faults_end(&streams[i]);
    }
    if (s->options.evidence != NULL) {
        findings_print(&evidence);
        fflush(stdout); /* before messages; main() reports a failure */
    }
    ws_evidence_free(&evidence);
    return done;
}

/* Shows the streams, which are open, after what they cover. Returns true if they are complete. */
static bool streams_show(struct stats *s, struct ws_file *streams, size_t n)
{
    struct json_writer json = {.out = stdout, .compact = true};
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    for (size_t i = 0; i < n; i++) {
        ws_covers_add(&covers, &streams[i]);
    }
    bool good = ws_covers_say(s->is_json ? NULL : stdout, "", &covers);
    good &= (s->is_json ? ws_stats_json(&json, streams, n, &s->select, &s->options)
                        : streams_print(s, streams, n)) ||
            ws_no_memory(NULL);
    for (size_t i = 0; i < n; i++) {
        good &= streams[i].pes != NULL && ws_file_good(&streams[i]);
    }
    return good;
}

/* Compares the runs of the operands with those of s->against. */
static int runs_compare(struct stats *s, const struct ws_args *args)
{
    struct compare *c = calloc(1, sizeof *c);
    if (c == NULL) {
        ws_no_memory(NULL);
        return WS_EXIT_DAMAGED;
    }
    c->usage = &usage;
    c->select = &s->select;
    int status = compare_read(c, &s->against, args);
    if (status == WS_EXIT_OK) {
        struct json_writer json = {.out = stdout, .compact = true};
        if (!s->is_json) {
            doc_findings_print(stdout, &c->doc);
        }
        bool done = s->is_json ? compare_json(&json, NULL, c) : doc_print(stdout, &c->doc);
        status = (done || ws_no_memory(NULL)) && !c->is_bad ? WS_EXIT_OK : WS_EXIT_DAMAGED;
    }
    compare_free(c);
    free(c);
    return status;
}

static int files_show(void *command, const struct ws_args *args, const struct ws_files *files,
                      bool good)
{
    struct stats *s = command;
    if (s->against.n > 0) {
        return good ? runs_compare(s, args) : WS_EXIT_DAMAGED;
    }
    s->n_streams = files->n_streams;
    struct ws_file *streams = calloc(files->n_streams + 1, sizeof *streams);
    if (streams == NULL) {
        ws_no_memory(NULL);
        return WS_EXIT_DAMAGED;
    }
    for (size_t i = 0; i < files->n_streams; i++) {
        ws_stream_survey(&streams[i], files, i, &ws_on_stderr);
    }
    good &= streams_show(s, streams, files->n_streams);
    for (size_t i = 0; i < files->n_streams; i++) {
        ws_file_close(&streams[i]);
    }
    free(streams);
    good &= ws_select_answer(&s->select, &ws_on_stderr);
    if (s->options.by != NULL && !s->by_found && files->n > 0) {
        bool any = s->by_known[0] != '\0';
        ws_say(&ws_on_stderr, "--by=%s: no list has such a field; there are %s", s->options.by,
               any ? s->by_known : "no lists here");
        good = false;
    }
    return good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

int ws_command_stats(int argc, char **argv)
{
    struct stats s = {.options.top = WS_STATS_TOP};
    int status = ws_files_command(&usage, &s, options_check, files_show, argc, argv);
    ws_select_free(&s.select);
    return status;
}
