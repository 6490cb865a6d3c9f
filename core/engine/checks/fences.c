/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fences.c - see fences.h.
 *
 * The fence of a message begins right after the last byte of the message. tw_event_new() clears
 * messages in units of 16 bytes, and thus possibly the first bytes of the fence. These bytes hold
 * zeros until the event is executed.
 *
 * A write far beyond a fence may hit memory outside the program, or corrupt data of the engine. The
 * handler of SIGSEGV and SIGBUS therefore checks the fences of the current model handler before the
 * signal ends the program as usual.
 */
#include "engine/checks/fences.h"

#include <assert.h>
#include <signal.h>

#include "base/fence.h"
#include "engine/checks/rcheck_report.h"
#include "engine/process/run.h"

#define MESSAGE_FENCE   ((size_t)1024)
#define STATE_FENCE_MIN ((size_t)64)
/* Limit in bytes of the memory for the fences of all states; exceeded only if STATE_FENCE_MIN
 * requires it. */
#define STATE_FENCES_ALL ((size_t)256 << 20)
#define SHOWN_MOST       ((size_t)64)
#define FAR_BYTES        ((uintptr_t)1 << 30)
#define CRASH_PATIENCE_S 10u

/* ---- Crashes --------------------------------------------------------------------------------- */

static const int crash_signals[CRASH_SIGNALS] = {SIGSEGV, SIGBUS};

static void restore_actions(const struct pe *pe)
{
    for (size_t i = 0; i < CRASH_SIGNALS; i++) {
        sigaction(crash_signals[i], &pe->old_crash_actions[i], NULL);
    }
}

/* If `address` is at most FAR_BYTES behind the end of `block`, prints a text such as ", 16 bytes
 * behind the end of its message" and returns true. what: name of the block. */
static bool say_where(const char *what, const void *block, size_t size, uintptr_t address)
{
    uintptr_t end = (uintptr_t)block + size;
    if (address < end || address - end > FAR_BYTES) {
        return false;
    }
    fprintf(stderr, ", %zu bytes behind the end of its %s", (size_t)(address - end), what);
    return true;
}

/* Signal handler: reports a crash. First restores the previous signal action, which takes effect
 * when the failed instruction runs again. The report may fail or hang, so an alarm limits its
 * time. */
static void crashed(int number, siginfo_t *info, void *context)
{
    struct pe *pe = pe_self();
    (void)context;
    restore_actions(pe);
    if (pe->fenced.handler == NULL) {
        return;
    }
    const struct fenced_call copy = pe->fenced;
    const struct fenced_call *call = &copy;
    uintptr_t address = (uintptr_t)info->si_addr;
    alarm(CRASH_PATIENCE_S);
    g_run.failing = true; /* from here on, tw_error() ends the program at once */
    fences_leave(pe);
    fprintf(stderr, "%s: LP %" PRIu64 ": its %s has touched memory at %p%s", g_run.program,
            call->lp->gid, call->handler, info->si_addr,
            number == SIGSEGV ? ", which is not the program's" : "");
    if (!say_where("state", call->lp->cur_state, call->lp->type->state_sz, address) &&
        call->event != NULL) {
        say_where("message", event_payload(call->event), pe->msg_bytes, address);
    }
    fputc('\n', stderr);
}

static void catch_crashes(struct pe *pe)
{
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CRASH_SIGNALS; i++) {
        sigaction(crash_signals[i], &action, &pe->old_crash_actions[i]);
    }
}

/* ---- Fences ---------------------------------------------------------------------------------- */

void fences_plan(struct pe *pe)
{
    assert(pe->lps.state_bytes == 0); /* fences_plan() must run before the states are allocated */
    size_t each = STATE_FENCES_ALL / (pe->lps.count > 0 ? pe->lps.count : 1);
    each = each < STATE_FENCE_MIN ? STATE_FENCE_MIN : each;
    pe->lps.fence_bytes = each < FENCE_BYTES_MAX ? each & ~(size_t)15 : FENCE_BYTES_MAX;
    pe->probes.wanted |= PROBE_ENGINE_FENCES;
    catch_crashes(pe);
}

void fences_add_to_events(struct pe *pe)
{
    event_pool_fence(&pe->pool, pe->msg_bytes, MESSAGE_FENCE);
}

void fences_fini(const struct pe *pe)
{
    if (pe->lps.fence_bytes > 0) {
        restore_actions(pe);
    }
}

/* Damage found behind a message or a state. */
struct finding {
    const char *what; /* name of the block, such as "its message" */
    const char *advice;
    const unsigned char *fence;
    size_t fence_bytes;
    size_t size; /* size of the message or state, in bytes */
    struct fence_damage damage;
};

/* Prints the LP, the event and its message. Returns their place, with `event` as memory for it. */
static struct rcheck_place say_place(struct pe *pe, struct rcheck_event *event, const char *reason)
{
    const struct fenced_call *call = &pe->fenced;
    if (call->event != NULL) {
        *event = rcheck_event_of(call->event, event_payload(call->event));
    }
    struct rcheck_place place = {call->lp, call->event != NULL ? event : NULL, "--synch=6", reason};
    rcheck_say_place(&place);
    /* so that the error message does not repeat the event of the report */
    pe->head.cur_event = NULL;
    return place;
}

/* Reports the damage, then ends the run with the error message "LP 7 at ...:
 * its forward handler has ...". is_late: true if the damage already existed before the handler was
 * called. */
