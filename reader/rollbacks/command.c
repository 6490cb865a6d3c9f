/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - "warpscope rollbacks": shows why a run rolled back. */
#include <stdlib.h>

#include "cli/args.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "commands.h"
#include "rollbacks/rollbacks.h"

static const struct ws_option options[] = {
    {"top", "N", "rows in lists of causes and cascades (default 10)",
     WS_INTO(struct rollbacks_options, top), .min = 1, .max = 1000},
    {"csv", "DIR", "write each table to a file in the new directory DIR",
     WS_INTO(struct rollbacks_options, csv_folder)},
    {"force", NULL, "replace existing files", WS_INTO(struct rollbacks_options, force)},
    {"json", NULL, "print one JSON object", WS_INTO(struct rollbacks_options, json)},
    {NULL, NULL, NULL},
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

static void facts_json(struct json_writer *json, const void *rollbacks)
{
    const struct rollbacks *r = rollbacks;
    ws_put(json,
           "handlers_timed|equals_engine|rollbacks|primary|secondary|undone|undone_time|"
           "cascade_count",
           doc_bool(r->is_timed), doc_bool(rollbacks_agree(r)), doc_count(r->n_nodes),
           doc_count(r->primary), doc_count(r->secondary), doc_count(r->undone),
           doc_real((double)r->ns * 1e-9), doc_count(r->n_trees));
}

static bool results_write(struct rollbacks *r, struct ws_outs *outs)
{
    struct doc doc = {.n = 0};
    rollbacks_tables(&doc, r);
    rollbacks_findings(&doc, r);
    bool good = doc_publish(&doc, outs, r->options->csv_folder, r->file,
                            r->options->json ? facts_json : NULL, r);
    doc_free(&doc);
    return good;
}

static bool trace_examine(void *command, struct ws_file *trace, struct ws_outs *outs)
{
    const struct rollbacks_options *o = command;
    struct rollbacks r;
    outs->force = o->force;
    bool good = rollbacks_run(&r, trace, o) && results_write(&r, outs);
    rollbacks_free(&r);
    return good;
}

int ws_command_rollbacks(int argc, char **argv)
{
    struct rollbacks_options o = {.top = 10};
    return ws_trace_command(&usage, &o, NULL, trace_examine,
                            "there is no trace of rollbacks to read: record with --event-trace=2",
                            argc, argv);
}
