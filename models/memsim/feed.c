/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * feed.c - adds launches and accesses to the script; see feed.h.
 *
 * With --cta-schedule=round-robin, an index in memory finds the CTAs of the present launch.
 */
#include "feed.h"

#include <assert.h>

#include "store/array.h"

/* ---- CTAs ------------------------------------------------------------------------------------ */

/* Returns the SM of a CTA of the present launch. A new CTA gets the next SM. */
static uint32_t cta_sm(struct ms_feed *f, uint64_t cta)
{
    assert(f->sms > 0);
    uint32_t hash = index_hash(cta), i = f->index.n;
    for (uint32_t at = hash; index_next(&f->index, hash, &at, &i);) {
        if (f->ctas[i] == cta) {
            return i % f->sms;
        }
    }
    i = f->index.n;
    if (!array_reserve(&f->ctas, &f->room, i + 1u, sizeof *f->ctas) ||
        !index_add(&f->index, hash, i)) {
        tw_error(TW_LOC, "out of memory for the CTAs of a launch");
    }
    f->ctas[i] = cta;
    return i % f->sms;
}

/* ---- Launches and their accesses ------------------------------------------------------------- */

void ms_feed_launch(struct ms_feed *f, const char *name)
{
    ms_script_launch(f->script, f->stream, name);
    index_clear(&f->index);
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
    free(f->ctas);
    f->ctas = NULL;
    f->room = 0;
    index_fini(&f->index);
}
