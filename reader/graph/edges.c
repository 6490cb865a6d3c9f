/* SPDX-License-Identifier: BSD-3-Clause */
/* edges.c - see edges.h. */
#include "graph/edges.h"

#include <string.h>

#include "cli/messages.h"
#include "order/pool.h"
#include "store/check.h"

#define ROOM_MIN ((size_t)1024)

void ws_edges_init(struct ws_edges *x, size_t max)
{
    *x = (struct ws_edges){.max = max == 0 ? WS_EDGES_MAX : max};
}

void ws_edges_free(struct ws_edges *x)
{
    if (x->spilled) {
        ws_sorter_free(&x->sorter);
    }
    ws_memory_free(&x->memory);
    ws_memory_free(&x->scratch);
    *x = (struct ws_edges){0};
}

/* Moves all pairs to the sorter. Returns false after an error message. */
static bool list_spill(struct ws_edges *x)
{
    if (!x->spilled) {
        ws_sorter_init(&x->sorter, 8, sizeof(uint64_t), WS_EDGES_SORT);
        x->spilled = true;
    }
    for (size_t i = 0; i < x->n; i++) {
        uint8_t key[8];
        ws_key_u64(key, x->list[i].key);
        if (!ws_sorter_add(&x->sorter, key, &x->list[i].events, sizeof(uint64_t), NULL, 0)) {
            return false;
        }
    }
    x->n = x->n_sorted = 0;
    return true;
}

_Static_assert(sizeof(struct ws_edge) == WS_DEAL_SIZE, "pairs can be sorted by ws_deal()");

bool ws_edges_combine(struct ws_edges *x)
{
    if (x->scratch.at == NULL && x->room > 0 &&
        !ws_memory_take(&x->scratch, x->room * sizeof *x->list)) {
        return ws_no_memory(NULL);
    }
    if (ws_deal(x->list, x->scratch.at, x->n, offsetof(struct ws_edge, key), 0) != x->list) {
        struct ws_memory old = x->memory;
        x->memory = x->scratch;
        x->scratch = old;
        x->list = x->memory.at;
    }
    size_t n = 0;
    for (size_t i = 0; i < x->n; i++) {
        if (n > 0 && x->list[n - 1].key == x->list[i].key) {
            x->list[n - 1].events += x->list[i].events;
        } else {
            x->list[n++] = x->list[i];
        }
    }
    x->n = x->n_sorted = n;
    return true;
}

bool ws_edges_make_room(struct ws_edges *x)
{
    struct ws_memory more;
    if (!ws_edges_combine(x)) {
        return false;
    }
    if (x->room == x->max) {
        return x->n <= x->room / 4 * 3 || list_spill(x);
    }
    if (x->n < x->room / 8) {
        return true;
    }
    size_t room = x->room == 0 ? ROOM_MIN : 8 * x->room;
    room = room < x->max ? room : x->max;
    ws_memory_free(&x->scratch);
    if (!ws_memory_take(&more, room * sizeof *x->list)) {
        return ws_no_memory(NULL);
    }
    if (x->n > 0) {
        memcpy(more.at, x->list, x->n * sizeof *x->list);
    }
    ws_memory_free(&x->memory);
    x->memory = more;
    x->list = more.at;
    x->room = room;
    return true;
}

static bool spilled_each(struct ws_edges *x, ws_edge_f fn, void *ctx)
{
    struct ws_edge pair = {0};
    const uint8_t *key;
    const void *data;
    if (!list_spill(x) || !ws_sorter_ready(&x->sorter)) {
        return false;
    }
    ws_memory_free(&x->memory);
    while ((data = ws_sorter_next(&x->sorter, &key)) != NULL) {
        uint64_t next = ws_key_get_u64(key), events;
        memcpy(&events, data, sizeof events);
        if (pair.events > 0 && pair.key != next) {
            if (!fn(&pair, ctx)) {
                return false;
            }
            pair.events = 0;
        }
        pair.key = next;
        pair.events += events;
    }
    return !x->sorter.failed && (pair.events == 0 || fn(&pair, ctx));
}

bool ws_edges_each(struct ws_edges *x, ws_edge_f fn, void *ctx)
{
    if (!ws_edges_combine(x)) {
        return false;
    }
    ws_memory_free(&x->scratch);
    if (x->spilled) {
        return spilled_each(x, fn, ctx);
    }
    for (size_t i = 0; i < x->n; i++) {
        if (!fn(&x->list[i], ctx)) {
            return false;
        }
    }
    return true;
}

bool ws_edges_check(const struct ws_edges *x)
{
    HOLDS(x->n_sorted <= x->n && x->n <= x->room && x->room <= x->max); /* P1 */
    for (size_t i = 0; i < x->n; i++) {
        HOLDS(x->list[i].events > 0);                                             /* P2 */
        HOLDS(i == 0 || i >= x->n_sorted || x->list[i - 1].key < x->list[i].key); /* P2 */
    }
    return true;
}
