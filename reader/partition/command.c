/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command.c - "warpscope partition": finds a placement of the LPs with fewer events between ranks.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "access/facts.h"
#include "cli/args.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "cli/out.h"
#include "commands.h"
#include "partition/partition.h"

#define RANKS_MOST   65536u
#define KPS_MOST     1048576u
#define KPS_RECORDED UINT32_MAX

struct partition_command {
    struct partition partition;
    enum partition_weights weights;
    uint32_t n_ranks; /* 0: as in the recorded run */
    uint32_t n_kps;   /* KPS_RECORDED: as in the recorded run */
    uint32_t seed;
    double percent; /* maximum excess of a load over the mean */
    double lookahead;
    bool force, json;
    const char *output;
};

#define INTO(member) WS_INTO(struct partition_command, member)
static const struct ws_option options[] = {
    {"ranks", "N",
     "number of ranks of the run that will use the map\n(default: that of the recorded run)",
     INTO(n_ranks), .min = 1, .max = RANKS_MOST},
    {"kps", "K",
     "number of KPs per rank, at most the --nkp of that run\n"
     "(default: that of the recorded run); 0: no KPs in the\nmap",
     INTO(n_kps), .max = KPS_MOST},
    {"output", "FILE", "file for the map (default lp.map); -: standard output", INTO(output)},
    {"weights", "events|time",
     "measure of an LP's load: the number of its events, or\n"
     "the time of its handlers (default: time, if the trace\ncontains at least 20 ms)",
     INTO(weights)},
    {"imbalance", "PERCENT", "maximum excess of a rank's or KP's load over the mean\n(default 3)",
     INTO(percent), .min = 0.1, .max = 1000},
    {"lookahead", "TIME",
     "keep LPs on one rank between which an event took less\n"
     "virtual time than this, as --synch=2 demands",
     INTO(lookahead), .min = 0, .max = DBL_MAX},
    {"seed", "N", "seed of the random choices of METIS (default 1)", INTO(seed), .max = INT32_MAX},
    {"force", NULL, "replace an existing file", INTO(force)},
    {"json", NULL, "print the prediction as one JSON object", INTO(json)},
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    {"how LPs are placed",
     "The graph of the LPs contains the load of each LP, and the number of events\n"
     "between each two LPs. METIS divides it into parts of about equal load with few\n"
     "events between parts. If the linear or the recorded placement is balanced, and\n"
     "has no more events between ranks than the new one, the map contains it instead.\n"
     "LPs without events are spread evenly.\n"
     "\n"
     "The LPs of a rank are divided among its KPs by METIS, or into blocks of\n"
     "neighbours. A rollback by a remote event undoes the events of a whole KP.\n"
     "Therefore the division with less load on KPs with remote events is taken. If\n"
     "both have about the same, the division with fewer events between KPs is taken:\n"
     "the events that a rollback cancels are then mostly in the same KP.\n"
     "\n"
     "The numbers of remote events are exact for the events in the trace; that of the\n"
     "random placement is an expected value. Balance is the load of the busiest rank\n"
     "divided by the mean. Equal traces, options and seeds give equal maps.\n"},
    {"bounds",
     "The columns \"bound\" and \"in order\" limit the speed-up over one rank that a run\n"
     "with a placement can reach. \"bound\" follows from the critical path and the load\n"
     "of the busiest rank. \"in order\" holds for ranks that execute all their events in\n"
     "order: it follows from the longest path on which the events of each rank depend\n"
     "on one another too. In both, messages cost nothing. See \"warpscope analyze\".\n"},
    {"recording", "  MODEL --event-trace=3                  committed events\n"
                  "  MODEL --event-trace=3 --event-times=1  also times the handlers\n"
                  "\n"
                  "A short run is enough if it is typical of a longer one. The recorded run may\n"
                  "have any number of ranks; committed events do not depend on it. A trace of\n"
                  "some LPs, of a window of virtual time, or of the last events is refused.\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "partition",
    "DIR-or-FILE",
    "Reads a trace of events, and writes a map of LPs to ranks and KPs, which a run\n"
    "reads by --lp-map=FILE. The placement is balanced, and has few events between\n"
    "ranks. Prints their number, and that of other placements for comparison. The\n"
    "results of the model stay the same.\n",
    options,
    .exit_status =
        "  0  the map is written\n"
        "  1  the trace is missing, empty, damaged or incomplete (a damaged trace gives a\n"
        "     map from its readable part); or the map could not be made or written\n"
        "  2  the command line is wrong; no file was read\n",
    .examples = "Record a short run, place its LPs, and run with that placement:\n"
                "  mpirun -n 4 MODEL --end=100 --event-trace=3\n"
                "  warpscope partition stats-output --ranks=4 -o 4.map\n"
                "  mpirun -n 4 MODEL --lp-map=4.map\n",
    .sections = sections,
    .see = "stats analyze advise report"};

static int options_check(void *command, const struct ws_args *args)
{
    const struct partition_command *c = command;
    (void)args;
    if (c->json && strcmp(c->output, "-") == 0) {
        return ws_usage_error(&usage, "--json and --output=- both need standard output");
    }
    if (partition_cut_missing() != NULL) {
        ws_say(&ws_on_stderr, "%s", partition_cut_missing());
        return WS_EXIT_DAMAGED;
    }
    return WS_EXIT_OK;
}

/* If the command line does not state the number of ranks or of KPs, takes that number from the
 * recorded run. */
static void defaults_take(struct partition_command *c, const struct ws_file *file)
{
    struct partition *p = &c->partition;
    const double kps = ws_fact_number(file->sb, "kps_per_pe", 16);
    p->n_ranks = c->n_ranks == 0 ? file->sb->layout.n_pes : c->n_ranks;
    p->n_ranks = p->n_ranks > RANKS_MOST ? RANKS_MOST : p->n_ranks;
    p->n_kps = c->n_kps != KPS_RECORDED ? c->n_kps : (uint32_t)fmax(0, fmin(kps, KPS_MOST));
    p->cut = (struct partition_cut_options){c->seed, c->percent / 100.0, NULL};
}

static bool trace_partition(void *command, struct ws_file *file, struct ws_outs *outs)
{
    struct partition_command *c = command;
    struct partition_counts counts;
    struct partition *p = &c->partition;
    outs->force = c->force;
    if (!ws_out_may_begin(outs, c->output)) {
        return false;
    }
    bool good = partition_counts_read(&counts, file, c->weights, c->lookahead);
    if (good && c->weights == PARTITION_TIME && !counts.graph.by_time) {
        ws_say(&ws_on_stderr, "%s: its events have no times; record with --event-times=1",
               file->path);
        good = false;
    }
    if (good) {
        defaults_take(c, file);
        p->graph = &counts.graph;
        good = partition_make(p);
        if (!good) {
            ws_say(&ws_on_stderr, "%s", p->why);
        } else if (p->n_ranks > counts.graph.n_lps) {
            ws_say(&ws_on_stderr,
                   "--ranks=%" PRIu32 ": there are %" PRIu64 " LPs, so that %" PRIu64
                   " ranks get none",
                   p->n_ranks, counts.graph.n_lps, p->n_ranks - counts.graph.n_lps);
        }
        double balance = good ? p->sums[p->chosen].balance : 0.0;
        if (c->lookahead > 0.0 && balance > 1.0 + 2.0 * p->cut.imbalance) {
            ws_say(&ws_on_stderr,
                   "--lookahead=%g: groups of LPs that stay on one rank make the map uneven: the "
                   "busiest rank has %.2f times the mean load",
                   c->lookahead, balance);
        }
        good = good && partition_map_save(outs, c->output, p, &counts.trace);
    }
    if (good && (c->json || strcmp(c->output, "-") != 0)) {
        partition_bounds_find(p, &counts.trace);
    }
    if (good && c->json) {
        partition_json(stdout, p, file, c->output);
    } else if (good && strcmp(c->output, "-") != 0) {
        ws_stream_covers_say(stdout, file);
        partition_text(stdout, p, file->path, c->output);
    }
    partition_counts_free(&counts);
    return good;
}

int ws_command_partition(int argc, char **argv)
{
    struct partition_command c = {.weights = PARTITION_ANY,
                                  .n_kps = KPS_RECORDED,
                                  .seed = 1,
                                  .percent = 3,
                                  .output = "lp.map"};
    int status = ws_trace_command(&usage, &c, options_check, trace_partition,
                                  "there is no trace of events here; record with --event-trace=3",
                                  argc, argv);
    partition_free(&c.partition);
    return status;
}
