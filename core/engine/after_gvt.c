/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * after_gvt.c - work after each GVT computation, in every scheduler: commits, hooks, observers, the
 * progress line, and the end of the run.
 */
#include <assert.h>

#include "engine/engine.h"
#include "engine/process/run.h"

void engine_after_gvt(struct pe *pe)
{
    assert(!pe->gvt.in_round && pe->head.cur_event == NULL);
    struct phase_mark before = phase_always_begin(&pe->phases, TW_PHASE_gvt);
    double gvt = pe->head.GVT;
    const struct comm_vote *all = &pe->gvt.result;
    g_tw_gvt_done++;
    if (pe_keeps_history(pe)) {
        phase_enter(&pe->phases, TW_PHASE_fossil_collect);
        engine_fossil_collect(pe, all->least);
        phase_enter(&pe->phases, TW_PHASE_gvt);
    }
    if (PROBE_IS_WANTED(&pe->probes, fossils_collected)) {
        PROBE_CALL(&pe->probes, fossils_collected, &pe->head, gvt,
                   pe->counters.events_committed - pe->committed_reported);
    }
    pe->committed_reported = pe->counters.events_committed;
    if (pe->type != NULL && pe->type->gvt != NULL) {
        pe->type->gvt(&pe->head);
    }
    if (gvt >= pe->end_time) {
        pe->ended = all->past_end > 0 ? RUN_END_TIME : RUN_END_NO_EVENTS;
    } else if (all->signal != 0 && !gvt_end_waits_for_cut(&pe->gvt)) {
        pe->ended = RUN_END_SIGNAL;
    } else if (PROBE_IS_WANTED(&pe->probes, gvt_advanced)) {
        PROBE_CALL(&pe->probes, gvt_advanced, &pe->head, gvt);
    }
    engine_gvt_finished(pe);
    engine_gvt_hook(pe);
    if (pe->comm.rank == 0) {
        progress_update(&g_run.progress, run_seconds(), gvt, all->net, all->processed);
    }
    if ((all->status_wish | all->checkpoint_wish) != 0) {
        engine_answer_requests(pe);
    }
    if (all->status_wish != 0 && pe->ended == RUN_END_NONE && tw_extension.status_printed != NULL) {
        tw_extension.status_printed(&pe->head);
    }
    if (all->control_wish != 0 && pe->ended == RUN_END_NONE) {
        tw_extension.answer_request(&pe->head, &pe->probes);
    }
    if (pe->gvt.cut.rounds == GVT_CUT_ROUNDS &&
        (pe->ended == RUN_END_NONE || gvt_cut_ends_run(&pe->gvt))) {
        gvt_cut_make(pe);
    }
    phase_always_end(&pe->phases, before);
}