static _Noreturn void fail(struct pe *pe, const struct finding *f, bool is_late)
{
    const struct fenced_call *call = &pe->fenced;
    struct rcheck_event seen = {0};
    const struct rcheck_place place = say_place(pe, &seen, "a write beyond the end");
    size_t n = f->damage.end - f->damage.first;
    size_t from = f->size + f->damage.first;
    bool is_more = f->damage.end == f->fence_bytes;
    fprintf(stderr, "  beyond the end of %s, %zu bytes, at offset %zu%s:\n", f->what, f->size, from,
            n > SHOWN_MOST ? ", the first of them" : "");
    tw_fprint_binary_array(stderr, "             ", f->fence + f->damage.first,
                           n < SHOWN_MOST ? n : SHOWN_MOST);
    if (is_late) {
        rcheck_fail(&place,
                    "before its %s was called, %zu byte%s beyond the end of %s, which has %zu, "
                    "had been written: by a handler of another LP, by a function at GVT, or "
                    "through a pointer that was kept",
                    call->handler, f->damage.end, f->damage.end == 1 ? "" : "s", f->what, f->size);
    }
    rcheck_fail(
        &place,
        "its %s has written %zu byte%s%s beyond the end of %s, which has %zu: offset %zu to "
        "%zu%s; %s",
        call->handler, n, n == 1 ? "" : "s", is_more ? " or more" : "", f->what, f->size, from,
        from + n - 1, is_more ? ", and perhaps beyond" : "", f->advice);
}

static _Noreturn void fail_in_front(struct pe *pe, struct fence_damage damage)
{
    struct rcheck_event seen = {0};
    const struct rcheck_place place = say_place(pe, &seen, "a write in front of the beginning");
    rcheck_fail(&place, "its %s has written in front of its state: %zu bytes, from offset -%zu",
                pe->fenced.handler, damage.end - damage.first, LP_FENCE_IN_FRONT - damage.first);
}

/* Returns the number of bytes at the start of a message's fence that tw_event_new() clears. */
static size_t cleared(const struct pe *pe)
{
    return -pe->msg_bytes & 15;
}

#define MESSAGE_ADVICE "the size of messages is what tw_define_lps() was given"

static void check_message(struct pe *pe, const tw_event *event, const char *what, bool is_late)
{
    struct finding f = {.what = what,
                        .advice = MESSAGE_ADVICE,
                        .fence = (const unsigned char *)event + pe->pool.fence_at,
                        .fence_bytes = pe->pool.fence_bytes,
                        .size = pe->msg_bytes};
    size_t skip = is_late ? cleared(pe) : 0;
    f.damage = fence_look(f.fence, skip, pe->pool.fence_bytes);
    if (f.damage.end > 0) {
        fail(pe, &f, is_late);
    }
}

static void check_state(struct pe *pe, const tw_lp *lp, bool is_late)
{
    assert(pe->lps.fence_bytes > 0);
    struct finding f = {.what = "its state",
                        .advice = "the size of states is state_sz of the LP type",
                        .fence = (const unsigned char *)lp->cur_state + lp->type->state_sz,
                        .fence_bytes = pe->lps.fence_bytes,
                        .size = lp->type->state_sz};
    f.damage = fence_look(f.fence, 0, pe->lps.fence_bytes);
    if (f.damage.end > 0) {
        fail(pe, &f, is_late);
    }
    const unsigned char *front = (const unsigned char *)lp->cur_state - LP_FENCE_IN_FRONT;
    struct fence_damage before = fence_look(front, 0, LP_FENCE_IN_FRONT);
    if (before.end > 0) {
        fail_in_front(pe, before);
    }
}

void fences_enter(struct pe *pe, tw_lp *lp, tw_event *event, const char *handler)
{
    assert(pe->fenced.handler == NULL);
    pe->fenced = (struct fenced_call){handler, lp, event};
    check_state(pe, lp, true);
    if (event != NULL) {
        check_message(pe, event, "its message", true);
        fence_fill((unsigned char *)event + pe->pool.fence_at, cleared(pe));
    }
}

/* Checks the start of a fence, where `bytes` bytes must be zero. Returns the range from the first
 * to the last non-zero byte. */
static struct fence_damage look_at_cleared(const unsigned char *fence, size_t bytes)
{
    struct fence_damage damage = {0, 0};
    for (size_t i = 0; i < bytes; i++) {
        if (fence[i] != 0) {
            damage.first = damage.end == 0 ? i : damage.first;
            damage.end = i + 1;
        }
    }
    return damage;
}

void fences_check_sent(struct pe *pe, const tw_event *event)
{
    char what[96];
    struct finding f = {.what = what,
                        .advice = MESSAGE_ADVICE,
                        .fence = (const unsigned char *)event + pe->pool.fence_at,
                        .fence_bytes = pe->pool.fence_bytes,
                        .size = pe->msg_bytes};
    if (pe->fenced.handler == NULL) {
        return; /* no handler is running: g_tw_gvt_hook made the call */
    }
    if (event == pe->past_end_event) {
        snprintf(what, sizeof what, "the message of an event past the end");
    } else {
        snprintf(what, sizeof what, "the message of an event that it sends to LP %" PRIu64,
                 event->dest_lpid);
    }
    f.damage = look_at_cleared(f.fence, cleared(pe));
    struct fence_damage rest = fence_look(f.fence, cleared(pe), pe->pool.fence_bytes);
    if (rest.end > 0) {
        f.damage.first = f.damage.end == 0 ? rest.first : f.damage.first;
        f.damage.end = rest.end;
    }
    if (f.damage.end > 0) {
        fail(pe, &f, false);
    }
}

void fences_leave(struct pe *pe)
{
    const struct fenced_call *call = &pe->fenced;
    assert(call->handler != NULL);
    check_state(pe, call->lp, false);
    if (call->event != NULL) {
        check_message(pe, call->event, "its message", false);
    }
    for (const tw_event *event = pe->unsent; event != NULL; event = event->prev) {
        fences_check_sent(pe, event);
    }
    pe->fenced.handler = NULL;
}
