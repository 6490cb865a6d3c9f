/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simulation.c - the life of a simulation: tw_init(), tw_run(), tw_end().
 */
#include <assert.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fence.h"
#include "base/options.h"
#include "base/rng.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/record.h"
#include "engine/checks/dump.h"
#include "engine/checks/fences.h"
#include "engine/checks/self_check.h"
#include "engine/engine.h"
#include "engine/lps/lp_map.h"
#include "engine/lps/lp_numbers.h"
#include "engine/process/error.h"
#include "engine/process/run.h"
#include "move/move.h"
#include "run/command_line.h"
#include "run/report_files.h"
#include "run/signals.h"
#include "run/watchdog.h"
#include "sched/sched.h"

/* Keeps in the program the functions that only a debugger calls. */
__attribute__((used)) static void (*const for_debuggers[])(unsigned long) = {ws_dump_kp,
                                                                             ws_dump_pending};

void tw_comm_set(MPI_Comm comm)
{
    int started = 0;
    int is_between = 0;
    if (pe_self() != NULL) {
        tw_error(TW_LOC, "tw_comm_set() after tw_init(): call it before tw_init()");
    }
    if (comm == MPI_COMM_NULL) {
        tw_error(TW_LOC, "tw_comm_set() of MPI_COMM_NULL; processes that are not in the "
                         "communicator take no part in the simulation");
    }
    MPI_Initialized(&started);
    if (started != 0) {
        MPI_Comm_test_inter(comm, &is_between);
    }
    if (is_between != 0) {
        tw_error(TW_LOC, "tw_comm_set() of an inter-communicator; see MPI_Intercomm_merge()");
    }
    g_run.parent = comm;
}

static void check_init(const int *argc, char **const *argv)
{
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (pe_self() != NULL) {
        tw_error(TW_LOC, "tw_init() a second time, without a tw_end() before it");
    }
    if (argc == NULL || argv == NULL || *argc < 1) {
        tw_error(TW_LOC,
                 "tw_init() needs the arguments of main(), at least the name of the program");
    }
    if (finalised != 0) {
        tw_error(TW_LOC, "tw_init() after MPI_Finalize(), or after the tw_end() that called it: "
                         "to simulate again, call MPI_Init() before the first tw_init()");
    }
}

void tw_init(int *argc, char ***argv)
{
    check_init(argc, argv);
    run_hold_standard_files();
    struct pe *pe = tw_calloc(TW_LOC, "PE", sizeof *pe, 1);
    const char *slash = strrchr((*argv)[0], '/');
    struct clock_pair start = clock_pair_read();
    g_run.init_ns = start.ns;
    g_run.program = strdup(slash == NULL ? (*argv)[0] : slash + 1);
    g_run.command_line = shell_words_join(*argc, *argv);
    command_line_complete(*argc, *argv);
    crash_see_handlers();
    comm_init(&pe->comm, g_run.parent, argc, argv);
    g_tw_pe = &pe->head;
    pe->phases.flags = &pe->probes.wanted;
    pe->head.id = (tw_peid)pe->comm.rank;
    g_tw_mynode = (tw_peid)pe->comm.rank;
    g_st_ross_rank = g_tw_mynode;
    g_tw_n_ranks = (unsigned)pe->comm.n_ranks;
    g_tw_masternode = 0;
    g_tw_gvt_done = 0;
    g_tw_signal = 0;
    MPI_COMM_ROSS = g_run.parent == MPI_COMM_NULL ? MPI_COMM_WORLD : g_run.parent;
    command_line_read(pe, argc, *argv);
    signals_watch();
    crash_watch();
    g_run.ticks_per_second =
        g_tw_clock_rate != 0 ? (double)g_tw_clock_rate : clock_rate_since(start);
    g_run.seconds_per_tick = 1.0 / g_run.ticks_per_second;
    g_tw_clock_rate = (tw_clock)g_run.ticks_per_second;
}

tw_clock tw_clock_read(void)
{
    return clock_ticks();
}

/* Returns the limit of event memory for this rank in bytes: the value of --max-memory, or by
 * default a share of the machine's memory. states: number of bytes that will still be allocated for
 * LP states. */
