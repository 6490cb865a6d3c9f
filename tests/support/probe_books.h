/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe_books.h - counts all calls of the probes of an engine, and checks the promises of probe.h:
 * each call in its place, and sums that agree with the engine's counters.
 *
 *     struct probe_books books = {0};
 *     books_open(&books, n_kps, n_lps);
 *     books_listen(&books, &pe->probes);
 *     ... events ...
 *     books_check(&books, pe, may_undo_all); then books.bad is 0
 *     books_close(&books);
 */
#ifndef WARPSCOPE_TESTS_PROBE_BOOKS_H
#define WARPSCOPE_TESTS_PROBE_BOOKS_H

#include "engine/pe/pe.h"

/* Counts of one LP. */
struct lp_books {
    uint64_t executed, undone, committed, cancelled;
    uint64_t sent[2], received[2]; /* events, anti-messages */
};

struct executed_event {
    const tw_event *event;
    tw_lpid lp;
    double recv_ts;
};

/* The uncommitted events of a KP according to the probes: events[old .. young - 1]. */
struct kp_books {
    struct executed_event *events;
    size_t old, young, capacity;
};

struct probe_books {
    unsigned bad; /* broken promises */
    bool random_rollbacks;
    uint64_t starting, executed, undone, restored, committed, cancelled, rollbacks[3];
    uint64_t undone_by_rollbacks, turns, gvts, gvts_started, fossils;
    uint64_t retired, sent_here, sent_away, pushed, popped, inits, finals;
    const tw_event *event_sent;   /* event that will be pushed next */
    uint64_t undone_now;          /* events undone by the current rollback */
    enum probe_rollback rollback; /* current rollback, or 0 */
    const tw_kp *rolled_back;
    const tw_event *event_starting;
    double last_commit, last_gvt;
    struct kp_books *kps;
    struct lp_books *lps;
    tw_kpid n_kps;
    tw_lpid n_lps;
};

static void books_fail(struct probe_books *books, const char *what)
{
    if (books->bad++ < 10) {
        fprintf(stderr, "probe books: %s\n", what);
    }
}

#define BOOKS_ASSERT(books, condition) ((condition) ? (void)0 : books_fail(books, #condition))

static struct lp_books *books_of(struct probe_books *books, const tw_lp *lp)
{
    return &books->lps[lp->id];
}

static bool is_youngest(const struct kp_books *kp, const tw_event *event)
{
    return kp->young > kp->old && kp->events[kp->young - 1].event == event;
}

static void books_starting(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    struct probe_books *books = ctx;
    const struct kp_books *kp = &books->kps[e->dest_lp->kp->id];
    BOOKS_ASSERT(books, books->event_starting == NULL && books->rollback == 0);
    BOOKS_ASSERT(books, books->popped == books->starting + 1);
    BOOKS_ASSERT(books, tw_now(e->dest_lp) <= e->recv_ts);
    BOOKS_ASSERT(books,
                 kp->old == kp->young || kp->events[kp->young - 1].recv_ts == tw_now(e->dest_lp));
    BOOKS_ASSERT(books, e->dest_lp->type->revent != NULL ||
                            !pe_keeps_history(pe_of(e->dest_lp->pe)) ||
                            event_note_find(e, NOTE_STATE) != NULL);
    books->event_starting = e;
    books->starting++;
}

static void books_executed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    struct probe_books *books = ctx;
    struct kp_books *kp = &books->kps[e->dest_lp->kp->id];
    BOOKS_ASSERT(books, books->event_starting == e && books->rollback == 0);
    BOOKS_ASSERT(books, e->dest_lpid == e->dest_lp->gid && tw_now(e->dest_lp) == e->recv_ts);
    books->event_starting = NULL;
    books->executed++;
    books_of(books, e->dest_lp)->executed++;
    BOOKS_ASSERT(books, books->executed == pe_counters(e->dest_lp->pe)->events_processed);
    if (kp->young == kp->capacity) {
        size_t kept = kp->young - kp->old;
        if (kept > 0) {
            memmove(kp->events, kp->events + kp->old, kept * sizeof *kp->events);
        }
        kp->capacity = 2 * kept + 64;
        kp->events = realloc(kp->events, kp->capacity * sizeof *kp->events);
        kp->old = 0;
        kp->young = kept;
    }
    kp->events[kp->young++] =
        (struct executed_event){.event = e, .lp = e->dest_lp->id, .recv_ts = e->recv_ts};
}

