/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_options.c - the options of the engine, in groups with the titles that ROSS uses, and their
 * effects.
 */
#include <assert.h>

#include "base/rng.h"
#include "engine/pe/pe.h"
#include "engine/probe.h"
#include "engine/process/run.h"

static const tw_optdef kernel_options[] = {
    TWOPT_GROUP("ROSS Kernel"),
    TWOPT_UINT("synch", g_run.settings.synch,
               "scheduler: 0 sequential on one rank, optimistic on more; 1 sequential, 2 "
               "conservative, 3 optimistic, 5 optimistic with GVT by wall clock; to check reverse "
               "handlers, on one rank: 4 rolls back all at the end, 6 each event"),
    TWOPT_ULONG("nkp", g_tw_nkp, "kernel processes (KPs) per PE, the units of rollback"),
    TWOPT_STIME("end", g_tw_ts_end, "virtual time at which the simulation ends"),
    TWOPT_UINT("batch", g_tw_mblock, "events per scheduling batch"),
    TWOPT_STIME("cons-lookahead", g_tw_lookahead,
                "minimum offset of events between ranks, for --synch=2"),
    TWOPT_DOUBLE(
        "max-opt-lookahead", g_run.settings.max_opt_lookahead,
        "<TIME> maximum virtual time by which a PE may run ahead of GVT; 0: chosen by measured "
        "efficiency"),
    TWOPT_UINT("rng-seed1", g_run.settings.rng_seed[0],
               "first part of the seed of the model's random streams; give all four parts or none"),
    TWOPT_UINT("rng-seed2", g_run.settings.rng_seed[1], "second part"),
    TWOPT_UINT("rng-seed3", g_run.settings.rng_seed[2], "third part"),
    TWOPT_UINT("rng-seed4", g_run.settings.rng_seed[3], "fourth part"),
    TWOPT_UINT("core-rng-seed1", g_run.settings.core_rng_seed[0],
               "first part of the seed of the tie-breaking streams; give all four parts or none"),
    TWOPT_UINT("core-rng-seed2", g_run.settings.core_rng_seed[1], "second part"),
    TWOPT_UINT("core-rng-seed3", g_run.settings.core_rng_seed[2], "third part"),
    TWOPT_UINT("core-rng-seed4", g_run.settings.core_rng_seed[3], "fourth part"),
    TWOPT_UINT("replication", g_tw_replication,
               "number of this repetition of an experiment, at most 32767; each number has random "
               "streams of its own"),
    TWOPT_UINT("extramem", g_run.settings.extramem, "no effect: event memory grows on demand"),
    TWOPT_UINT("avl-size", g_run.settings.avl_size, "no effect"),
    TWOPT_UINT("buddy-size", g_run.settings.buddy_size, "no effect"),
    TWOPT_UINT(
        "lz4-knob", g_tw_lz4_knob,
        "acceleration of LZ4 in tw_snapshot_delta(); a larger value is faster and compresses less"),
    TWOPT_ARGSFILE("args-file", g_run.settings.args_file, "file with further options"),
    TWOPT_GROUP("ROSS MPI Kernel"),
    TWOPT_UINT("read-buffer", g_run.settings.read_buffer, "no effect"),
    TWOPT_UINT("send-buffer", g_run.settings.send_buffer, "no effect"),
    TWOPT_GROUP("ROSS MPI GVT"),
    TWOPT_UINT("gvt-interval", g_tw_gvt_interval,
               "batches between GVT computations; milliseconds with --synch=5. If it is not given, "
               "optimistic runs adapt it between 256 and 4096 events"),
    TWOPT_DOUBLE("report-interval", g_run.settings.report_interval,
                 "<SHARE> of the end time between progress lines, when stderr is not a terminal"),
    TWOPT_GROUP("ROSS Timing"),
    TWOPT_ULONGLONG("clock-rate", g_tw_clock_rate,
                    "ticks per second of the cycle counter; 0: measured"),
    TWOPT_WORD("phase-times", g_run.settings.phase_times,
               "<off|sampled|exact> times of phases in the report and in samples: sampled, from "
               "one turn of the loop in 512, or in 64 with real-time samples; exact, from all "
               "turns, which slows the run; off, none"),
    TWOPT_GROUP("Warpscope"),
    TWOPT_ULONGLONG("max-memory", g_run.settings.max_memory_mib,
                    "<MIB> event memory of a rank, without buffers of messages between ranks; 0: "
                    "three quarters of the memory available, shared by the ranks of a machine"),
    TWOPT_WORD("memory-check", g_run.settings.memory_check,
               "<off|on> on: refuse a run whose LPs, states and buffers need more memory than is "
               "available; off: do not check"),
    TWOPT_BYTES(
        "observer-memory", g_run.settings.observer_memory,
        "memory that observers of a rank may use for uncommitted events, such as 500000, 64K, "
        "64M or 2G; at the limit, only events that GVT waits for are executed; 0: no limit"),
    TWOPT_ULONGLONG(
        "random-rollbacks", g_run.settings.random_rollbacks,
        "test of reverse handlers in optimistic runs: make unnecessary rollbacks at random, "
        "after one batch in N; 0: never"),
    TWOPT_WORD(
        "transport", g_run.settings.transport,
        "<auto|mpi|shm> transport of events between ranks: shm, shared memory; mpi, MPI; auto, "
        "shared memory between ranks of a node, else MPI. Its buffers are not part of "
        "--max-memory"),
    TWOPT_WORD(
        "share-cores", g_run.settings.share_cores,
        "<off|on> on: ranks of a machine share cores, also if they are bound to others, while "
        "other programs use the machine and this is faster; off: never"),
    TWOPT_WORD("rng", g_tw_rng_kind,
               "<clcg4|fast> random generator: clcg4, the numbers of ROSS; fast, other numbers in "
               "less time"),
    TWOPT_FLAG("fingerprint", g_run.settings.fingerprint,
               "report hashes of committed events and final states, to compare runs"),
    TWOPT_CHAR("stall-warning", g_run.settings.stall_warning,
               "<SECONDS> warn when one event takes this long, or GVT does not advance for this "
               "long, such as 60s; 0: never"),
    TWOPT_CHAR("stall-limit", g_run.settings.stall_limit,
               "<SECONDS> end the run with an error if GVT has not advanced for this long, such "
               "as 300s, for example after the loss of a host; 0: never"),
    TWOPT_CHAR("checkpoint-every", g_run.settings.checkpoint_every,
               "<TIME> interval between checkpoints, to --restart from: virtual time, or "
               "wall-clock time such as 600s"),
    TWOPT_CHAR(
        "checkpoint-path", g_run.settings.checkpoint_path,
        "<DIR> directory for checkpoints, one per run (default: checkpoints; with "
        "--restart, the old one). If no other option of checkpoints is given, for those that "
        "SIGUSR2 requests"),
    TWOPT_CHAR("checkpoint-on", g_run.settings.checkpoint_on,
               "<term> write a checkpoint before a signal ends the run, such as SIGTERM"),
    TWOPT_UINT("checkpoint-keep", g_run.settings.checkpoint_keep,
               "number of complete checkpoints to keep, the newest ones"),
    TWOPT_FLAG("checkpoint-pointers", g_run.settings.checkpoint_pointers,
               "write states as bytes even if they seem to hold pointers"),
    TWOPT_CHAR("restart", g_run.settings.restart,
               "<DIR> continue from the newest complete checkpoint in DIR, or from DIR itself, on "
               "any number of ranks, under any scheduler"),
    TWOPT_CHAR(
        "lp-map", g_run.settings.lp_map,
        "<FILE> place LPs on ranks and KPs according to this file, which \"warpscope partition\" "
        "writes from a recording; the results stay the same"),
    TWOPT_CHAR("map", g_run.settings.map,
               "<auto> count the first events, find a better placement of LPs on ranks, and move "
               "the LPs there during the run; the results stay the same"),
    TWOPT_DOUBLE(
        "map-at", g_run.settings.map_at,
        "<TIME> virtual time at which --map=auto moves LPs; 0: after 50 events per LP or a "
        "tenth of the run"),
    TWOPT_CHAR("report-json", g_run.settings.report_json,
               "<FILE> also write the end-of-run report to this file, as JSON"),
    TWOPT_CHAR(
        "csv", g_run.settings.csv,
        "<FILE> append a row with the totals of the run to this table of comma-separated values; "
        "none: no table, not even ross.csv of models for ROSS 8"),
    TWOPT_FLAG("quiet", g_run.settings.quiet,
               "no progress line and no notices; warnings and errors are shown"),
    TWOPT_END(),
};

