/*
 * lp_life.c - the calls that frame an LP's events: init and pre_run before the first, final after
 * the last.
 */
#include "engine/engine.h"

void engine_init_lps(struct pe *pe)
{
    pe->initialising = true;
    if (pe->type != NULL && pe->type->pre_lp_init != NULL) {
        pe->type->pre_lp_init(&pe->head);
    }
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp *lp = g_tw_lp[i];
        pe->lp_called = lp;
        if (lp->type->init != NULL) {
            lp->type->init(lp->cur_state, lp);
        }
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
        if (lp->type->pre_run != NULL) {
            lp->type->pre_run(lp->cur_state, lp);
        }
    }
    pe->lp_called = NULL;
    transport_flush(pe->transport);
    comm_agree(&pe->comm, TW_OK);
    engine_drop_unsent(pe);
    pe->initialising = false;
}

void engine_finish_lps(struct pe *pe)
{
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp *lp = g_tw_lp[i];
        pe->lp_called = lp;
        if (lp->type->final != NULL) {
            lp->type->final(lp->cur_state, lp);
        }
        if (PROBE_IS_WANTED(&pe->probes, lp_final)) {
            PROBE_CALL(&pe->probes, lp_final, lp);
        }
    }
    pe->lp_called = NULL;
    if (pe->type != NULL && pe->type->final != NULL) {
        pe->type->final(&pe->head);
    }
}