static void books_undone(void *ctx, const tw_event *e, bool state_restored)
{
    struct probe_books *books = ctx;
    struct kp_books *kp = &books->kps[e->dest_lp->kp->id];
    BOOKS_ASSERT(books, is_youngest(kp, e));
    BOOKS_ASSERT(books, books->rollback == 0 || e->dest_lp->kp == books->rolled_back);
    BOOKS_ASSERT(books, state_restored == (e->dest_lp->type->revent == NULL));
    BOOKS_ASSERT(books, tw_now(e->dest_lp) == e->recv_ts);
    kp->young -= kp->young > kp->old;
    books->undone++;
    books->undone_now++;
    books->restored += state_restored;
    books_of(books, e->dest_lp)->undone++;
    BOOKS_ASSERT(books, books->undone == pe_counters(e->dest_lp->pe)->events_rolled_back);
}

static void books_committed(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    struct probe_books *books = ctx;
    struct kp_books *kp = &books->kps[e->dest_lp->kp->id];
    BOOKS_ASSERT(books, kp->old < kp->young && kp->events[kp->old].event == e);
    BOOKS_ASSERT(books, e->recv_ts >= books->last_commit && books->rollback == 0);
    kp->old++;
    books->last_commit = e->recv_ts;
    books->committed++;
    books_of(books, e->dest_lp)->committed++;
    BOOKS_ASSERT(books, books->committed == pe_counters(e->dest_lp->pe)->events_committed);
}

/* With event_committed, both probes have the same order. */
static void books_retired(void *ctx, const tw_event *e, const tw_lp *ahead)
{
    (void)ahead;
    struct probe_books *books = ctx;
    books->retired++;
    BOOKS_ASSERT(books, books->retired == books->committed);
    BOOKS_ASSERT(books, books->last_commit <= e->recv_ts && e->recv_ts <= books->last_commit);
}

static void books_cancelled(void *ctx, tw_lp *lp)
{
    struct probe_books *books = ctx;
    BOOKS_ASSERT(books, books->rollback == 0);
    books->cancelled++;
    books_of(books, lp)->cancelled++;
    BOOKS_ASSERT(books, books->cancelled == pe_counters(lp->pe)->events_aborted);
}

static void books_rollback_begin(void *ctx, const tw_event *e, enum probe_rollback why)
{
    struct probe_books *books = ctx;
    const struct kp_books *kp = &books->kps[e->dest_lp->kp->id];
    const struct tw_counters *c = pe_counters(e->dest_lp->pe);
    BOOKS_ASSERT(books, books->rollback == 0); /* pairs do not nest */
    BOOKS_ASSERT(books, kp->young > kp->old && e->recv_ts <= kp->events[kp->young - 1].recv_ts);
    bool processed = false;
    for (size_t i = kp->old; i < kp->young; i++) {
        processed = processed || kp->events[i].event == e;
    }
    BOOKS_ASSERT(books, processed == (why == PROBE_ROLLBACK_SECONDARY) || books->random_rollbacks);
    books->rollback = why;
    books->rolled_back = e->dest_lp->kp;
    books->undone_now = 0;
    books->rollbacks[why]++;
    BOOKS_ASSERT(books,
                 books->rollbacks[why] == (why == PROBE_ROLLBACK_PRIMARY ? c->primary_rollbacks
                                                                         : c->secondary_rollbacks));
}

static void books_rollback_end(void *ctx, tw_kp *kp, enum probe_rollback why,
                               uint64_t events_undone)
{
    struct probe_books *books = ctx;
    const struct kp_books *b = &books->kps[kp->id];
    BOOKS_ASSERT(books, why == books->rollback && kp == books->rolled_back);
    BOOKS_ASSERT(books, events_undone > 0 && events_undone == books->undone_now);
    BOOKS_ASSERT(books, kp->last_time ==
                            (b->old == b->young ? kp->pe->GVT : b->events[b->young - 1].recv_ts));
    books->rollback = (enum probe_rollback)0;
    books->undone_by_rollbacks += events_undone;
}

static void books_sent(void *ctx, tw_lp *source, bool anti)
{
    struct probe_books *books = ctx;
    BOOKS_ASSERT(books, source != NULL && source == g_tw_lp[source->id]);
    books_of(books, source)->sent[anti]++;
}

