/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command.c - "warpscope analyze": shows how much parallelism the model allows.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/covers.h"
#include "analyze/analyze.h"
#include "cli/args.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "commands.h"
#include "data/known.h"
#include "data/number.h"
#include "render/text.h"
#include "text/json.h"

#define RANKS_GIVEN_MOST 1048576u
#define LATENCY_MOST     1e9 /* seconds or events */

/* The words of --weight, in their order. */
enum weight { WEIGHT_TIME, WEIGHT_EVENTS, WEIGHT_TYPICAL, WEIGHT_ANY };

/* The command, with the values of its options. */
struct command {
    struct analyze_options o;
    const char *latency, *lookahead, *ranks; /* NULL: not given */
    enum weight weight;
    bool no_communities;
};

#define INTO(member) WS_INTO(struct command, member)
static const struct ws_option options[] = {
    {"latency", "COST",
     "cost of a message to another rank: a time (2us, 500ns)\nif handlers were timed, or a number "
     "of events (0.5)",
     INTO(latency)},
    {"weight", "time|events|typical",
     "weight of events on the critical path: time, events,\nor typical, the median time of its "
     "type of LP and kind\n(default: time if that is at least 20 ms in all)",
     INTO(weight)},
    {"lookahead", "LIST",
     "lookaheads for windows of conservative execution\n(default: the least offset between LPs, "
     "and 2 and 10\ntimes as much)",
     INTO(lookahead)},
    {"lp-map", "FILE",
     "ranks of the LPs as in this map (partition -o),\ninstead of those of the recorded run",
     INTO(o.lp_map)},
    {"ranks", "LIST",
     "numbers of ranks for which to show how many events\nstay on a rank (default 2,4,8,16)",
     INTO(ranks)},
    {"top", "N", "rows in lists of LPs and communities (default 10)", INTO(o.top), .min = 1,
     .max = 100000},
    {"no-communities", NULL, "do not look for communities of LPs", INTO(no_communities)},
    {"path", "FILE",
     "write the critical path: FILE.csv, or FILE.json, a\ntimeline for Perfetto and "
     "chrome://tracing",
     INTO(o.path_file)},
    {"graph", "FILE", "write the graph of the LPs: FILE.graphml or FILE.gexf", INTO(o.graph_file)},
    {"csv", "DIR", "write each table to a file in the new directory DIR", INTO(o.csv_folder)},
    {"force", NULL, "replace existing files", INTO(o.force)},
    {"json", NULL, "print one JSON object", INTO(o.json)},
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    {"what is computed",
     "An event depends on its cause, the event that sent it, and on the previous event\n"
     "of its LP. The longest chain of such dependencies is the critical path: no\n"
     "execution takes less time. The work of all events divided by its length is the\n"
     "speed-up that no number of ranks can pass. An event weighs 1, or the time of its\n"
     "handler. In order on each rank: the events of a rank follow one another as well,\n"
     "in the order of events, with the LPs placed as they were, or as in the map of\n"
     "--lp-map. Delays from sending to execution always are those of the recorded run.\n"
     "\n"
     "A cycle has the events whose longest chain has the same number of events: an\n"
     "ideal scheduler could run them at once. A window has the events from the\n"
     "earliest one to its time plus the lookahead; events of different LPs in it can\n"
     "run at once.\n"
     "\n"
     "A chain has consecutive events of an LP that it could execute at once: local,\n"
     "all sent by the LP itself before the time of the first one; linked, sent by the\n"
     "LP itself; global, sent by any LP before that time.\n"},
    {"recording", "  MODEL --event-trace=3                  is necessary\n"
                  "  MODEL --event-trace=3 --event-times=1  also times the handlers\n"
                  "\n"
                  "--event-times=100 times one of 100; the others count as the mean of their type\n"
                  "of LP.\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "analyze",
    "DIR-or-FILE",
    "Shows the limits of a model: its critical path and thus the maximum speed-up,\n"
    "the number of events that could run at once, windows for conservative execution,\n"
    "and the exchange of events between LPs. Reads a trace of committed events.\n",
    options,
    .exit_status = "  0  the analysis is complete\n"
                   "  1  the trace is missing, damaged or incomplete, or it is not one of the\n"
                   "     committed events of all LPs; or a file could not be written\n"
                   "  2  the command line is wrong; no file was read\n",
    .examples = "How much faster can this model get, and what limits it?\n"
                "  warpscope analyze stats-output\n"
                "The same if a message to another rank takes 2 microseconds:\n"
                "  warpscope analyze stats-output --latency=2us\n"
                "The same with the LPs on other ranks:\n"
                "  warpscope partition stats-output --ranks=4 -o 4.map\n"
                "  warpscope analyze stats-output --lp-map=4.map\n"
                "The critical path for a spreadsheet, and the LPs for Gephi:\n"
                "  warpscope analyze stats-output --path=path.csv --graph=lps.gexf\n",
    .sections = sections,
    .see = "stats report"};

/* ---- Options --------------------------------------------------------------------------------- */

static int bad(const char *name, const char *value, const char *words)
{
    return ws_usage_error(&usage, "--%s=%s: %s", name, value, words);
}

static int latency_read(struct analyze_options *o, const char *text)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}};
    double unit = 1.0;
    const char *end = ws_f64_read(text, &o->latency);
    for (size_t i = 0; end != NULL && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].name) == 0) {
            end += strlen(end);
            unit = units[i].seconds;
            o->latency_time = true;
        }
    }
    o->latency *= unit;
    if (end == NULL || *end != '\0' || !(o->latency >= 0.0) || o->latency > LATENCY_MOST) {
        return bad("latency", text,
                   "must be a time such as 2us, or a number of events, at most 1e9");
    }
    o->has_latency = true;
    return WS_EXIT_OK;
}