static size_t memory_limit(const struct pe *pe, size_t states)
{
    if (g_run.settings.max_memory_mib > 0) {
        /* This limit exceeds the memory of any machine, and avoids overflow. */
        unsigned long long most = SIZE_MAX >> 21;
        unsigned long long mib = g_run.settings.max_memory_mib;
        return (size_t)(mib < most ? mib : most) << 20;
    }
    return engine_default_memory(pe, states);
}

static void drop_cancelled(void *ctx, tw_event *event)
{
    assert(event->state.owner == EVENT_CANCELLED);
    event_pool_put(&((struct pe *)ctx)->pool, event);
}

/* Applies the settings, and ends the program on all ranks if the model is incomplete.
 * Collective. */
static void settle_run(struct pe *pe)
{
    engine_check_globals(pe);
    engine_choose_scheduler(pe);
    run_check_report_files(pe);
    self_check_begin(pe);
    pe->end_time = g_tw_ts_end;
    pe->lookahead = g_tw_lookahead;
    pe->batch_events = g_tw_mblock;
    pe->horizon_width = g_tw_max_opt_lookahead != g_run.max_opt_lookahead
                            ? (double)g_tw_max_opt_lookahead
                            : g_run.settings.max_opt_lookahead;
    unsigned long long held_limit = g_run.settings.observer_memory;
    pe->observer_limit_bytes = held_limit != 0 ? held_limit : UINT64_MAX;
    engine_random_rollbacks_init(pe, g_run.settings.random_rollbacks);
    pe->fingerprint.enabled = g_run.settings.fingerprint != 0;
    pe->last_executed_ts = -1.0;
    pe->latest_ts = -1.0;

    enum tw_status status = TW_OK;
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        const tw_lptype *type = g_tw_lp[i]->type;
        if (type == NULL || (pe->mapping.kind == CUSTOM && type->map == NULL)) {
            fprintf(stderr, "%s: LP %" PRIu64 " has no %s\n", g_run.program, g_tw_lp[i]->gid,
                    type == NULL ? "type; call tw_lp_settype() or tw_lp_setup_types()"
                                 : "map function in its type, which CUSTOM mapping needs");
            status = TW_ERR_USAGE;
            break;
        }
        pe->probes.wanted |= type->commit != NULL ? PROBE_ENGINE_COMMITS : 0;
    }
    if (comm_agree(&pe->comm, status) != TW_OK) {
        run_refuse("the model is incomplete");
    }
    lp_map_check_types(pe);
    lp_numbers_check_ranks(pe);
}

static void make_transport(struct pe *pe)
{
    const char *trouble;
    pe->transport = transport_create(&pe->comm, g_run.settings.transport,
                                     engine_wire_max_bytes(pe->msg_bytes), &trouble);
    if (pe->transport == NULL) {
        run_refuse("--transport=shm: %s", trouble);
    }
    if (trouble != NULL && pe->comm.rank == 0) {
        tw_warning(TW_LOC, "%s; all events travel by MPI", trouble);
    }
}

/* Checks that memory suffices for the LP states, and for a second copy of them if the run writes
 * checkpoints. Events need no check here, since memory_limit() limits their memory. */
static void ask_for_states(const struct pe *pe, size_t states)
{
    char what[96];
    bool is_copied =
        g_run.settings.checkpoint_every[0] != '\0' || g_run.settings.checkpoint_on[0] != '\0';
    snprintf(what, sizeof what, "the states of %" PRIu64 " LPs%s%s", (uint64_t)pe->lps.count,
             is_copied ? " and a checkpoint of them" : "",
             pe->comm.n_ranks > 1 ? " on a rank" : "");
    tw_ask_memory(what, (is_copied ? 2.0 : 1.0) * (double)states);
}