static void books_received(void *ctx, tw_lp *dest, bool anti)
{
    struct probe_books *books = ctx;
    BOOKS_ASSERT(books, dest != NULL && dest == g_tw_lp[dest->id]);
    books_of(books, dest)->received[anti]++;
}

static void books_turn(void *ctx, const tw_pe *pe)
{
    struct probe_books *books = ctx;
    BOOKS_ASSERT(books, pe == g_tw_pe && pe->cur_event == NULL && books->rollback == 0);
    books->turns++;
}

static void books_gvt(void *ctx, const tw_pe *pe, tw_stime gvt)
{
    struct probe_books *books = ctx;
    BOOKS_ASSERT(books, gvt == pe->GVT && gvt >= books->last_gvt && books->last_commit <= gvt);
    books->last_gvt = gvt;
    books->gvts++;
}

static void books_gvt_started(void *ctx, const tw_pe *pe)
{
    struct probe_books *books = ctx;
    BOOKS_ASSERT(books, pe == g_tw_pe && pe->GVT >= books->last_gvt && books->rollback == 0);
    books->gvts_started++;
}

static void books_fossils(void *ctx, const tw_pe *pe, tw_stime gvt, uint64_t n)
{
    struct probe_books *books = ctx;
    books->fossils += n;
    BOOKS_ASSERT(books, gvt == pe->GVT && books->fossils == books->committed);
}

static void books_event_sent(void *ctx, const tw_event *e)
{
    struct probe_books *books = ctx;
    struct probe_now now = probe_now();
    BOOKS_ASSERT(books, now.context == PROBE_IN_EVENT || now.context == PROBE_IN_INIT);
    BOOKS_ASSERT(books, now.lp->gid == e->send_lp && now.ts == e->send_ts);
    BOOKS_ASSERT(books, e->dest_lp == NULL || e->dest_lp->gid == e->dest_lpid);
    BOOKS_ASSERT(books, books->event_sent == NULL && books->rollback == 0);
    books->event_sent = e->dest_lp != NULL ? e : NULL;
    books->sent_here += e->dest_lp != NULL;
    books->sent_away += e->dest_lp == NULL;
}

static void books_pushed(void *ctx, const tw_event *e)
{
    struct probe_books *books = ctx;
    books->event_sent = books->event_sent == e ? NULL : books->event_sent;
    books->pushed++;
}

static void books_popped(void *ctx, const tw_event *e)
{
    struct probe_books *books = ctx;
    BOOKS_ASSERT(books, books->event_sent == NULL && e->dest_lp->gid == e->dest_lpid);
    books->popped++;
}

static void books_init(void *ctx, tw_lp *lp)
{
    struct probe_books *books = ctx;
    BOOKS_ASSERT(books, lp == g_tw_lp[books->inits] && probe_now().context == PROBE_IN_INIT);
    books->inits++;
}

static void books_final(void *ctx, tw_lp *lp)
{
    struct probe_books *books = ctx;
    BOOKS_ASSERT(books, lp == g_tw_lp[books->finals] && probe_now().context == PROBE_IN_FINAL);
    books->finals++;
}

/* Called before the first event. */
static void books_open(struct probe_books *books, tw_kpid n_kps, tw_lpid n_lps)
{
    *books = (struct probe_books){.n_kps = n_kps, .n_lps = n_lps};
    books->kps = tw_calloc(TW_LOC, "books", sizeof *books->kps, n_kps);
    books->lps = tw_calloc(TW_LOC, "books", sizeof *books->lps, n_lps);
}

static void books_listen(struct probe_books *books, struct probe_table *table)
{
    PROBE_ADD(table, event_starting, books_starting, books);
    PROBE_ADD(table, event_executed, books_executed, books);
    PROBE_ADD(table, event_undone, books_undone, books);
    PROBE_ADD(table, event_committed, books_committed, books);
    PROBE_ADD(table, event_retired, books_retired, books);
    PROBE_ADD(table, event_cancelled, books_cancelled, books);
    PROBE_ADD(table, rollback_begin, books_rollback_begin, books);
    PROBE_ADD(table, rollback_end, books_rollback_end, books);
    PROBE_ADD(table, message_sent, books_sent, books);
    PROBE_ADD(table, message_received, books_received, books);
    PROBE_ADD(table, turn, books_turn, books);
    PROBE_ADD(table, gvt_advanced, books_gvt, books);
    PROBE_ADD(table, gvt_started, books_gvt_started, books);
    PROBE_ADD(table, fossils_collected, books_fossils, books);
    PROBE_ADD(table, event_sent, books_event_sent, books);
    PROBE_ADD(table, queue_pushed, books_pushed, books);
    PROBE_ADD(table, queue_popped, books_popped, books);
    PROBE_ADD(table, lp_init, books_init, books);
    PROBE_ADD(table, lp_final, books_final, books);
}

