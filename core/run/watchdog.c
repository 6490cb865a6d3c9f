/* SPDX-License-Identifier: BSD-3-Clause */
/* watchdog.c - see watchdog.h. */
#include "run/watchdog.h"

#include <assert.h>
#include <math.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "engine/lps/place.h"
#include "engine/process/run.h"

#define LOOKS_PER_LIMIT    8u
#define LOOK_S_LEAST       0.01
#define THREAD_STACK_BYTES ((size_t)256 << 10)
/* For --stall-limit. Rank r gives up STOP_STEP_S * r seconds after rank 0, but at most STOP_STEP_S
 * * STOP_RANKS_MOST seconds after it. The simulation's thread then has STOP_PATIENCE_S seconds to
 * end the run. */
#define STOP_STEP_S     0.5
#define STOP_RANKS_MOST 16
#define STOP_PATIENCE_S 20.0

/* Reads a variable that another thread writes. */
#define LOOK(x) (*(volatile const __typeof__(x) *)&(x))

/* State of the PE as the watchdog has read it at one moment. */
struct look {
    const tw_event *event; /* event being executed, undone or committed; NULL: none */
    uint64_t processed, undone, committed;
    uint64_t turns; /* number of turns of the scheduler's loop; constant on a single rank */
    double gvt;
};

/* A stall: one event takes too long, or GVT does not advance. */
struct stall {
    double lasts_s;    /* duration so far, in seconds */
    double next_s;     /* duration at which the next warning is due, in seconds */
    struct look since; /* state of the PE when the stall began */
};

static struct look look_at(const struct pe *pe)
{
    struct look l = {
        .event = LOOK(pe->head.cur_event),
        .processed = LOOK(pe->counters.events_processed),
        .undone = LOOK(pe->counters.events_rolled_back),
        .committed = LOOK(pe->counters.events_committed),
        .turns = LOOK(pe->comm.abort_checks),
        .gvt = LOOK(pe->head.GVT),
    };
    if (l.event == pe->head.abort_event) {
        l.event = NULL;
    }
    return l;
}

static bool did_nothing(const struct look *a, const struct look *b)
{
    return a->processed == b->processed && a->undone == b->undone && a->committed == b->committed;
}

static void stall_begin(struct stall *s, const struct look *now, double limit_s)
{
    *s = (struct stall){.next_s = limit_s > 0.0 ? limit_s : HUGE_VAL, .since = *now};
}

/* Adds `seconds` to the duration of the stall. Returns true if a warning is due. */
static bool stall_goes_on(struct stall *s, double seconds)
{
    assert(s->next_s > 0.0 && seconds > 0.0);
    s->lasts_s += seconds;
    if (s->lasts_s < s->next_s) {
        return false;
    }
    s->lasts_s = s->next_s;
    s->next_s *= 2.0;
    return true;
}

static void add_seconds(struct safe_text *t, const struct stall *s)
{
    safe_text_add(t, " for ");
    safe_text_add_real(t, s->lasts_s);
    safe_text_add(t, " s");
}

static void warn_of_event(const struct pe *pe, const struct stall *s)
{
    struct safe_text t = {.length = 0};
    struct probe_now now = probe_now();
    if (now.lp == NULL) { /* the handler has returned meanwhile */
        return;
    }
    place_add_program(&t, pe, "warning: ");
    place_add_lp(&t, now.lp);
    safe_text_add(&t, now.context == PROBE_IN_REVERSE  ? " has been undoing one event"
                      : now.context == PROBE_IN_COMMIT ? " has been committing one event"
                                                       : " has been in one event");
    add_seconds(&t, s);
    place_add_event(&t, pe, &now);
    safe_text_write_line(&t, STDERR_FILENO);
}

/* Compares two states of this rank's PE. Returns true if the rank seems to hold back GVT: it has
 * done nothing between the two states, or it executes events at GVT. */
static bool holds_gvt(const struct pe *pe, const struct look *since, const struct look *now)
{
    return (now->turns == since->turns && did_nothing(since, now)) ||
           (now->processed != since->processed && LOOK(pe->last_executed_ts) <= now->gvt);
}

static void warn_of_gvt(const struct pe *pe, const struct stall *s, const struct look *now)
{
    struct safe_text t = {.length = 0};
    place_add_program(&t, pe, "warning: ");
    safe_text_add(&t, "GVT has not moved");
    add_seconds(&t, s);
    safe_text_add(&t, " from ");
    safe_text_add_real(&t, now->gvt);
    safe_text_add(&t, "; PE ");
    safe_text_add_number(&t, (uint64_t)pe->comm.rank);
    safe_text_add(&t, " is at ");
    safe_text_add_real(&t, LOOK(pe->last_executed_ts));
    safe_text_add(&t, " and has executed ");
    safe_text_add_number(&t, now->processed - s->since.processed);
    safe_text_add(&t, " events meanwhile");
    int awaited = LOOK(pe->gvt.in_round) ? comm_reduction_awaits(&pe->gvt.reduction) : -1;
    if (awaited >= 0) {
        safe_text_add(&t, "; it waits for PE ");
        safe_text_add_number(&t, (uint64_t)awaited);
    }
    safe_text_write_line(&t, STDERR_FILENO);
}

