/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - "warpscope rollbacks": shows why a run rolled back. */
#include <stdlib.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/emit.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "rollbacks/rollbacks.h"
#include "show/show.h"

#define TOP_DEFAULT 10u
#define TOP_MAX     1000u

enum { OPTION_TOP, OPTION_CSV, OPTION_FORCE, OPTION_JSON, OPTION_END };
static const struct ws_option options[] = {
    [OPTION_TOP] = {"top", "N", "rows in lists of causes and cascades (default 10)"},
    [OPTION_CSV] = {"csv", "DIR", "write each table to a file in the new directory DIR"},
    [OPTION_FORCE] = {"force", NULL, "replace existing files"},
    [OPTION_JSON] = {"json", NULL, "print one JSON object"},
    [OPTION_END] = {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    {"cascades",
     "A primary rollback undoes events because a straggler arrived. Undoing an event\n"
     "cancels the events that it sent. If a cancelled event was already executed, its\n"
     "KP makes a secondary rollback, and so on: a cascade. The depth of a cascade is\n"
     "the length of its longest chain of rollbacks, its width the maximum number of\n"
     "rollbacks at the same depth. The tables of causes show all events that a cascade\n"
     "undid, and as \"its own\" those that its primary rollback undid.\n"},
    {"reasons", "  slow message      the straggler was sent before the receiver passed its time:\n"
                "                    its transport took too long\n"
                "  slow rank         the straggler was sent later, by a PE that lags: stragglers\n"
                "                    of this kind from the PE caused at least twice as many\n"
                "                    undone events as those that it received from other PEs\n"
                "  too far ahead     the straggler was sent later, by another PE that does not\n"
                "                    lag: the receiver was too far ahead\n"
                "  own PE            the straggler was sent by an LP of the same PE\n"
                "  no straggler      --random-rollbacks, or a return to GVT\n"
                "  not in the trace  the cause was not recorded, for example because of\n"
                "                    --trace-lps or --trace-from\n"
                "\n"
                "Times of different hosts are compared by their system clocks.\n"},
    {"bounds on optimism",
     "With --max-opt-lookahead=W, no event is executed beyond GVT + W. Thus no\n"
     "straggler is late by more than W. The table assumes that the events that a\n"
     "straggler undid were spread evenly over the virtual time by which it was late.\n"
     "GVT is often earlier than a straggler, so a bound may avoid more rollbacks than\n"
     "the table shows.\n"},
    {"recording", "  MODEL --event-trace=2                  is necessary\n"
                  "  MODEL --event-trace=2 --event-times=1  also times the undone handlers\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "rollbacks",
    "DIR-or-FILE",
    "Shows why an optimistic run rolled back: cascades of rollbacks, causes by PE,\n"
    "KP, LP and type of LP, the lateness of stragglers and its reasons, and the bound\n"
    "on optimism that would have avoided them. Reads a trace of rollbacks.\n",
    options,
    .exit_status = "  0  the trace is complete\n"
                   "  1  the trace is missing, damaged or incomplete; or a file could not be\n"
                   "     written\n"
                   "  2  the command line is wrong; no file was read\n",
    .examples = "Why did this run roll back, and what would help?\n"
                "  warpscope rollbacks stats-output\n"
                "All tables for a spreadsheet, with more rows:\n"
                "  warpscope rollbacks stats-output --top=100 --csv=tables\n",
    .sections = sections,
    .see = "stats report dump"};

static void json_print(const struct rollbacks *r, const struct ws_result_findings *findings,
                       const struct ws_results *results)
{
    struct json_writer json = {.out = stdout};
    json_object_open(&json, NULL);
    json_put_string(&json, "path", r->file->path);
    ws_stream_covers_json(&json, r->file);
    json_put_bool(&json, "handlers_timed", r->is_timed);
    json_put_bool(&json, "equals_engine", rollbacks_agree(r));
    json_put_u64(&json, "rollbacks", r->n_nodes);
    json_put_u64(&json, "primary", r->primary);
    json_put_u64(&json, "secondary", r->secondary);
    json_put_u64(&json, "undone", r->undone);
    json_put_double(&json, "undone_time", (double)r->ns * 1e-9);
    json_put_u64(&json, "cascade_count", r->n_trees);
    ws_result_findings_json(&json, findings);
    ws_results_json(&json, results);
    json_object_close(&json);
}

static void text_print(const struct rollbacks *r, const struct ws_result_findings *findings,
                       const struct ws_results *results)
{
    ws_stream_covers_say(stdout, r->file);
    ws_stats_run_text(stdout, r->file->sb);
    ws_result_findings_print(stdout, findings);
    for (uint32_t i = 0; i < results->n; i++) {
        ws_result_print(stdout, &results->list[i]);
    }
}

static bool results_write(struct rollbacks *r, struct ws_outs *outs)
{
    struct ws_results *results = calloc(1, sizeof *results);
    struct ws_result_findings findings = {.n = 0};
    if (results == NULL) {
        return rollbacks_no_memory(r);
    }
    rollbacks_tables(results, r);
    rollbacks_findings(&findings, r);
    bool good = !results->no_memory || rollbacks_no_memory(r);
    good =
        good &&
        (r->options->csv_folder == NULL || ws_results_csv(outs, r->options->csv_folder, results)) &&
        ws_outs_publish(outs);
    if (good && r->options->json) {
        json_print(r, &findings, results);
    } else if (good) {
        text_print(r, &findings, results);
    }
    ws_results_free(results);
    free(results);
    return good;
}

static int files_examine(const struct rollbacks_options *o, const struct ws_files *files)
{
    static const char absent[] =
        "there is no trace of rollbacks to read: record with --event-trace=2";
    struct ws_outs outs = {.force = o->force};
    struct ws_file *file = NULL;
    struct rollbacks *r = calloc(1, sizeof *r);
    bool good = r != NULL;
    for (size_t i = 0; i < files->n && good; i++) {
        good = ws_outs_protect(&outs, files->paths[i]);
    }
    if (good && (file = ws_trace_open(files, absent)) != NULL) {
        good = rollbacks_run(r, file, o) && results_write(r, &outs);
        good = good && ws_file_good(file) && ws_stream_covers_say(NULL, file);
        rollbacks_free(r);
        ws_trace_close(file);
    } else {
        good = false;
    }
    free(r);
    int status = outs.pipe_errno != 0 ? ws_output_failed(outs.pipe_errno)
                                      : (good ? WS_EXIT_OK : WS_EXIT_DAMAGED);
    ws_outs_free(&outs);
    return status;
}

int ws_command_rollbacks(int argc, char **argv)
{
    struct ws_args args;
    struct ws_files files;
    uint64_t top = TOP_DEFAULT;
    int status;
    if (!ws_args_parse_paths(&args, &usage, argc, argv, &status)) {
        return status;
    }
    if (args.values[OPTION_TOP] != NULL &&
        (!ws_parse_u64(args.values[OPTION_TOP], &top) || top == 0 || top > TOP_MAX)) {
        return ws_usage_error(&usage, "--top=%s: must be a whole number from 1 to %u",
                              args.values[OPTION_TOP], TOP_MAX);
    }
    const struct rollbacks_options o = {.top = (uint32_t)top,
                                        .json = args.values[OPTION_JSON] != NULL,
                                        .force = args.values[OPTION_FORCE] != NULL,
                                        .csv_folder = args.values[OPTION_CSV]};
    bool found = ws_files_find(&files, args.operands, args.n_operands);
    status = files.n > 0 ? files_examine(&o, &files) : WS_EXIT_DAMAGED;
    ws_files_free(&files);
    return found ? status : WS_EXIT_DAMAGED;
}