/* Checks, once everything is committed or undone, that calls and counters agree. undo_all: events
 * were undone without a rollback. */
static void books_check(struct probe_books *books, const tw_pe *pe, bool undo_all)
{
    const struct tw_counters *c = pe_counters(pe);
    struct lp_books all = {0};
    for (tw_lpid i = 0; i < books->n_lps; i++) {
        const struct lp_books *lp = &books->lps[i];
        BOOKS_ASSERT(books, lp->executed - lp->undone == lp->committed);
        all.executed += lp->executed;
        all.undone += lp->undone;
        all.committed += lp->committed;
        all.cancelled += lp->cancelled;
        for (int anti = 0; anti < 2; anti++) {
            all.sent[anti] += lp->sent[anti];
            all.received[anti] += lp->received[anti];
        }
    }
    for (tw_kpid k = 0; k < books->n_kps; k++) {
        BOOKS_ASSERT(books, books->kps[k].old == books->kps[k].young);
    }
    BOOKS_ASSERT(books, books->starting == books->executed && books->event_starting == NULL);
    BOOKS_ASSERT(books, all.executed == c->events_processed && all.executed == books->executed);
    BOOKS_ASSERT(books, all.undone == c->events_rolled_back && all.undone == books->undone);
    BOOKS_ASSERT(books, all.committed == c->events_committed && all.committed == books->committed);
    BOOKS_ASSERT(books, books->retired == books->committed);
    BOOKS_ASSERT(books, all.cancelled == c->events_aborted && all.cancelled == books->cancelled);
    BOOKS_ASSERT(books, books->rollbacks[PROBE_ROLLBACK_PRIMARY] == c->primary_rollbacks);
    BOOKS_ASSERT(books, books->rollbacks[PROBE_ROLLBACK_SECONDARY] == c->secondary_rollbacks);
    BOOKS_ASSERT(books, undo_all ? books->undone_by_rollbacks <= books->undone
                                 : books->undone_by_rollbacks == books->undone);
    BOOKS_ASSERT(books, all.sent[0] == c->remote_events && all.sent[1] == c->anti_sends);
    BOOKS_ASSERT(books, all.sent[0] + all.sent[1] == c->network_sends);
    BOOKS_ASSERT(books, all.received[0] + all.received[1] == c->network_recvs);
}

/* Checks the calls of the pending queue for a whole run of a PE. */
static inline void books_check_queue(struct probe_books *books, const tw_pe *pe)
{
    const struct tw_counters *c = pe_counters(pe);
    uint64_t received = 0;
    for (tw_lpid i = 0; i < books->n_lps; i++) {
        received += books->lps[i].received[0];
    }
    uint64_t cancelled_there = c->events_aborted - c->secondary_rollbacks;
    BOOKS_ASSERT(books, books->sent_away == c->remote_events && books->event_sent == NULL);
    BOOKS_ASSERT(books, books->pushed == books->sent_here + received + c->events_rolled_back -
                                             c->secondary_rollbacks);
    BOOKS_ASSERT(books, books->popped == c->events_processed);
    BOOKS_ASSERT(books, books->pushed == books->popped + cancelled_there + pe_pending_count(pe));
    BOOKS_ASSERT(books, books->gvts_started == c->gvt_rounds && books->gvts <= c->gvt_rounds);
    BOOKS_ASSERT(books, books->fossils == c->events_committed);
    BOOKS_ASSERT(books, books->inits == books->n_lps && books->finals == books->n_lps);
}

static void books_close(struct probe_books *books)
{
    for (tw_kpid k = 0; k < books->n_kps; k++) {
        free(books->kps[k].events);
    }
    free(books->kps);
    free(books->lps);
}

#endif
