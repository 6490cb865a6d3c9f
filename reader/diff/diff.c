/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff.c - "warpscope diff": compares two recordings that should be of the same simulation.
 *
 * The files of both sides are paired by their streams: event trace, samples at virtual times, model
 * values, tasks, tracers. In each pair, the kinds of records that do not depend on the number of
 * ranks are compared.
 */
#include "diff/diff.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/facts.h"
#include "cli/args.h"
#include "cli/files.h"
#include "cli/select.h"
#include "commands.h"
#include "render/text.h"

/* A stream, and the names of those kinds of its records that must be equal in two runs, with NULL
 * at the end. */
struct comparable {
    uint32_t stream;
    const char *records[4];
};
static const struct comparable comparables[] = {
    {FMT_STREAM_EVTRACE, {"event", NULL}},
    {FMT_STREAM_VT, {"vt_pe", "vt_kp", "vt_lp", NULL}},
    {FMT_STREAM_MODEL, {"model_lp", NULL}},
    {FMT_STREAM_TASK, {"task_begin", "task_step", "task_end", NULL}},
    {FMT_STREAM_TRACER, {"tracer", "tracer_step", "tracer_open", NULL}},
};
#define N_COMPARABLES (sizeof comparables / sizeof comparables[0])

/* One side of the comparison, A or B. */
struct side {
    struct ws_files files;
    struct ws_file *streams[N_COMPARABLES]; /* owned; [comparable stream]: the stream; NULL: none */
    bool ambiguous;                         /* true if the side has a comparable stream twice */
};

struct command {
    struct side sides[WS_SIDES];
    struct ws_select_words words;
    struct ws_select select[WS_SIDES];
    uint32_t
        context; /* maximum number of records to print before the origin, at it, and after it */
    bool json;
    struct json_writer writer; /* of JSON */
    bool different;
    bool unsure; /* true if part of the input could not be read or compared */
    uint64_t compared;
    /* [side][comparable stream]: true if only this side has the stream. */
    bool not_compared[WS_SIDES][N_COMPARABLES];
};

static const struct ws_option options[] = {
    {"context", "N",
     "number of records of the LP to show before and after a\ndifference (default 3)",
     WS_INTO(struct command, context), .max = WS_CONTEXT_MAX},
    {"json", NULL, "print one JSON object", WS_INTO(struct command, json)},
    WS_SELECT_OPTIONS(struct command, words),
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    WS_SELECT_SECTION,
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "diff",
    "A B",
    "Compares the committed records of two runs: the event traces (--event-trace=3),\n"
    "samples at virtual times, and model values at virtual times. The runs may have\n"
    "different schedulers and numbers of ranks. A and B are directories or files.\n"
    "\n"
    "A wrong reverse handler makes an optimistic run differ from a sequential one.\n"
    "This command shows the difference with the earliest virtual time, and the LP\n"
    "that was the first to behave differently.\n",
    options,
    .exit_status =
        "  0  the runs are equal\n"
        "  1  unknown: a file is missing, damaged or incomplete; or a run was killed or\n"
        "     stopped early, and there is no difference up to that time\n"
        "  2  the command line is wrong; no file was read\n"
        "  3  the runs differ\n",
    .examples = "Did the parallel run commit the same events as the sequential one?\n"
                "  warpscope diff sequential/stats-output parallel/stats-output\n",
    .sections = sections,
    .see = "stats rerun"};

/* ---- Files of both sides --------------------------------------------------------------------- */

static void stream_free(struct ws_file *stream)
{
    if (stream != NULL) {
        ws_file_faults_end(stream);
        ws_file_close(stream);
        free(stream);
    }
}

/* Opens stream `number` of the side. Adds the stream to side->streams if its records can be
 * compared, otherwise closes it. Returns false if the stream cannot be read, or if side->streams
 * already has a stream of this kind. */
static bool stream_add(struct side *side, size_t number)
{
    assert(number < side->files.n_streams);
    struct ws_file *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        return ws_no_memory(NULL);
    }
    ws_stream_survey(stream, &side->files, number, &ws_on_stderr);
    bool good = stream->pes != NULL;
    for (size_t i = 0; good && i < N_COMPARABLES; i++) {
        if (comparables[i].stream != stream->sb->stream) {
            continue;
        }
        if (side->streams[i] != NULL) {
            ws_say(&ws_on_stderr, "%s and %s are of two runs: name the files of one",
                   side->streams[i]->path, stream->path);
            side->ambiguous = true;
            good = false;
            break;
        }
        side->streams[i] = stream;
        return true;
    }
    stream_free(stream);
    return good;
}

static bool side_open(struct side *side, char **operand)
{
    bool good = ws_files_gather(&side->files, (const char *const *)operand, 1, &ws_on_stderr);
    for (size_t i = 0; i < side->files.n_streams; i++) {
        good = stream_add(side, i) && good;
    }
    return good;
}

