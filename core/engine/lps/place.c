/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c - see place.h. No function changes any state of the engine. */
#include "engine/lps/place.h"

#include "engine/lps/lps.h"
#include "engine/process/run.h"

#define TYPES_MOST 64u

unsigned place_type_number(const tw_lptype *type, unsigned *n_types)
{
    const tw_lptype *types[TYPES_MOST];
    unsigned n = 0;
    unsigned found = 0;
    for (tw_lpid i = 0; i < g_tw_nlp && n < TYPES_MOST; i++) {
        unsigned t = 0;
        while (t < n && types[t] != engine_model_type(g_tw_lp[i])) {
            t++;
        }
        if (t == n) {
            types[n++] = engine_model_type(g_tw_lp[i]);
            found = types[t] == type ? n : found;
        }
    }
    *n_types = n;
    return found;
}

void place_add_program(struct safe_text *t, const struct pe *pe, const char *kind)
{
    safe_text_add(t, g_run.progress.shown_columns > 0 ? "\n" : "");
    safe_text_add(t, g_run.program);
    safe_text_add(t, ": ");
    safe_text_add(t, kind);
    if (pe->comm.n_ranks > 1) {
        safe_text_add(t, "rank ");
        safe_text_add_number(t, (uint64_t)pe->comm.rank);
        safe_text_add(t, ": ");
    }
}

void place_add_lp(struct safe_text *t, const tw_lp *lp)
{
    const tw_lptype *type = engine_model_type(lp);
    const char *name = tw_extension.lptype_name != NULL ? tw_extension.lptype_name(type) : NULL;
    safe_text_add(t, "LP ");
    safe_text_add_number(t, lp->gid);
    if (name != NULL) {
        safe_text_add(t, " (");
        safe_text_add(t, name);
        safe_text_add(t, ")");
        return;
    }
    unsigned n_types;
    unsigned number = place_type_number(type, &n_types);
    if (number > 0 && n_types > 1) {
        safe_text_add(t, " (type ");
        safe_text_add_number(t, number);
        safe_text_add(t, " of ");
        safe_text_add_number(t, n_types);
        safe_text_add(t, ")");
    }
}

void place_add_event(struct safe_text *t, const struct pe *pe, const struct probe_now *now)
{
    const tw_event *event = pe->head.cur_event;
    safe_text_add(t, " at time ");
    safe_text_add_real(t, now->ts);
    safe_text_add(t, ", KP ");
    safe_text_add_number(t, now->lp->kp->id);
    if (event != NULL && event != pe->head.abort_event) {
        safe_text_add(t, ", event from LP ");
        safe_text_add_number(t, event->send_lp);
    }
}
