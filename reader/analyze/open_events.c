/* SPDX-License-Identifier: BSD-3-Clause */
/* open_events.c - see open_events.h. */
#include "analyze/open_events.h"

#include <stdlib.h>

#define SLOTS_MIN 1024u

static inline size_t home_of(const struct analyze_opens *opens, const struct analyze_open *e)
{
    return analyze_open_hash(e->lp, e->ts, e->order) & (opens->n_slots - 1);
}

static inline bool is_time(double a, double b)
{
    return !(a < b) && !(a > b);
}

struct analyze_open *analyze_open_find(const struct analyze_opens *opens, uint32_t lp, double ts,
                                       uint32_t order)
{
    if (opens->n == 0) {
        return NULL;
    }
    size_t mask = opens->n_slots - 1, at = analyze_open_hash(lp, ts, order) & mask;
    for (; opens->slots[at].left > 0; at = (at + 1) & mask) {
        struct analyze_open *e = &opens->slots[at];
        if (e->lp == lp && e->order == order && is_time(e->ts, ts)) {
            return e;
        }
    }
    return NULL;
}

static void slot_fill(struct analyze_opens *opens, const struct analyze_open *event)
{
    size_t mask = opens->n_slots - 1, at = home_of(opens, event);
    while (opens->slots[at].left > 0) {
        at = (at + 1) & mask;
    }
    opens->slots[at] = *event;
}

static bool opens_grow(struct analyze_opens *opens)
{
    struct analyze_opens more = *opens;
    more.n_slots = opens->n_slots == 0 ? SLOTS_MIN : 2 * opens->n_slots;
    more.slots = calloc(more.n_slots, sizeof *more.slots);
    if (more.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < opens->n_slots; i++) {
        if (opens->slots[i].left > 0) {
            slot_fill(&more, &opens->slots[i]);
        }
    }
    free(opens->slots);
    *opens = more;
    return true;
}

bool analyze_open_add(struct analyze_opens *opens, const struct analyze_open *event)
{
    assert(event->left > 0);
    if (opens->n >= opens->n_slots / 4 * 3 && !opens_grow(opens)) {
        return false;
    }
    slot_fill(opens, event);
    opens->n++;
    opens->most = opens->n > opens->most ? opens->n : opens->most;
    return true;
}

void analyze_open_remove(struct analyze_opens *opens, struct analyze_open *event)
{
    size_t mask = opens->n_slots - 1, gap = (size_t)(event - opens->slots);
    assert(gap < opens->n_slots && event->left > 0);
    for (size_t at = (gap + 1) & mask; opens->slots[at].left > 0; at = (at + 1) & mask) {
        /* An entry may move to the gap unless its home lies behind the gap. */
        if (((at - home_of(opens, &opens->slots[at])) & mask) >= ((at - gap) & mask)) {
            opens->slots[gap] = opens->slots[at];
            gap = at;
        }
    }
    opens->slots[gap].left = 0;
    opens->n--;
}

void analyze_opens_free(struct analyze_opens *opens)
{
    free(opens->slots);
    *opens = (struct analyze_opens){0};
}

void analyze_opens_check(const struct analyze_opens *opens)
{
    size_t used = 0;
    assert((opens->n_slots & (opens->n_slots - 1)) == 0);
    for (size_t i = 0; i < opens->n_slots; i++) {
        const struct analyze_open *e = &opens->slots[i];
        used += e->left > 0;
        assert(e->left == 0 || analyze_open_find(opens, e->lp, e->ts, e->order) == e);
        (void)e;
    }
    assert(used == opens->n && opens->n <= opens->n_slots / 4 * 3);
    (void)used;
}
