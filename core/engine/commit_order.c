/*
 * commit_order.c - see commit_order.h.
 *
 * Invariant: winner[i] is the player whose event comes first of those below i; a player without an
 * event loses to all others.
 */
#include "engine/commit_order.h"

#include "base/prefetch.h"

bool commit_order_init(struct commit_order *order, tw_kpid n_kps)
{
    size_t most = 1;
    while (most < n_kps) {
        most *= 2;
    }
    *order = (struct commit_order){.players = calloc(most, sizeof(*order->players)),
                                   .winner = calloc(2 * most, sizeof(*order->winner))};
    return order->players != NULL && order->winner != NULL;
}

void commit_order_fini(struct commit_order *order)
{
    free(order->players);
    free(order->winner);
    *order = (struct commit_order){0};
}

/* The event after the oldest will be needed soon, and was executed long ago. */
PREFETCHING void prefetch_next(const struct kp *kp)
{
    if (kp->young - kp->old > 1) {
        const tw_event *event = kp->ring[(kp->old + 1) & kp->mask];
        __builtin_prefetch(event);
        __builtin_prefetch(&event->send_ts);
    }
}

static inline struct commit_player player_of(struct kp *kp, const struct event_key *gvt)
{
    if (!kp_is_empty(kp)) {
        tw_event *event = kp_oldest(kp);
        struct event_key key = event_key(event);
        if (event_key_before(&key, gvt)) {
            prefetch_next(kp);
            return (struct commit_player){key.ts, event, kp};
        }
    }
    return (struct commit_player){INFINITY, NULL, kp};
}

static inline bool wins(const struct commit_player *a, const struct commit_player *b)
{
    if (a->ts != b->ts) {
        return a->ts < b->ts;
    }
    return b->event == NULL || (a->event != NULL && event_compare(a->event, b->event) < 0);
}

static inline void play(struct commit_order *order, size_t i)
{
    uint32_t a = order->winner[2 * i];
    uint32_t b = order->winner[2 * i + 1];
    order->winner[i] = wins(&order->players[a], &order->players[b]) ? a : b;
}

void commit_order_begin(struct commit_order *order, struct kp *kps, tw_kpid n_kps,
                        const struct event_key *gvt)
{
    size_t n = 0;
    for (tw_kpid k = 0; k < n_kps; k++) {
        struct commit_player player = player_of(&kps[k], gvt);
        if (player.event != NULL) {
            order->players[n++] = player;
        }
    }
    order->n_players = 1;
    while (order->n_players < n) {
        order->n_players *= 2;
    }
    for (size_t i = n; i < order->n_players; i++) {
        order->players[i] = (struct commit_player){INFINITY, NULL, NULL};
    }
    for (size_t i = 0; i < order->n_players; i++) {
        order->winner[order->n_players + i] = (uint32_t)i;
    }
    for (size_t i = order->n_players - 1; i > 0; i--) {
        play(order, i);
    }
}

tw_event *commit_order_take(struct commit_order *order, const struct event_key *gvt)
{
    size_t first = order->winner[1];
    struct commit_player *player = &order->players[first];
    tw_event *event = player->event;
    if (event == NULL) {
        return NULL;
    }
    player->kp->old++;
    *player = player_of(player->kp, gvt);
    for (size_t i = (order->n_players + first) / 2; i > 0; i /= 2) {
        play(order, i);
    }
    return event;
}