static void make_engine(struct pe *pe)
{
    assert(pe->pending == NULL && pe->transport == NULL);
    if (pe->synch == SEQUENTIAL_ROLLBACK_CHECK) {
        fences_plan(pe);
    }
    size_t states = lp_table_states_bytes(&pe->lps);
    ask_for_states(pe, states);
    pe->memory_limit_bytes = memory_limit(pe, states);
    event_pool_init(&pe->pool, pe->msg_bytes, pe->memory_limit_bytes);
    if (pe->lps.fence_bytes > 0) {
        fences_add_to_events(pe);
    }
    pe->pending = pending_create(drop_cancelled, pe);
    pe->past_end_event = tw_calloc(TW_LOC, "event", pe->pool.event_size, 1);
    pe->head.abort_event = tw_calloc(TW_LOC, "event", pe->pool.event_size, 1);
    pe->head.abort_event->state.lineage_len = 1;
    fence_fill((unsigned char *)pe->past_end_event + pe->pool.fence_at, pe->pool.fence_bytes);
    pe->head.pq = (struct tw_pq *)(void *)pe;
    pe->head.hash_t = (struct tw_hash *)(void *)pe;
    make_transport(pe);
    remote_table_init(&pe->remotes, (unsigned)pe->comm.n_ranks);
    gvt_init(&pe->gvt);
    gvt_share_votes(pe);
    gvt_choose_interval(pe);
    lp_table_make_states(&pe->lps);
}

/* Undoes all events that GVT has not passed, so that the LPs are in their committed states. Called
 * after a signal. */
static void return_to_gvt(struct pe *pe)
{
    if (pe_keeps_history(pe)) {
        for (tw_kpid k = 0; k < pe->n_kps; k++) {
            struct kp *kp = &pe->kps[k];
            if (!kp_is_empty(kp)) {
                engine_undo_all(pe, kp);
            }
        }
    }
    unsigned idle = 0;
    gvt_start(pe);
    while (!gvt_step(pe)) {
        messages_check_abort(pe); /* a reverse handler on another rank may have failed */
        sched_turn(pe);
        if (!engine_receive(pe)) {
            engine_idle(pe, &idle);
        }
    }
    engine_gvt_finished(pe);
}

/* Executes the run's scheduler to its end. After a signal, also rolls the LPs back to GVT. */
static void schedule(struct pe *pe)
{
    assert(pe->ended == RUN_END_NONE);
    switch (pe->synch) {
    case SEQUENTIAL:
        sched_sequential(pe);
        break;
    case CONSERVATIVE:
        sched_conservative(pe);
        break;
    case OPTIMISTIC_DEBUG:
        sched_debug(pe);
        break;
    case SEQUENTIAL_ROLLBACK_CHECK:
        sched_rollback_check(pe);
        break;
    default:
        sched_optimistic(pe);
        break;
    }
    assert(pe->ended != RUN_END_NONE);
    gvt_unpack(pe);
    if (pe->ended == RUN_END_SIGNAL) {
        return_to_gvt(pe);
    }
}

static void execute(struct pe *pe)
{
    struct watchdog watchdog;
    double stall_s = 0.0;
    bool in_seconds;
    double stop_s = 0.0;
    duration_read(g_run.settings.stall_warning, &stall_s, &in_seconds);
    duration_read(g_run.settings.stall_limit, &stop_s, &in_seconds);
    struct progress_options options = {.quiet = g_run.settings.quiet != 0 || pe->comm.rank != 0,
                                       .name = g_run.program,
                                       .interval_fraction =
                                           options_was_given(&g_run.options, "report-interval")
                                               ? g_run.settings.report_interval
                                               : 0.0};
    progress_init(&g_run.progress, stderr, isatty(STDERR_FILENO) != 0, pe->end_time, &options);
    /* Measuring the cost of the clock takes 30 us, as long as a hundred events. */
    phase_clock_start(&pe->phases, g_run.settings.phase_times);
    const double before = checkpoint_seconds_before(pe);
    watchdog_start(&watchdog, pe, stall_s, stop_s);
    g_run.watchdog = &watchdog;
    processor_clock_start(&g_run.processor_clock);
    uint64_t start_ns = clock_monotonic_ns();
    const uint64_t start_ticks = clock_ticks();
    g_run.init_seconds = (double)(start_ns - g_run.init_ns) * 1e-9;
    g_run.start_ticks = start_ticks - (uint64_t)(int64_t)(before * g_run.ticks_per_second);
    schedule(pe);
    phase_clock_stop(&pe->phases);
    g_run.run_ticks = clock_ticks() - start_ticks;
    uint64_t end_ns = clock_monotonic_ns();
    g_run.run_seconds = before + (double)(end_ns - start_ns) * 1e-9;
    g_run.processor = run_processor_time(true);
    /* Not in the time of the run: on a busy machine this takes longer than a short run. */
    g_run.watchdog = NULL;
    watchdog_stop(&watchdog);
    g_run.end_seconds = (double)(clock_monotonic_ns() - end_ns) * 1e-9;
    progress_done(&g_run.progress);
}