struct stalls {
    struct look last;
    struct stall event;
    struct stall gvt;
    double gvt_s; /* time for which GVT has not advanced, in seconds */
};

/* Ends the process, since the simulation's thread does not react. */
static _Noreturn void end_process(const struct pe *pe)
{
    if (!g_run.failing) {
        struct safe_text t = {.length = 0};
        place_add_program(&t, pe, "error: ");
        safe_text_add(&t, "GVT has stood for longer than --stall-limit=");
        safe_text_add(&t, g_run.settings.stall_limit);
        safe_text_add(&t, ", and this rank is in an event or a call of MPI that does not return; "
                          "it ends now, and what it recorded can be recovered (warpscope recover)");
        safe_text_write_line(&t, STDERR_FILENO);
    }
    _exit(TW_EXIT_MODEL);
}

/* Requests the end of the run if GVT has not advanced for --stall-limit; ends the process if the
 * run then does not end. stood_s: time for which GVT has not advanced, in seconds. */
static void check_limit(const struct watchdog *w, double stood_s)
{
    int rank = w->pe->comm.rank < STOP_RANKS_MOST ? w->pe->comm.rank : STOP_RANKS_MOST;
    double limit_s = w->stop_s + STOP_STEP_S * rank;
    if (w->stop_s > 0.0 && stood_s >= limit_s) {
        atomic_store_explicit(&g_run.gives_up, true, memory_order_relaxed);
        if (stood_s >= limit_s + STOP_PATIENCE_S) {
            end_process(w->pe);
        }
    }
}

/* Checks for stalls. If a long event holds back GVT, prints only the warning about the event.
 * seconds: time since the last check. */
static void look(const struct watchdog *w, struct stalls *s, double seconds)
{
    const struct pe *pe = w->pe;
    struct look now = look_at(pe);
    bool in_event = now.event != NULL && now.event == s->last.event && did_nothing(&s->last, &now);
    bool gvt_stands = !(now.gvt > s->last.gvt) && pe->synch != OPTIMISTIC_DEBUG;
    if (!in_event) {
        stall_begin(&s->event, &now, w->limit_s);
    } else if (stall_goes_on(&s->event, seconds)) {
        warn_of_event(pe, &s->event);
    }
    if (!gvt_stands) {
        stall_begin(&s->gvt, &now, w->limit_s);
    } else if (stall_goes_on(&s->gvt, seconds) && s->event.lasts_s < w->limit_s / 2.0 &&
               (pe->comm.rank == 0 || holds_gvt(pe, &s->gvt.since, &now))) {
        warn_of_gvt(pe, &s->gvt, &now);
    }
    s->gvt_s = gvt_stands ? s->gvt_s + seconds : 0.0;
    check_limit(w, s->gvt_s);
    s->last = now;
}

static struct timespec after(double seconds)
{
    assert(seconds >= 0.0);
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double ns = (double)t.tv_nsec + 1e9 * (seconds - (double)(time_t)seconds);
    t.tv_sec += (time_t)seconds + (ns >= 1e9);
    t.tv_nsec = (long)(ns >= 1e9 ? ns - 1e9 : ns);
    return t;
}

static void *run_thread(void *watchdog)
{
    struct watchdog *w = watchdog;
    bool stops_first = w->limit_s <= 0.0 || (w->stop_s > 0.0 && w->stop_s < w->limit_s);
    double seconds = (stops_first ? w->stop_s : w->limit_s) / LOOKS_PER_LIMIT;
    seconds = seconds > LOOK_S_LEAST ? seconds : LOOK_S_LEAST;
    struct stalls s = {.last = look_at(w->pe)};
    stall_begin(&s.event, &s.last, w->limit_s);
    stall_begin(&s.gvt, &s.last, w->limit_s);
    pthread_mutex_lock(&w->lock);
    while (!w->ends) {
        struct timespec until = after(seconds);
        while (!w->ends && pthread_cond_timedwait(&w->wake, &w->lock, &until) == 0) {
        }
        if (!w->ends) {
            look(w, &s, seconds);
        }
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static bool start_thread(struct watchdog *w)
{
    sigset_t all;
    sigset_t before;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    sigfillset(&all); /* the new thread blocks all signals: the simulation's thread handles them */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&w->thread, &attributes, run_thread, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

void watchdog_start(struct watchdog *w, const struct pe *pe, double limit_s, double stop_s)
{
    *w = (struct watchdog){.pe = pe, .limit_s = limit_s, .stop_s = stop_s};
    if (limit_s <= 0.0 && stop_s <= 0.0) {
        return;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    w->running = start_thread(w);
}

void watchdog_stop(struct watchdog *w)
{
    if (w->running) {
        pthread_mutex_lock(&w->lock);
        w->ends = true;
        pthread_cond_signal(&w->wake);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
    if (w->limit_s > 0.0 || w->stop_s > 0.0) {
        pthread_cond_destroy(&w->wake);
        pthread_mutex_destroy(&w->lock);
    }
}
