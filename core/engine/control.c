/* SPDX-License-Identifier: BSD-3-Clause */
/* control.c - see control.h. */
#include "engine/control.h"

#include <assert.h>
#include <signal.h>

#include "engine/engine.h"
#include "engine/probe.h"
#include "engine/process/run.h"

struct control_state control_state(const tw_pe *of)
{
    const struct pe *pe = pe_of(of);
    const struct comm_vote *all = &pe->gvt.result;
    return (struct control_state){.gvt = probe_virtual_time(pe->head.GVT),
                                  .end_time = pe->end_time,
                                  .seconds = run_seconds(),
                                  .net = all->net,
                                  .processed = all->processed,
                                  .gvts = g_tw_gvt_done};
}

bool control_has_option(const char *name)
{
    return options_has(&g_run.options, name);
}

struct control_options {
    struct options options;
    struct run_settings settings;
};

struct control_options *control_options_copy(void)
{
    struct control_options *copy = tw_calloc(TW_LOC, "options", sizeof *copy, 1);
    *copy = (struct control_options){.options = g_run.options, .settings = g_run.settings};
    return copy;
}

void control_options_restore(const struct control_options *copy)
{
    memcpy(g_run.options.given, copy->options.given, sizeof g_run.options.given);
    g_run.settings = copy->settings;
}

void control_options_free(struct control_options *copy)
{
    free(copy);
}

enum tw_status control_read_options(int n, char **words, char *error, size_t error_size)
{
    struct options set = g_run.options;
    char **argv = tw_calloc(TW_LOC, "options", sizeof *argv, (size_t)n + 2);
    int argc = n + 1;
    argv[0] = g_run.program;
    for (int i = 0; i < n; i++) {
        argv[i + 1] = words[i];
    }
    enum tw_status status = options_parse(&set, &argc, argv, error, error_size);
    free(argv);
    for (size_t i = 0; status == TW_OK && i < OPTIONS_MAX / 64; i++) {
        g_run.options.given[i] |= set.given[i];
    }
    return status;
}

void control_forget_option(const char *name)
{
    options_forget(&g_run.options, name);
}

void control_return_to_gvt(tw_pe *of)
{
    struct pe *pe = pe_of(of);
    assert(!pe->gvt.in_round && pe->head.cur_event == NULL);
    if (pe_keeps_history(pe)) {
        enum tw_phase before = phase_enter(&pe->phases, TW_PHASE_rollbacks);
        engine_rollback_all(pe);
        phase_enter(&pe->phases, before);
    }
}

double control_settled_time(const tw_pe *of)
{
    const struct pe *pe = pe_of(of);
    return gvt_cut_after(&pe->gvt);
}

bool control_stop(const tw_pe *of)
{
    /* The run is ending on all ranks, because a rank received a signal before this GVT
     * computation. */
    if (pe_of(of)->gvt.result.signal != 0) {
        return false;
    }
    g_run.stop_requested = true;
    if (of->id == 0 && g_tw_signal == 0) {
        raise(SIGTERM);
    }
    return true;
}

bool control_checkpoint(tw_pe *of, double *at, char *error, size_t error_size)
{
    struct pe *pe = pe_of(of);
    struct gvt *g = &pe->gvt;
    if (g->cut.make[GVT_CUT_CHECKPOINT] == NULL) {
        snprintf(error, error_size,
                 "this run has no directory for checkpoints; start it with --checkpoint-path=DIR");
        return false;
    }
    double earliest = nextafter(gvt_cut_after(g), INFINITY);
    bool planned = g->cut.wanted[GVT_CUT_CHECKPOINT] <= earliest;
    if (!planned && gvt_cut_after(g) >= pe->end_time) {
        snprintf(error, error_size, "the run ends before a checkpoint can be written");
        return false;
    }
    if (!planned) {
        gvt_cut_next(g, GVT_CUT_CHECKPOINT, earliest);
    }
    *at = g->cut.wanted[GVT_CUT_CHECKPOINT];
    return true;
}
