/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - "warpscope predict": what a run would need on other numbers of ranks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "commands.h"
#include "data/number.h"
#include "figures/over_time.h"
#include "predict/predict.h"

#define RANKS_MOST 65536.0

enum which { WHICH_BOTH, WHICH_OPTIMISTIC, WHICH_CONSERVATIVE };

struct command {
    struct predict p;
    const char *ranks, *machine, *calibrate, *save, *csv;
    double latency, bandwidth, cores; /* negative: not given */
    enum which which;
    bool json, force;
};

#define INTO(member) WS_INTO(struct command, member)
static const struct ws_option options[] = {
    {"ranks", "LIST", "numbers of ranks (default 2,4,8,16)", INTO(ranks)},
    {"scheduler", "both|optimistic|conservative", "schedulers to predict (default both)",
     INTO(which)},
    {"lookahead", "TIME",
     "lookahead of conservative runs (default: that of the\nrun, or the least offset between LPs)",
     INTO(p.lookahead), .min = 0, .max = 1e300},
    {"machine", "FILE", "costs of the engine and of the machine: lines\n\"name = value\"",
     INTO(machine), .min = 1},
    {"latency", "NS",
     "time of a message between hosts; each host then has\nas many ranks as this one has cores",
     INTO(latency), .min = 0, .max = 1e9},
    {"bandwidth", "GB/S", "bandwidth of a rank", INTO(bandwidth), .min = 1e-6, .max = 1e6},
    {"cores", "N", "cores that all ranks share (default: one for each)", INTO(cores), .min = 1,
     .max = RANKS_MOST},
    {"calibrate", "DIR", "take costs from a run on several ranks", INTO(calibrate), .min = 1},
    {"save", "FILE", "write the costs as a file for --machine", INTO(save), .min = 1},
    {"csv", "DIR", "write each table to a file in the new directory DIR", INTO(csv)},
    {"force", NULL, "replace existing files", INTO(force)},
    {"json", NULL, "print one JSON object", INTO(json)},
    {NULL, NULL, NULL},
};
static const struct ws_section sections[] = {
    {"how it is computed",
     "A model of the engine executes the recorded events with their causes, on ranks\n"
     "with the placement that \"warpscope partition\" makes: batches, messages,\n"
     "stragglers, rollbacks, GVT computations and windows of lookahead happen as in a\n"
     "run. An event takes the median time of its type of LP and kind, and what one\n"
     "rank needs for the queue. What one rank needs is the figure of \"warpscope\n"
     "advise\". Nothing includes recording.\n"},
    {"the machine",
     "By default, all ranks are on one host with a core for each. Costs of messages,\n"
     "undone events and GVT are those of one machine; --calibrate takes those of a\n"
     "run of any model on this one. --machine and --latency describe a cluster.\n"},
    {"ranges", "Optimistic runs are repeated with other disturbances, from which the least and\n"
               "the most come. With short handlers, other programs decide how much is undone.\n"},
    {"recording", "  MODEL --synch=1 --event-trace=3 --event-times=1\n"
                  "\n"
                  "A run on several ranks serves as well. A short run is enough if it is typical\n"
                  "of a longer one. At most 134,217,728 events, of 36 bytes each in memory.\n"},
    {NULL, NULL},
};
static const struct ws_usage usage = {
    "predict",
    "DIR-or-FILE",
    "Predicts what a recorded run would need on other numbers of ranks: time, speed,\n"
    "undone events, messages, GVT computations, waiting and memory, for the\n"
    "optimistic and the conservative scheduler, and what limits each.\n",
    options,
    .exit_status = "  0  the runs are predicted\n"
                   "  1  the trace is missing, damaged or incomplete, or it is not one of the\n"
                   "     committed events of all LPs; or a file could not be read or written\n"
                   "  2  the command line is wrong; no file was read\n",
    .examples = "What would more ranks bring?\n"
                "  MODEL --synch=1 --event-trace=3 --event-times=1\n"
                "  warpscope predict stats-output --ranks=2,4,8,16\n"
                "The same on hosts of 32 cores with 2 us between them:\n"
                "  printf 'ranks-per-host = 32\\nlatency = 2000\\n' >hosts\n"
                "  warpscope predict stats-output --ranks=32,64 --machine=hosts\n"
                "Costs of this machine, from any run of a model on two ranks:\n"
                "  mpirun -n 2 MODEL --synch=3 --enable-gvt-stats=1 --stats-path=two\n"
                "  warpscope predict stats-output --calibrate=two --save=costs\n",
    .sections = sections,
    .see = "advise analyze partition"};

/* ---- Options --------------------------------------------------------------------------------- */

/* Reads different whole numbers separated by commas, and sorts them. Returns false if the text has another
 * form. */
