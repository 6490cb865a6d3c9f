/* SPDX-License-Identifier: BSD-3-Clause */
/* open_events.c - finds, adds and removes open events; see open_events.h. */
#include "analyze/open_events.h"

#include <stdlib.h>

#include "store/check.h"

#define LIST_MIN 1024u
#define SPARSE   4u /* least number of slots of the index for an open event */

struct analyze_open *analyze_open_find(const struct analyze_opens *opens, uint32_t lp, double ts,
                                       uint32_t order)
{
    uint32_t hash = analyze_open_hash(lp, ts, order), place;
    for (uint32_t at = hash; index_next(&opens->index, hash, &at, &place);) {
        struct analyze_open *e = &opens->list[place];
        if (e->lp == lp && e->order == order && analyze_same_time(e->ts, ts)) {
            return e;
        }
    }
    return NULL;
}

/* Doubles the number of places. Returns false if out of memory. */
static bool list_grow(struct analyze_opens *opens)
{
    struct ws_memory more;
    const uint32_t n = opens->n_list == 0 ? LIST_MIN : 2 * opens->n_list;
    if (n < opens->n_list || !ws_memory_take(&more, n * sizeof *opens->list)) {
        return false;
    }
    if (opens->n_list > 0) {
        memcpy(more.at, opens->list, opens->n_list * sizeof *opens->list);
    }
    ws_memory_free(&opens->memory);
    opens->memory = more;
    opens->list = more.at;
    for (uint32_t i = n; i-- > opens->n_list;) {
        opens->list[i].order = opens->free;
        opens->free = i + 1;
    }
    opens->n_list = n;
    return true;
}

bool analyze_open_add(struct analyze_opens *opens, const struct analyze_open *event)
{
    assert(event->left > 0);
    if ((opens->free == 0 && !list_grow(opens)) ||
        (opens->n >= opens->index.n_slots / SPARSE && !index_grow(&opens->index))) {
        return false;
    }
    const uint32_t place = opens->free - 1;
    const uint32_t hash = analyze_open_hash(event->lp, event->ts, event->order);
    if (!index_add(&opens->index, hash, place)) {
        return false;
    }
    struct analyze_open *to = &opens->list[place];
    opens->free = to->order;
    *to = *event;
    to->hash = hash;
    opens->n++;
    opens->most = opens->n > opens->most ? opens->n : opens->most;
    return true;
}

void analyze_open_remove(struct analyze_opens *opens, struct analyze_open *event)
{
    const uint32_t place = (uint32_t)(event - opens->list);
    assert(place < opens->n_list && opens->n > 0);
    index_remove(&opens->index, event->hash, place);
    event->left = 0;
    event->order = opens->free;
    opens->free = place + 1;
    opens->n--;
}

void analyze_opens_free(struct analyze_opens *opens)
{
    ws_memory_free(&opens->memory);
    index_fini(&opens->index);
    *opens = (struct analyze_opens){0};
}

bool analyze_opens_check(const struct analyze_opens *opens)
{
    uint32_t used = 0, n_free = 0;
    for (uint32_t i = 0; i < opens->n_list; i++) {
        const struct analyze_open *e = &opens->list[i];
        used += e->left > 0;
        HOLDS(e->left == 0 || analyze_open_find(opens, e->lp, e->ts, e->order) == e); /* O1, O2 */
    }
    for (uint32_t at = opens->free; at != 0; at = opens->list[at - 1].order) {
        HOLDS(opens->list[at - 1].left == 0);
        n_free++;
    }
    HOLDS(used == opens->n && used == opens->index.n && used + n_free == opens->n_list); /* O1 */
    return true;
}
