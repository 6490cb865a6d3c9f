/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * feed.c - adds launches and accesses to the script; see feed.h.
 *
 * With --cta-schedule=round-robin, a table in memory maps the CTAs of the present launch to SMs.
 */
#include "feed.h"

#include <assert.h>

/* ---- CTAs ------------------------------------------------------------------------------------ */

static size_t cta_place(const struct ms_cta_table *t, uint64_t cta)
{
    assert(t->room > 0 && (t->room & (t->room - 1)) == 0);
    size_t at = (size_t)((cta * 0x9e3779b97f4a7c15u) >> 32) & (t->room - 1);
    while (t->sms[at] != 0 && t->ctas[at] != cta) {
        at = (at + 1) & (t->room - 1);
    }
    return at;
}

static void cta_table_grow(struct ms_cta_table *t)
{
    struct ms_cta_table larger = {.room = ROSS_MAX(t->room * 2, 256), .used = t->used};
    larger.ctas = tw_calloc(TW_LOC, "CTAs of a launch", sizeof *larger.ctas, larger.room);
    larger.sms = tw_calloc(TW_LOC, "CTAs of a launch", sizeof *larger.sms, larger.room);
    for (size_t i = 0; i < t->room; i++) {
        if (t->sms[i] != 0) {
            size_t at = cta_place(&larger, t->ctas[i]);
            larger.ctas[at] = t->ctas[i];
            larger.sms[at] = t->sms[i];
        }
    }
    free(t->ctas);
    free(t->sms);
    *t = larger;
}

static uint32_t cta_sm(struct ms_feed *f, uint64_t cta)
{
    assert(f->sms > 0);
    struct ms_cta_table *t = &f->ctas;
    if (2 * t->used >= t->room) {
        cta_table_grow(t);
    }
    size_t at = cta_place(t, cta);
    if (t->sms[at] == 0) {
        t->ctas[at] = cta;
        t->sms[at] = (uint32_t)(t->used++ % f->sms) + 1;
    }
    return t->sms[at] - 1;
}

/* ---- Launches and their accesses ------------------------------------------------------------- */

void ms_feed_launch(struct ms_feed *f, const char *name)
{
    ms_script_launch(f->script, f->stream, name);
    if (f->ctas.used > 0) {
        memset(f->ctas.sms, 0, f->ctas.room * sizeof *f->ctas.sms);
        f->ctas.used = 0;
    }
}

bool ms_feed_add(struct ms_feed *f, const struct memtrace_access *access, struct model_error *error)
{
    struct memtrace_access placed = *access;
    if (f->round_robin) {
        placed.sm = cta_sm(f, access->cta);
    }
    if (placed.sm >= f->sms) {
        return model_fail(error,
                          "superstep %" PRIu64 " has an access by SM %" PRIu32
                          ", and there are %u SMs; %s--cta-schedule=round-robin",
                          f->script->streams[f->stream].n_launches - 1, placed.sm, f->sms,
                          placed.sm < MS_SMS_MAX ? "give more with --sms, or "
                                                 : "more are not possible, but ");
    }
    f->sms_named = ROSS_MAX(f->sms_named, placed.sm + 1);
    bool is_local = f->keeps_all || (f->script->n_streams + placed.sm) % f->ranks == f->rank;
    return ms_script_add(f->script, f->stream, &placed, is_local, error);
}

void ms_feed_fini(struct ms_feed *f)
{
    free(f->ctas.ctas);
    free(f->ctas.sms);
    f->ctas = (struct ms_cta_table){.room = 0};
}
