/*
 * commit_order.h - the processed events of all KPs before GVT, in event order: a tournament of the
 * KPs' oldest events (Knuth, The Art of Computer Programming 3, 5.4.1).
 *
 * Cost per event: as many comparisons of two receive times as KPs have halvings, in one array.
 */
#ifndef WARPSCOPE_ENGINE_COMMIT_ORDER_H
#define WARPSCOPE_ENGINE_COMMIT_ORDER_H

#include "engine/kp.h"

struct commit_player {
    double ts; /* of event; infinite: none */
    tw_event *event;
    struct kp *kp;
};

/* Zeroed it has no room. */
struct commit_order {
    struct commit_player *players; /* [n_players], a power of 2, those without events behind */
    uint32_t *winner;              /* [2 * n_players]: 1 is the final, i is between 2i and 2i + 1 */
    size_t n_players;
};

/* Room for n_kps KPs; false: out of memory. Undo with commit_order_fini(), also then. */
bool commit_order_init(struct commit_order *order, tw_kpid n_kps);
void commit_order_fini(struct commit_order *order);

/* Begins with the events of these KPs before gvt. */
void commit_order_begin(struct commit_order *order, struct kp *kps, tw_kpid n_kps,
                        const struct event_key *gvt);
/* Takes the first one from its KP; NULL: there is none left. */
tw_event *commit_order_take(struct commit_order *order, const struct event_key *gvt);

#endif