/* Reads numbers that are separated by commas, at most max, into list. Returns the length of list; 0
 * if the text has another form or more than max numbers. */
static uint32_t list_read(const char *text, double *list, uint32_t max)
{
    assert(max > 0);
    for (uint32_t n = 0; n < max;) {
        const char *end = ws_f64_read(text, &list[n]);
        if (end == NULL || !isfinite(list[n]) || list[n] < 0.0) {
            return 0;
        }
        n++;
        if (*end != ',') {
            return *end == '\0' ? n : 0;
        }
        text = end + 1;
    }
    return 0;
}

static int lists_read(struct analyze_options *o, const char *ranks, const char *lookahead)
{
    double list[ANALYZE_RANKS_MAX];
    uint32_t n = list_read(ranks, list, ANALYZE_RANKS_MAX);
    for (uint32_t i = 0; i < n; i++) {
        if (!(list[i] >= 1.0) || list[i] > RANKS_GIVEN_MOST || list[i] != rint(list[i])) {
            n = 0;
            break;
        }
        o->ranks[i] = (uint32_t)list[i];
    }
    if ((o->n_ranks = n) == 0) {
        return bad("ranks", ranks,
                   "must be up to 16 whole numbers from 1 to 1048576, such as 2,4,8");
    }
    if (lookahead != NULL) {
        o->n_lookaheads = list_read(lookahead, o->lookaheads, ANALYZE_LOOKAHEADS_MAX);
        if (o->n_lookaheads == 0) {
            return bad("lookahead", lookahead,
                       "must be up to 16 virtual times of at least 0, such as 0.1,1,10");
        }
    }
    return WS_EXIT_OK;
}

static int options_check(void *command, const struct ws_args *args)
{
    struct command *c = command;
    struct analyze_options *o = &c->o;
    (void)args;
    o->communities = !c->no_communities;
    o->typical = c->weight == WEIGHT_TYPICAL;
    o->by_events = c->weight == WEIGHT_EVENTS;
    o->by_time = c->weight == WEIGHT_TIME || o->typical;
    if (o->path_file != NULL && !ws_ends_with(o->path_file, ".csv") &&
        !ws_ends_with(o->path_file, ".json")) {
        return bad("path", o->path_file, "the name must end in .csv or .json");
    }
    if (o->graph_file != NULL && !ws_ends_with(o->graph_file, ".graphml") &&
        !ws_ends_with(o->graph_file, ".gexf")) {
        return bad("graph", o->graph_file, "the name must end in .graphml or .gexf");
    }
    int status = c->latency == NULL ? WS_EXIT_OK : latency_read(o, c->latency);
    return status == WS_EXIT_OK ? lists_read(o, c->ranks, c->lookahead) : status;
}

/* ---- Results --------------------------------------------------------------------------------- */