/* Calls `step`, a set-up function of the extension (NULL: none). If `step` fails, ends the program;
 * the extension has then printed an error message. */
static void extend(struct pe *pe, enum tw_status (*step)(tw_pe *pe, struct probe_table *table))
{
    if (step != NULL && step(&pe->head, &pe->probes) != TW_OK) {
        fflush(stderr);
        MPI_Barrier(pe->comm.comm);
        comm_fini(&pe->comm);
        exit(TW_EXIT_USAGE);
    }
}

void tw_run(void)
{
    struct pe *pe = engine_self("tw_run()");
    settle_run(pe);
    command_line_warn(pe);
    make_engine(pe);
    checkpoint_setup(pe);
    move_setup(pe);
    extend(pe, tw_extension.setup);
    if (checkpoint_is_restart(pe)) {
        checkpoint_resume(pe);
    } else {
        engine_init_lps(pe);
    }
    checkpoint_check_states(pe);
    extend(pe, tw_extension.start);
    move_begin(pe);
    engine_begin_gvt_hook(pe);
    g_tw_sim_started = 1;
    execute(pe);
    checkpoint_finish(pe);
    engine_last_gvt_hook(pe);
    engine_settle_suspended(pe);
    if (tw_extension.finish != NULL) {
        tw_extension.finish(&pe->head, pe->ended);
    }
    if (pe->fingerprint.enabled) { /* the last samples may have changed LP states, see st.h */
        fingerprint_add_states(pe, ckpt_state_io);
    }
    engine_finish_lps(pe);
    if (tw_extension.after_final != NULL) {
        tw_extension.after_final(&pe->head);
    }
    run_report(pe);
}

static void free_engine(struct pe *pe)
{
    fences_fini(pe);
    if (pe->transport != NULL) {
        transport_destroy(pe->transport);
        remote_table_fini(&pe->remotes);
        gvt_fini(&pe->gvt);
        pending_destroy(pe->pending);
        free(pe->past_end_event);
        free(pe->head.abort_event);
        event_pool_fini(&pe->pool);
    }
    for (tw_kpid k = 0; k < pe->n_kps; k++) {
        kp_fini(&pe->kps[k]);
    }
    free(pe->kps);
    free(pe->busy_kps);
    commit_order_fini(&pe->commit_order);
    engine_free_snapshots(pe);
    free(pe->suspend_errors);
    free(pe->lp_numbers);
    free(pe->lp_times);
    free((void *)pe->checkpointers);
    free(g_tw_kp);
    free(g_tw_lp);
    lp_table_fini(&pe->lps);
    mapping_fini(&pe->mapping);
}

void tw_end(void)
{
    struct pe *pe = engine_self("tw_end()");
    int number = pe->ended == RUN_END_SIGNAL ? (int)pe->gvt.result.signal : 0;
    if (tw_extension.fini != NULL) {
        tw_extension.fini();
    }
    bool complete = run_stdout_is_complete() && !g_run.results_lost;
    free_engine(pe);
    checkpoint_fini(pe);
    move_fini(pe);
    comm_fini(&pe->comm);
    signals_unwatch();
    crash_unwatch();
    free(g_run.program);
    free(g_run.command_line);
    run_words_forget(&g_run.words);
    free(pe);
    run_forget();
    if (number != 0) {
        exit(128 + number);
    }
    if (!complete) {
        exit(TW_EXIT_FAILURE);
    }
}