/* Prints what the streams of a side cover, unless it is the whole run. */
static void covers_say(const struct side *side, const char *name)
{
    struct ws_covers covers = {.what = WS_COVERS_ALL};
    for (size_t i = 0; i < N_COMPARABLES; i++) {
        if (side->streams[i] != NULL) {
            ws_covers_add(&covers, side->streams[i]);
        }
    }
    ws_covers_say(stdout, name, &covers);
}

static void side_close(struct side *side)
{
    for (size_t i = 0; i < N_COMPARABLES; i++) {
        stream_free(side->streams[i]);
    }
    ws_files_free(&side->files);
}

/* ---- Comparison ------------------------------------------------------------------------------ */

/* Returns true if at least one part of the trace has committed events, since only committed events
 * must be equal in two runs. Prints a message about each part with other events; such parts are
 * ignored. */
static bool trace_is_committed(const struct ws_diff_side *side)
{
    bool any = false;
    for (uint32_t i = 0; i < ws_stream_parts(side->stream); i++) {
        const struct ws_file *part = ws_stream_part(side->stream, i);
        any |= ws_diff_part_counts(part);
        if (part->pes != NULL && !ws_diff_part_counts(part)) {
            ws_refuse(part->path, "not a trace of committed events", "record with --event-trace=3");
        }
    }
    return any;
}

/* Returns true if --pe and --kp select the same records on both sides. This is so if neither option
 * was given, or if both runs had the same number of PEs. With --kp, both runs must also have had
 * the same number of KPs per PE, unless that number is unknown. Otherwise prints an error message
 * and returns false. */
static bool selects_the_same(const struct command *c, const struct ws_diff_side *sides)
{
    const struct ws_select *s = &c->select[WS_A];
    const struct fmt_superblock *x = sides[WS_A].stream->sb, *y = sides[WS_B].stream->sb;
    uint32_t a = x->layout.n_pes, b = y->layout.n_pes;
    if (s->pes.n == 0 && s->kps.n == 0) {
        return true;
    }
    if (a != b) {
        return ws_say(&ws_on_stderr,
                      "--pe and --kp cannot choose the same records of %" PRIu32 " and of %" PRIu32
                      " ranks: use --lp",
                      a, b);
    }
    double m = ws_fact_number(x, "kps_per_pe", 0), n = ws_fact_number(y, "kps_per_pe", 0);
    return s->kps.n == 0 || m <= 0 || n <= 0 || m == n ||
           ws_say(
               &ws_on_stderr,
               "--kp cannot choose the same records of %.15g and of %.15g KPs per rank: use --lp",
               m, n);
}

static void side_print(char name, const struct ws_diff_side *side)
{
    const char *scheduler = ws_fact(side->stream->sb, "scheduler");
    const char *command = ws_fact(side->stream->sb, "command");
    uint32_t ranks = side->stream->sb->layout.n_pes;
    printf("%c: ", name);
    utf8_plain_print(stdout, side->stream->path);
    if (side->stream->n_parts > 0) {
        printf(" and %" PRIu32 " more", side->stream->n_parts - 1);
    }
    printf(" (%" PRIu32 " rank%s", ranks, ranks == 1 ? "" : "s");
    if (scheduler != NULL) {
        fputs(", ", stdout);
        utf8_plain_print(stdout, scheduler);
    }
    fputs(")", stdout);
    if (command != NULL) {
        fputs(": ", stdout);
        utf8_plain_print(stdout, command);
    }
    fputc('\n', stdout);
}

/* Compares the records of one kind, and prints the result. */
static void kind_compare(struct command *c, struct ws_diff *d)
{
    bool good = ws_diff_run(d) && (c->json ? ws_diff_json(&c->writer, d, c->context)
                                           : ws_diff_text(stdout, d, c->context));
    if (good && d->windows.n == 0) {
        ws_say(&ws_on_stderr, "A and B recorded %s at no common virtual times: not compared",
               d->layout.schema->name);
        c->unsure = true;
    }
    c->compared++;
    c->different |= d->certain > 0;
    c->unsure |= !good;
}

/* If only one side has records of this kind, prints a message and returns true. */
static bool kind_is_missing(const struct ws_diff *d, const char *record)
{
    for (int side = 0; side < WS_SIDES; side++) {
        const struct ws_file *s = d->sides[side].stream;
        const struct fmt_schema *schema = d->sides[side].schema;
        if (schema != NULL && s->kind_records[ws_schema_number(s->sb, schema)] > 0) {
            ws_say(&ws_on_stderr, "%s: only %c has records %s: not compared", s->path, "AB"[side],
                   record);
            return true;
        }
    }
    return false;
}