static const char *const most_used[] = {"synch",   "end",         "max-memory", "checkpoint-every",
                                        "restart", "fingerprint", "args-file",  "quiet",
                                        NULL};
const struct options_choice run_most_used_options = {"Engine", most_used};

void run_add_options(struct options *set)
{
    options_add(set, kernel_options);
}

static bool is_of_extension(const tw_optdef *table)
{
    const tw_optdef *const *tables =
        tw_extension.option_tables != NULL ? tw_extension.option_tables() : NULL;
    while (tables != NULL && *tables != NULL && *tables != table) {
        tables++;
    }
    return tables != NULL && *tables != NULL;
}

bool run_is_model_table(const tw_optdef *table)
{
    return table != kernel_options && !is_of_extension(table);
}

void run_visit_model_options(options_visit_f visit, void *ctx)
{
    const struct options *set = &g_run.options;
    assert(set->n_tables <= OPTIONS_MAX_TABLES);
    for (unsigned i = 0; i < set->n_tables; i++) {
        if (run_is_model_table(set->tables[i])) {
            options_visit(set->tables[i], visit, ctx);
        }
    }
}

static bool is_lookahead(const tw_optdef *def)
{
    return def->type != TWOPTTYPE_GROUP &&
           (strcmp(def->name, "lookahead") == 0 ||
            (def->help != NULL && strstr(def->help, "the lookahead of --synch=2") != NULL));
}