static bool ranks_read(struct predict *p, const char *text)
{
    double value = 0.0;
    do {
        text = ws_f64_read(p->n_ranks > 0 ? text + 1 : text, &value);
        if (text == NULL || !(value >= 1.0) || value > RANKS_MOST ||
            value > (double)(uint32_t)value || p->n_ranks == PREDICT_RANKS_MAX) {
            return false;
        }
        uint32_t i = p->n_ranks++;
        for (; i > 0 && p->ranks[i - 1] >= (uint32_t)value; i--) {
            if (p->ranks[i - 1] == (uint32_t)value) {
                return false;
            }
            p->ranks[i] = p->ranks[i - 1];
        }
        p->ranks[i] = (uint32_t)value;
    } while (*text == ',');
    return *text == '\0';
}

static int options_check(void *command, const struct ws_args *args)
{
    struct command *c = command;
    (void)args;
    c->p.optimistic = c->which != WHICH_CONSERVATIVE;
    c->p.conservative = c->which != WHICH_OPTIMISTIC;
    return ranks_read(&c->p, c->ranks)
               ? WS_EXIT_OK
               : ws_usage_error(&usage,
                                "--ranks=%s: must be up to 16 different whole numbers from 1 to "
                                "65536, such as 2,4,8",
                                c->ranks);
}

/* Takes the costs of another run. Returns false after an error message. */
static bool calibrate(struct predict_costs *costs, const char *path)
{
    struct ws_figures run;
    struct ws_select select = {.lps = {0}};
    bool good = ws_figures_open(&run, &path, 1, &select, &ws_on_stderr) &&
                (ws_figures_gather(&run) || ws_no_memory(NULL));
    if (good && !predict_costs_take(costs, &run.evidence)) {
        good = ws_refuse(path, "its phases tell no costs",
                         "record an optimistic run on two or more ranks, of a second or more, with "
                         "--enable-gvt-stats=1");
    }
    ws_figures_free(&run);
    return good;
}

static bool costs_set(struct command *c, const struct ws_evidence *e)
{
    struct predict_costs *costs = &c->p.costs;
    predict_costs_init(costs, e);
    if ((c->calibrate != NULL && !calibrate(costs, c->calibrate)) ||
        (c->machine != NULL && !predict_costs_read(costs, c->machine))) {
        return false;
    }
    if (c->latency >= 0.0) {
        costs->machine.latency_ns = c->latency;
        costs->per_host = costs->per_host > 0.0 ? costs->per_host : e->processors;
    }
    costs->bandwidth = c->bandwidth >= 0.0 ? c->bandwidth : costs->bandwidth;
    costs->cores = c->cores >= 0.0 ? c->cores : costs->cores;
    return true;
}

/* ---- Results --------------------------------------------------------------------------------- */

static void facts_json(struct json_writer *json, const void *predict)
{
    const struct predict *p = predict;
    ws_put(json, "events|causes_missing|handlers_timed|alone_seconds|event_ns|lookahead",
           doc_count(p->source.n), doc_count(p->source.missing),
           doc_bool(p->source.trace.times.is_timed), doc_real(p->alone_seconds),
           doc_real(p->event_ns), doc_real(p->lookahead));
}

static bool results_write(struct command *c, struct ws_outs *outs)
{
    struct doc doc = {.n = 0};
    predict_document(&doc, &c->p);
    bool good =
        (c->save == NULL || predict_costs_write(&c->p.costs, outs, c->save)) &&
        doc_publish(&doc, outs, c->csv, c->p.source.trace.file, c->json ? facts_json : NULL, &c->p);
    doc_free(&doc);
    return good;
}

static bool trace_predict(void *command, struct ws_file *trace, struct ws_outs *outs)
{
    struct command *c = command;
    struct ws_evidence e;
    const struct ws_stats_sums none = {.counted = NULL};
    const struct ws_select all = {.lps = {0}};
    outs->force = c->force;
    if ((c->save != NULL && !ws_out_may_begin(outs, c->save)) ||
        (c->machine != NULL && !ws_outs_protect(outs, c->machine))) {
        return false;
    }
    ws_evidence_init(&e);
    bool good = (ws_evidence_stream(&e, trace, &none, &all) || ws_no_memory(NULL)) &&
                costs_set(c, &e) && predict_find(&c->p, trace, &e) && results_write(c, outs);
    ws_evidence_free(&e);
    predict_source_free(&c->p.source);
    return good;
}

int ws_command_predict(int argc, char **argv)
{
    struct command *c = calloc(1, sizeof *c);
    if (c == NULL) {
        ws_no_memory(NULL);
        return WS_EXIT_DAMAGED;
    }
    c->ranks = "2,4,8,16";
    c->latency = c->bandwidth = c->cores = -1.0;
    int status = ws_trace_command(&usage, c, options_check, trace_predict,
                                  "there is no trace of events to predict from: record with "
                                  "--event-trace=3 --event-times=1",
                                  argc, argv);
    free(c);
    return status;
}
