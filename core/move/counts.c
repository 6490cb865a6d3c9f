/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.c - counts of events, see move_private.h. */
#include <assert.h>

#include "move/move_private.h"
#include "store/array.h"

void move_counts_init(struct move_counts *c, const struct mapping *mapping, tw_lpid n_lps)
{
    *c = (struct move_counts){
        .mapping = mapping,
        .received = tw_calloc(TW_LOC, "counts of events", sizeof *c->received, n_lps)};
}

void move_counts_fini(struct move_counts *c)
{
    free(c->received);
    free(c->pairs);
    index_fini(&c->index);
    *c = (struct move_counts){.events = 0};
}

/* Returns the pair with this key; adds the pair if it is missing. NULL: there is no space for
 * it. */
static struct partition_pair *pair_of(struct move_counts *c, uint64_t key)
{
    assert(c->n_pairs <= MOVE_PAIRS_MAX && c->index.n == c->n_pairs);
    const uint32_t hash = index_hash(key);
    for (uint32_t at = hash, i; index_next(&c->index, hash, &at, &i);) {
        if (c->pairs[i].key == key) {
            return &c->pairs[i];
        }
    }
    if (c->n_pairs == MOVE_PAIRS_MAX ||
        !array_reserve(&c->pairs, &c->room, c->n_pairs + 1, sizeof *c->pairs) ||
        !index_add(&c->index, hash, (uint32_t)c->n_pairs)) {
        return NULL;
    }
    struct partition_pair *pair = &c->pairs[c->n_pairs++];
    *pair = (struct partition_pair){.key = key};
    return pair;
}

void move_counts_add(struct move_counts *c, const tw_event *event)
{
    const tw_lpid src = event->send_lp, dest = event->dest_lp->gid;
    assert(c->received != NULL);
    const bool is_held = ++c->events % MOVE_HOLD == 0;
    c->held += is_held;
    c->received[event->dest_lp->id]++;
    if (src == dest) {
        c->self++;
        return;
    }
    struct partition_pair *pair =
        pair_of(c, partition_pair_key(mapping_place_of(c->mapping, src),
                                      mapping_place_of(c->mapping, dest)));
    if (pair != NULL) {
        pair->events += is_held ? MOVE_HELD_ONE : 1;
    } else {
        c->lost++;
    }
}