const char *run_lookahead_setter(char out[RUN_LOOKAHEAD_MAX])
{
    const struct options *set = &g_run.options;
    size_t used = 0;
    bool is_models = g_tw_lookahead < g_run.lookahead || g_tw_lookahead > g_run.lookahead;
    snprintf(out, RUN_LOOKAHEAD_MAX, "%s",
             is_models ? "g_tw_lookahead, which the model sets,"
                       : "g_tw_lookahead (--cons-lookahead)");
    for (unsigned t = 0; is_models && t < set->n_tables; t++) {
        const tw_optdef *def = set->tables[t];
        bool is_own = run_is_model_table(def);
        for (; is_own && def->type != TWOPTTYPE_END; def++) {
            if (is_lookahead(def) && used + strlen(def->name) + 8 < RUN_LOOKAHEAD_MAX) {
                used += (size_t)snprintf(out + used, RUN_LOOKAHEAD_MAX - used, "%s--%s",
                                         used == 0 ? "" : " or ", def->name);
            }
        }
    }
    return out;
}

/* Returns the number of options given among the four whose names are `prefix` and a digit (1 to
 * 4). */
static unsigned seeds_given(const char *prefix)
{
    unsigned n = 0;
    for (int i = 1; i <= 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%d", prefix, i);
        n += options_was_given(&g_run.options, name);
    }
    return n;
}

static enum tw_status settings_error(char *error, size_t size, const char *text)
{
    return REFUSE(error, size, "%s", text);
}

/* Makes options agree with the variables of ROSS that a model may have set before tw_init(). An
 * option takes precedence. */
static void share_with_variables(struct run_settings *s)
{
    if (g_tw_nkp == RUN_KPS_DEFAULT && !options_was_given(&g_run.options, "nkp")) {
        g_tw_nkp = nkp_per_pe;
    }
    nkp_per_pe = (unsigned int)g_tw_nkp;
    g_run.n_kps = nkp_per_pe;
    if (options_was_given(&g_run.options, "max-opt-lookahead")) {
        bool fits = s->max_opt_lookahead > 0.0 && s->max_opt_lookahead < 0x1p63;
        g_tw_max_opt_lookahead = fits ? (unsigned long long)s->max_opt_lookahead : ULLONG_MAX;
    } else if (g_tw_max_opt_lookahead != ULLONG_MAX) {
        s->max_opt_lookahead = (double)g_tw_max_opt_lookahead;
    }
    g_run.max_opt_lookahead = g_tw_max_opt_lookahead;
}

