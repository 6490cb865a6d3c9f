/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lp_life.c - calls of LP functions outside of events: init and pre_run before the first event,
 * final after the last.
 */
#include <assert.h>

#include "engine/checks/fences.h"
#include "engine/engine.h"

/* Calls `function`, which is init, pre_run or final of the LP's type, unless it is NULL. */
static void call(struct pe *pe, tw_lp *lp, init_f function, const char *name)
{
    bool fenced = (PROBES_WANTED(&pe->probes) & PROBE_ENGINE_FENCES) != 0;
    if (function == NULL) {
        return;
    }
    if (fenced) {
        fences_enter(pe, lp, NULL, name);
    }
    function(lp->cur_state, lp);
    if (fenced) {
        fences_leave(pe);
    }
}

void engine_init_lps(struct pe *pe)
{
    assert(!pe->initialising && pe->head.cur_event == NULL);
    pe->initialising = true;
    pe_number_causeless_sends(pe);
    if (pe->type != NULL && pe->type->pre_lp_init != NULL) {
        pe->type->pre_lp_init(&pe->head);
    }
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp *lp = g_tw_lp[i];
        pe->lp_called = lp;
        call(pe, lp, lp->type->init, "init function");
        if (PROBE_IS_WANTED(&pe->probes, lp_init)) {
            PROBE_CALL(&pe->probes, lp_init, lp);
        }
    }
    pe->lp_called = NULL;
    if (pe->type != NULL && pe->type->post_lp_init != NULL) {
        pe->type->post_lp_init(&pe->head);
    }
    transport_flush(pe->transport);
    comm_agree(&pe->comm, TW_OK);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp *lp = g_tw_lp[i];
        pe->lp_called = lp;
        call(pe, lp, lp->type->pre_run, "pre_run function");
    }
    pe->lp_called = NULL;
    transport_flush(pe->transport);
    comm_agree(&pe->comm, TW_OK);
    engine_drop_unsent(pe);
    pe->initialising = false;
    pe_number_sends(pe, 0);
    engine_check_first_events(pe);
}

void engine_finish_lps(struct pe *pe)
{
    assert(!pe->initialising && pe->head.cur_event == NULL);
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp *lp = g_tw_lp[i];
        pe->lp_called = lp;
        call(pe, lp, lp->type->final, "final function");
        if (PROBE_IS_WANTED(&pe->probes, lp_final)) {
            PROBE_CALL(&pe->probes, lp_final, lp);
        }
    }
    pe->lp_called = NULL;
    if (pe->type != NULL && pe->type->final != NULL) {
        pe->type->final(&pe->head);
    }
}
