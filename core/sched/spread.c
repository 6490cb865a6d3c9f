/* SPDX-License-Identifier: BSD-3-Clause */
/* spread.c - see spread.h. */
#include "sched/spread.h"

#include <assert.h>

#include "store/array.h"

/* A share is 1/KEPT_SHARE of the smallest space of any rank. Up to three shares of a rank's space
 * may be in use. One is for messages from all ranks but the hindmost, one for messages from the
 * hindmost rank, and one for events that the rank keeps. Each share counts twice, because a GVT
 * computation does not see the events that are created during it. */
#define KEPT_SHARE 6u

void spread_init(struct spread *s)
{
    *s = (struct spread){.burst_kept = 1, .burst_sent = 1};
}

void spread_fini(struct spread *s)
{
    free(s->sent_before);
}

void spread_renew(struct spread *s, const struct pe *pe)
{
    const uint64_t *sent_to = transport_sent_to(pe->transport);
    const int *peers = transport_peers(pe->transport, &s->n_before);
    if (!array_reserve(&s->sent_before, &s->capacity, s->n_before, sizeof *s->sent_before)) {
        tw_error(TW_LOC, "out of memory for the counts of %zu ranks", s->n_before);
    }
    for (size_t i = 0; i < s->n_before; i++) {
        s->sent_before[i] = sent_to[peers[i]];
    }
    s->kept_before = pe->pool.in_use;
    s->kept_most = pe->gvt.result.room / KEPT_SHARE;
    s->sent_most = s->kept_most / (unsigned)pe->comm.n_ranks;
}

struct spread_mark spread_mark(const struct spread *s, const struct pe *pe)
{
    const uint64_t *sent_to = transport_sent_to(pe->transport);
    size_t n;
    const int *peers = transport_peers(pe->transport, &n);
    struct spread_mark now = {.kept = pe->pool.in_use};
    for (size_t i = 0; i < n; i++) {
        uint64_t before = i < s->n_before ? s->sent_before[i] : 0;
        assert(sent_to[peers[i]] >= before);
        uint64_t sent = sent_to[peers[i]] - before;
        now.sent = sent > now.sent ? sent : now.sent;
    }
    return now;
}

static uint64_t kept_since(const struct spread *s, const struct spread_mark *now)
{
    return now->kept > s->kept_before ? now->kept - s->kept_before : 0;
}

bool spread_allows(const struct spread *s, const struct pe *pe, bool is_hindmost)
{
    struct spread_mark now = spread_mark(s, pe);
    uint64_t sent_most = is_hindmost ? s->kept_most : s->sent_most;
    return kept_since(s, &now) + s->burst_kept <= s->kept_most &&
           now.sent + s->burst_sent <= sent_most;
}

bool spread_lets_try(const struct spread *s, const struct pe *pe)
{
    struct spread_mark now = spread_mark(s, pe);
    return kept_since(s, &now) <= s->kept_most && now.sent <= s->kept_most;
}

void spread_note(struct spread *s, const struct pe *pe, struct spread_mark before)
{
    struct spread_mark now = spread_mark(s, pe);
    if (now.kept > before.kept && now.kept - before.kept > s->burst_kept) {
        s->burst_kept = now.kept - before.kept;
    }
    assert(now.sent >= before.sent);
    if (now.sent - before.sent > s->burst_sent) {
        s->burst_sent = now.sent - before.sent;
    }
}