/* Writes to `error` a message that the option has an invalid value, and returns TW_ERR_USAGE.
 * words: description of the valid values. */
static enum tw_status word_error(char *error, size_t size, const char *option, const char *given,
                                 const char *words)
{
    assert(error != NULL && size > 0);
    char echo[OPTIONS_ECHO_MAX + 1];
    return REFUSE(error, size, "--%s=%s: must be %s", option, options_echo(given, echo), words);
}

static enum tw_status check_seconds(char *error, size_t size, const char *option, const char *given)
{
    double seconds;
    bool in_seconds;
    return duration_read(given, &seconds, &in_seconds)
               ? TW_OK
               : word_error(error, size, option, given, "seconds, such as 60s, or 0");
}

enum tw_status run_check_stall_warning(char *error, size_t size)
{
    return check_seconds(error, size, "stall-warning", g_run.settings.stall_warning);
}

enum tw_status run_apply_settings(char *error, size_t size)
{
    struct run_settings *s = &g_run.settings;
    if (s->synch > SEQUENTIAL_ROLLBACK_CHECK) {
        return REFUSE(error, size, "--synch=%u: must be the number of a scheduler, 0 to 6",
                      s->synch);
    }
    if (options_was_given(&g_run.options, "synch")) {
        g_tw_synchronization_protocol = (tw_synch)s->synch;
    }
    if (strcmp(s->csv, "none") == 0) {
        s->csv[0] = '\0';
    }
    unsigned model = seeds_given("rng-seed");
    unsigned core = seeds_given("core-rng-seed");
    if ((model != 0 && model != 4) || (core != 0 && core != 4)) {
        return settings_error(error, size,
                              "--rng-seed1..4 and --core-rng-seed1..4: give all four or none");
    }
    if (g_tw_replication > RNG_REPLICATIONS) {
        return settings_error(error, size, "--replication: must be at most 32767");
    }
    if (model == 4) {
        g_tw_rng_seed = s->rng_seed;
    }
    if (core == 4) {
        g_tw_core_rng_seed = s->core_rng_seed;
    }
    g_run.lookahead = g_tw_lookahead;
    if (!(g_tw_ts_end > 0.0)) {
        return settings_error(error, size, "--end: must be greater than 0");
    }
    if (g_tw_mblock == 0) {
        return settings_error(error, size, "--batch: must be at least 1");
    }
    if (g_tw_gvt_interval == 0) {
        return settings_error(error, size, "--gvt-interval: must be at least 1");
    }
    share_with_variables(s);
    if (g_tw_nkp == 0) {
        return settings_error(error, size, "--nkp: must be at least 1");
    }
    if (!(s->max_opt_lookahead >= 0.0)) {
        return settings_error(error, size, "--max-opt-lookahead: must not be negative");
    }
    if (!(g_tw_lookahead >= 0.0)) {
        return settings_error(error, size, "--cons-lookahead: must not be negative");
    }
    if (!(s->report_interval >= 0.0 && s->report_interval <= 1.0)) {
        return settings_error(error, size, "--report-interval: must be from 0 to 1");
    }
    enum tw_status status = run_check_stall_warning(error, size);
    if (status == TW_OK) {
        status = check_seconds(error, size, "stall-limit", s->stall_limit);
    }
    if (status != TW_OK) {
        return status;
    }
    if (s->map[0] != '\0' && strcmp(s->map, "auto") != 0) {
        return word_error(error, size, "map", s->map, "auto");
    }
    if (!(s->map_at >= 0.0 && s->map_at <= DBL_MAX)) {
        return settings_error(error, size, "--map-at: must be a virtual time, not negative");
    }
    if (s->checkpoint_on[0] != '\0' && strcmp(s->checkpoint_on, "term") != 0) {
        return word_error(error, size, "checkpoint-on", s->checkpoint_on, "term");
    }
    return TW_OK;
}