static void facts_json(struct json_writer *json, const struct analyze *a)
{
    const struct analyze_trace *t = &a->trace;
    json_put_string(json, "path", t->file->path);
    ws_stream_covers_json(json, t->file);
    ws_put(json, "handlers_timed|handlers_sampled", doc_bool(t->times.is_timed),
           doc_bool(t->times.is_sampled));
    ws_put(json,
           "events|lps_of_run|initial|causes_missing|left_out|handler_time|"
           "remote|lps_moved|cycle_count",
           doc_count(a->events), doc_count(analyze_lps_of_run(a)), doc_count(a->initial),
           doc_count(a->missing), doc_count(t->left_out), doc_real((double)a->handler_time * 1e-9),
           doc_count(a->remote), doc_count(a->moves), doc_count(a->lengths[ANALYZE_EVENTS_LP]));
    ws_put(json, "path_weight|path_events|path_time|path_remote|lookahead",
           doc_name(a->path_of == ANALYZE_TIME_LP ? "handler time" : "events"),
           doc_count(a->path_events), doc_real((double)a->path_time * 1e-9),
           doc_count(a->path_remote), doc_real(analyze_lookahead(a)));
    ws_put(json, "open_events_most|edge_count|events_to_self", doc_count(a->opens_most),
           doc_count(a->graph.edges), doc_count(a->graph.self));
    if (a->graph.communities > 0) {
        ws_put(json, "community_count|modularity|community_share", doc_count(a->graph.communities),
               doc_real(a->graph.modularity),
               doc_share((double)a->graph.community_events, (double)a->graph.between_events));
    }
}

static void json_print(const struct analyze *a, const struct doc *doc)
{
    struct json_writer json = {.out = stdout};
    ws_document_open(&json);
    facts_json(&json, a);
    doc_findings_json(&json, doc);
    doc_json(&json, doc);
    json_object_close(&json);
}

static void parallelism_print(const struct analyze *a, const struct doc *doc)
{
    const struct doc_table *t = doc_find(doc, "parallelism");
    double values[ANALYZE_BINS], low, high;
    char from[WS_COUNT_MAX], to[WS_COUNT_MAX];
    for (size_t i = 0; t != NULL && i < t->n_rows; i++) {
        const struct doc_cell *cell = &t->cells[i * t->n_columns + 4];
        values[i] = cell->kind == DOC_REAL ? cell->as.real : (double)NAN;
    }
    if (t == NULL || t->n_rows < 2 || !ws_plot_range(values, t->n_rows, &low, &high)) {
        return;
    }
    doc_heading(stdout, "events that could run at once, over virtual time");
    ws_plot_print(stdout, "parallelism", values, (uint32_t)t->n_rows, 0.0, high, ws_plot_utf8());
    printf("  %-12s from virtual time %s to %s", "", ws_number_text(from, a->first_ts),
           ws_number_text(to, a->last_ts));
    printf(": %s to %s\n", ws_number_text(from, low), ws_number_text(to, high));
}

static void text_print(const struct analyze *a, const struct doc *doc)
{
    ws_run_print(stdout, a->trace.file->sb);
    doc_findings_print(stdout, doc);
    for (uint32_t i = 0; i < doc->n; i++) {
        if (strcmp(doc->tables[i].name, "widths") == 0) {
            parallelism_print(a, doc);
        }
        doc_table_print(stdout, &doc->tables[i]);
    }
}

/* ---- Command --------------------------------------------------------------------------------- */

static bool results_write(struct analyze *a, struct ws_outs *outs)
{
    struct doc doc = {.n = 0};
    analyze_findings_find(&doc, a);
    analyze_tables_make(&doc, a);
    bool good = !doc.no_memory || ws_no_memory(&a->failed);
    good = good &&
           (a->options->csv_folder == NULL || doc_csv(outs, a->options->csv_folder, &doc)) &&
           (a->options->graph_file == NULL || analyze_write_graph(outs, a)) &&
           (a->options->path_file == NULL || analyze_write_path(outs, a)) && ws_outs_publish(outs);
    if (good && a->options->json) {
        json_print(a, &doc);
    } else if (good) {
        ws_stream_covers_say(stdout, a->trace.file);
        text_print(a, &doc);
    }
    doc_free(&doc);
    return good;
}

static bool trace_analyze(void *command, struct ws_file *trace, struct ws_outs *outs)
{
    const struct analyze_options *o = &((const struct command *)command)->o;
    outs->force = o->force;
    if (o->lp_map != NULL && !ws_outs_protect(outs, o->lp_map)) {
        return false;
    }
    if ((o->graph_file != NULL && !ws_out_may_begin(outs, o->graph_file)) ||
        (o->path_file != NULL && !ws_out_may_begin(outs, o->path_file))) {
        return false;
    }
    struct analyze a;
    bool good = analyze_run(&a, trace, o) && results_write(&a, outs);
    analyze_free(&a);
    return good;
}

int ws_command_analyze(int argc, char **argv)
{
    struct command c = {.o.top = 10, .ranks = "2,4,8,16", .weight = WEIGHT_ANY};
    return ws_trace_command(&usage, &c, options_check, trace_analyze,
                            "there is no trace of events to analyze: record with --event-trace=3",
                            argc, argv);
}
