/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command.c - "warpscope partition": finds a placement of the LPs with fewer events between ranks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "access/facts.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/emit.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "cli/out.h"
#include "data/number.h"
#include "partition/bounds.h"
#include "partition/graph.h"
#include "partition/report.h"

#define RANKS_MOST 65536u
#define KPS_MOST   1048576u

enum {
    OPTION_RANKS,
    OPTION_KPS,
    OPTION_OUTPUT,
    OPTION_WEIGHTS,
    OPTION_IMBALANCE,
    OPTION_SEED,
    OPTION_FORCE,
    OPTION_JSON,
    OPTION_END
};
static const struct ws_option options[] = {
    [OPTION_RANKS] =
        {"ranks", "N",
         "number of ranks of the run that will use the map\n(default: that of the recorded run)"},
    [OPTION_KPS] = {"kps", "K",
                    "number of KPs per rank, at most the --nkp of that run\n"
                    "(default: that of the recorded run); 0: no KPs in the\nmap"},
    [OPTION_OUTPUT] = {"output", "FILE", "file for the map (default lp.map); -: standard output"},
    [OPTION_WEIGHTS] = {"weights", "events|time",
                        "measure of an LP's load: the number of its events, or\n"
                        "the time of its handlers (default: time, if the trace\ncontains it)"},
    [OPTION_IMBALANCE] = {"imbalance", "PERCENT",
                          "maximum excess of a rank's or KP's load over the mean\n(default 3)"},
    [OPTION_SEED] = {"seed", "N", "seed of the random choices of METIS (default 1)"},
    [OPTION_FORCE] = {"force", NULL, "replace an existing file"},
    [OPTION_JSON] = {"json", NULL, "print the prediction as one JSON object"},
    [OPTION_END] = {NULL, NULL, NULL},
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
                  "A part of a run is enough if it is typical of the rest. The recorded run may\n"
                  "have any number of ranks; committed events do not depend on it.\n"},
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

struct partition_command {
    struct partition partition;
    bool by_time, must_time, json, has_kps;
    const char *output;
};

static int number_read(const struct ws_args *args, int option, uint64_t least, uint64_t most,
                       uint64_t *value)
{
    const char *text = args->values[option];
    if (text != NULL && (!ws_parse_u64(text, value) || *value < least || *value > most)) {
        return ws_usage_error(&usage, "--%s=%s: must be a whole number from %llu to %llu",
                              options[option].name, text, (unsigned long long)least,
                              (unsigned long long)most);
    }
    return WS_EXIT_OK;
}

static int weights_read(struct partition_command *c, const char *text)
{
    c->by_time = text == NULL || strcmp(text, "time") == 0;
    c->must_time = text != NULL && c->by_time;
    return text == NULL || c->by_time || strcmp(text, "events") == 0
               ? WS_EXIT_OK
               : ws_usage_error(&usage, "--weights=%s: must be events or time", text);
}

static int options_read(struct partition_command *c, const struct ws_args *args)
{
    uint64_t ranks = 0;
    uint64_t kps = 0;
    uint64_t seed = 1;
    double percent = 3.0;
    const char *text = args->values[OPTION_IMBALANCE];
    c->json = args->values[OPTION_JSON] != NULL;
    c->has_kps = args->values[OPTION_KPS] != NULL;
    c->output = args->values[OPTION_OUTPUT] != NULL ? args->values[OPTION_OUTPUT] : "lp.map";
    int status = number_read(args, OPTION_RANKS, 1, RANKS_MOST, &ranks);
    status = status != WS_EXIT_OK ? status : number_read(args, OPTION_KPS, 0, KPS_MOST, &kps);
    status = status != WS_EXIT_OK ? status : number_read(args, OPTION_SEED, 0, INT32_MAX, &seed);
    if (status == WS_EXIT_OK && text != NULL &&
        (!ws_parse_f64(text, &percent) || !(percent >= 0.1) || !(percent <= 1000.0))) {
        status = ws_usage_error(&usage, "--imbalance=%s: must be from 0.1 to 1000", text);
    }
    status = status != WS_EXIT_OK ? status : weights_read(c, args->values[OPTION_WEIGHTS]);
    if (status == WS_EXIT_OK && c->json && strcmp(c->output, "-") == 0) {
        status = ws_usage_error(&usage, "--json and --output=- both need standard output");
    }
    c->partition.n_ranks = (uint32_t)ranks;
    c->partition.n_kps = (uint32_t)kps;
    c->partition.cut = (struct partition_cut_options){(uint32_t)seed, percent / 100.0, NULL};
    return status;
}