static void files_compare(struct command *c, size_t stream)
{
    assert(stream < N_COMPARABLES);
    struct ws_diff_side sides[WS_SIDES];
    for (int side = 0; side < WS_SIDES; side++) {
        struct ws_file *s = c->sides[side].streams[stream];
        ws_select_file(&c->select[side], s->sb, &s->descs);
        sides[side] = (struct ws_diff_side){
            .stream = s,
            .select = &c->select[side],
            .lossy = !ws_file_good_so_far(s),
            .early = s->pes_ended > 0 && ws_end_is_early(s->end_code),
        };
        c->unsure |= !ws_file_good(s) || sides[side].early;
    }
    if (!selects_the_same(c, sides)) {
        c->unsure = true;
        return;
    }
    if (comparables[stream].stream == FMT_STREAM_EVTRACE &&
        (!trace_is_committed(&sides[WS_A]) || !trace_is_committed(&sides[WS_B]))) {
        c->unsure = true;
        return;
    }
    if (!c->json) {
        side_print('A', &sides[WS_A]);
        side_print('B', &sides[WS_B]);
    }
    for (const char *const *record = comparables[stream].records; *record != NULL; record++) {
        struct ws_diff d = {.sides = {sides[WS_A], sides[WS_B]}};
        if (ws_diff_schemas(&d, *record)) {
            kind_compare(c, &d);
            ws_diff_free(&d);
        } else {
            c->unsure |= kind_is_missing(&d, *record);
        }
    }
    for (int side = 0; side < WS_SIDES; side++) {
        /* Reading the bodies of the blocks may have revealed more errors in the stream. */
        c->unsure |= !ws_file_good(sides[side].stream);
    }
}

static void all_compare(struct command *c)
{
    bool one_sided = false;
    for (size_t i = 0; i < N_COMPARABLES; i++) {
        const struct ws_file *a = c->sides[WS_A].streams[i], *b = c->sides[WS_B].streams[i];
        if (a != NULL && b != NULL) {
            files_compare(c, i);
        } else if (a != NULL || b != NULL) {
            int with = a != NULL ? WS_A : WS_B;
            ws_say(&ws_on_stderr, "%s: only %c has such a file, %c has no %s file: not compared",
                   a != NULL ? a->path : b->path, "AB"[with], "BA"[with],
                   fmt_stream_name(comparables[i].stream));
            c->not_compared[with][i] = true;
            one_sided = c->unsure = true;
        }
    }
    if (c->compared == 0 && (!c->unsure || one_sided)) {
        ws_say(&ws_on_stderr,
               "nothing to compare: A and B must both have a trace of committed "
               "events (--event-trace=3), or samples or model values at virtual times");
        c->unsure = true;
    }
}

/* Ends the JSON: writes the paths of the streams that only one side has, and the result. */
static void json_end(struct command *c)
{
    struct json_writer *json = &c->writer;
    json_array_close(json);
    json_array_open(json, "not_compared");
    for (int side = 0; side < WS_SIDES; side++) {
        for (size_t i = 0; i < N_COMPARABLES; i++) {
            if (c->not_compared[side][i]) {
                json_put_string(json, NULL, c->sides[side].streams[i]->path);
            }
        }
    }
    json_array_close(json);
    if (c->unsure && !c->different) {
        json_put_null(json, "equal");
    } else {
        json_put_bool(json, "equal", !c->different);
    }
    json_object_close(json);
}

/* ---- Command line ---------------------------------------------------------------------------- */

static int options_check(struct command *c, const struct ws_args *args)
{
    int status = WS_EXIT_OK;
    for (int side = 0; side < WS_SIDES && status == WS_EXIT_OK; side++) {
        status = ws_select_read(&c->select[side], &usage, &c->words);
    }
    if (status == WS_EXIT_OK && args->n_operands != 2) {
        status = ws_usage_error(&usage, "needs two directories or files");
    }
    return status;
}

int ws_command_diff(int argc, char **argv)
{
    struct ws_args args;
    struct command c = {.context = 3, .writer = {.out = stdout, .compact = true}};
    int status;
    if (!ws_args_parse(&args, &usage, &c, argc, argv, &status)) {
        return status;
    }
    status = options_check(&c, &args);
    if (status == WS_EXIT_OK) {
        for (int side = 0; side < WS_SIDES; side++) {
            c.unsure |= !side_open(&c.sides[side], &args.operands[side]);
        }
        if (c.json) {
            ws_document_open(&c.writer);
            json_array_open(&c.writer, "compared");
        } else {
            covers_say(&c.sides[WS_A], "A: ");
            covers_say(&c.sides[WS_B], "B: ");
        }
        if (!c.sides[WS_A].ambiguous && !c.sides[WS_B].ambiguous) {
            all_compare(&c);
        }
        c.unsure |= !ws_select_answer(&c.select[WS_A], &ws_on_stderr) ||
                    !ws_select_found(&c.select[WS_B], &ws_on_stderr);
        if (c.json) {
            json_end(&c);
        }
        side_close(&c.sides[WS_A]);
        side_close(&c.sides[WS_B]);
        status = c.different ? WS_EXIT_DIFFERENT : c.unsure ? WS_EXIT_DAMAGED : WS_EXIT_OK;
    }
    ws_select_free(&c.select[WS_A]);
    ws_select_free(&c.select[WS_B]);
    return status;
}
