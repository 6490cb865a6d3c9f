/* SPDX-License-Identifier: BSD-3-Clause */
/* packing.c - see packing.h. */
#include "comm/packing.h"

#include <assert.h>

#define LOOK_S 0.01 /* length of an interval in seconds */
/* Lengths of trials in seconds. Ranks that have just moved to one processor lose more time than
 * later, until the system has moved other programs away from it. Trials of fewer ranks per processor
 * are short, since they cost much if they fail. */
#define TRIAL_UP_S   0.1
#define TRIAL_DOWN_S 0.02
/* Least number of intervals of a trial; if GVT is computed rarely, intervals are long. */
#define TRIAL_LOOKS 2u
/* Least share of the time for which ranks were ready and had no processor, for a trial of more
 * ranks per processor: LOST_MUCH on average over two successive intervals, LOST_SOME in each. A
 * short burst of another program is thus no reason. */
#define LOST_MUCH 0.25
#define LOST_SOME 0.1
/* Trials measure values that vary much while other programs run. More ranks per processor may be
 * slower in the trial by LOSS_UP, because later they are faster than in it. Fewer must be faster by
 * GAIN_DOWN. They are also refused if more than LOST_MOST of the time was lost. */
#define LOSS_UP   1.5
#define GAIN_DOWN 1.25
#define LOST_MOST 0.5
/* Bounds of the time in seconds between two trials. After a change to fewer ranks per processor,
 * the next trial follows after HOLD_DOWN_S: other programs may just have paused. */
#define HOLD_DOWN_S  0.1
#define HOLD_LEAST_S 0.4
#define HOLD_MOST_S  1.6
/* Length in seconds of the intervals that determine a pace. */
#define PACE_S 0.2

void packing_init(struct packing *p, unsigned ranks)
{
    assert(ranks > 0);
    *p = (struct packing){.hold_s = HOLD_DOWN_S}; /* the first trial may fail by bad luck */
    while (p->top < PACKING_LEVELS - 1 && 1u << p->top < ranks) {
        p->top++;
    }
}

static double rate(const struct packing_pace *pace)
{
    return pace->s > 0.0 ? pace->events / pace->s : 0.0;
}

static void pace_add(struct packing_pace *pace, double events, double span_s)
{
    if (pace->s > PACE_S) {
        pace->events /= 2;
        pace->s /= 2;
    }
    pace->events += events;
    pace->s += span_s;
}

/* Returns true if the ranks have become slower than they were with more ranks per processor. */
static bool is_slow(const struct packing *p)
{
    return p->home < p->top && rate(&p->paces[p->home]) < rate(&p->paces[p->home + 1]);
}

static void begin_trial(struct packing *p, double now_s)
{
    p->went_up = p->home == 0 || is_slow(p) || (!p->went_up && p->home < p->top);
    p->now = p->went_up ? p->home + 1 : p->home - 1;
    p->has_changed = true;
    p->looks_left = TRIAL_LOOKS;
    p->paces[p->now].events /= 4; /* older intervals count less */
    p->paces[p->now].s /= 4;
    p->change_at_s = now_s + (p->went_up ? TRIAL_UP_S : TRIAL_DOWN_S);
}

/* lost: share of the time in the trial for which ranks were ready and had no processor */
static void end_trial(struct packing *p, double now_s, double lost)
{
    const double tried = rate(&p->paces[p->now]), before = rate(&p->paces[p->home]);
    if (p->went_up ? tried * LOSS_UP > before : tried > before * GAIN_DOWN && lost < LOST_MOST) {
        p->home = p->now;
        p->hold_s = p->went_up ? HOLD_LEAST_S : HOLD_DOWN_S;
    } else {
        p->now = p->home;
        p->has_changed = true;
        p->hold_s = 2 * p->hold_s < HOLD_MOST_S ? 2 * p->hold_s : HOLD_MOST_S;
    }
    p->change_at_s = now_s + p->hold_s;
}

/* Returns true if a trial should begin. */
static bool wants_trial(const struct packing *p, double now_s, double lost)
{
    const double before = p->lost_before;
    if (p->home == 0 &&
        (lost + before <= 2 * LOST_MUCH || lost < LOST_SOME || before < LOST_SOME)) {
        return false;
    }
    return now_s >= p->change_at_s || is_slow(p);
}

void packing_look(struct packing *p, double now_s, uint64_t events, double lost_s, unsigned ranks)
{
    const double span_s = now_s - p->began_s;
    if (p->top == 0 || span_s < LOOK_S) {
        return;
    }
    const bool is_left_out = p->began_s == 0.0 || p->has_changed;
    const double done = events > p->began_events ? (double)(events - p->began_events) : 0.0;
    const double lost = (lost_s - p->began_lost_s) / (span_s * ranks);
    p->began_s = now_s;
    p->began_events = events;
    p->began_lost_s = lost_s;
    p->has_changed = false;
    if (is_left_out) {
        return;
    }
    pace_add(&p->paces[p->now], done, span_s);
    p->looks_left -= p->looks_left > 0;
    if (p->now == p->home) {
        if (wants_trial(p, now_s, lost)) {
            begin_trial(p, now_s);
            p->trial_at_s = now_s;
            p->trial_lost_s = lost_s;
        }
        p->lost_before = lost;
    } else if (now_s >= p->change_at_s && p->looks_left == 0) {
        end_trial(p, now_s, (lost_s - p->trial_lost_s) / ((now_s - p->trial_at_s) * ranks));
    }
}

bool packing_check(const struct packing *p)
{
    const bool near = p->now == p->home || p->now == p->home + 1 || p->now + 1 == p->home;
    return near && p->top < PACKING_LEVELS && p->now <= p->top && p->home <= p->top &&
           p->hold_s >= HOLD_DOWN_S && p->hold_s <= HOLD_MOST_S;
}