/* If the command line does not state the number of ranks or of KPs, takes that number from the
 * recorded run. */
static void defaults_take(struct partition_command *c, const struct ws_file *file)
{
    struct partition *p = &c->partition;
    uint64_t kps = 16;
    const char *text = ws_fact(file->sb, "kps_per_pe");
    if (text != NULL) {
        (void)ws_parse_u64(text, &kps);
    }
    p->n_ranks = p->n_ranks == 0 ? file->sb->layout.n_pes : p->n_ranks;
    p->n_ranks = p->n_ranks > RANKS_MOST ? RANKS_MOST : p->n_ranks;
    if (!c->has_kps) {
        p->n_kps = (uint32_t)(kps < KPS_MOST ? kps : KPS_MOST);
    }
}

static bool map_save(const struct partition_command *c, const struct partition_counts *counts,
                     struct ws_outs *outs)
{
    struct ws_out *out = ws_out_begin(outs, c->output);
    return out != NULL && partition_map_write(out, &c->partition, counts) && ws_out_end(out) &&
           ws_outs_publish(outs);
}

static bool file_partition(struct partition_command *c, struct ws_file *file, struct ws_outs *outs)
{
    struct partition_counts counts;
    struct partition *p = &c->partition;
    bool good =
        partition_counts_read(&counts, file, c->by_time ? PARTITION_TIMES : PARTITION_EVENTS);
    if (good && c->must_time && !counts.graph.by_time) {
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
        good = good && map_save(c, &counts, outs);
    }
    if (good && (c->json || strcmp(c->output, "-") != 0)) {
        partition_bounds_find(p, file);
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

/* Finds a placement for a recording, and writes the map. Returns the exit status. */
static int files_partition(struct partition_command *c, const struct ws_files *files,
                           struct ws_outs *outs)
{
    struct ws_file *file = NULL;
    bool good = true;
    for (size_t i = 0; i < files->n && good; i++) {
        good = ws_outs_protect(outs, files->paths[i]);
    }
    if (good) {
        file =
            ws_trace_open(files, "there is no trace of events here; record with --event-trace=3");
    }
    if (file != NULL) {
        good = file_partition(c, file, outs);
        good = ws_file_good(file) && ws_stream_covers_say(NULL, file) && good;
        ws_trace_close(file);
    }
    return file != NULL && good ? WS_EXIT_OK : WS_EXIT_DAMAGED;
}

static int partition_run(const struct ws_args *args, const struct ws_files *files, bool found)
{
    struct partition_command c = {.output = NULL};
    struct ws_outs outs = {.force = args->values[OPTION_FORCE] != NULL};
    int status = options_read(&c, args);
    if (status == WS_EXIT_OK && partition_cut_missing() != NULL) {
        ws_say(&ws_on_stderr, "%s", partition_cut_missing());
        status = WS_EXIT_DAMAGED;
    }
    if (status == WS_EXIT_OK) {
        status = files_partition(&c, files, &outs);
        status = found ? status : WS_EXIT_DAMAGED;
        if (outs.pipe_errno != 0) {
            status = ws_output_failed(outs.pipe_errno);
        }
    }
    partition_free(&c.partition);
    ws_outs_free(&outs);
    return status;
}

int ws_command_partition(int argc, char **argv)
{
    return ws_files_command(&usage, argc, argv, partition_run);
}
