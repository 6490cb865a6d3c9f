/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.c - pairs the records of two files; see pairs.h.
 */
#include "order/pairs.h"

#include <assert.h>
#include <string.h>

bool ws_pairs_init(struct ws_pairs *p, const struct ws_merge_source sources[WS_SIDES],
                   size_t memory)
{
    bool good = true;
    *p = (struct ws_pairs){.taken = {true, true}};
    for (int side = 0; side < WS_SIDES; side++) {
        good = ws_merge_init(&p->merges[side], &sources[side], memory) && good;
    }
    assert(!good || p->merges[WS_A].layout.key_size == p->merges[WS_B].layout.key_size);
    return good;
}

void ws_pairs_free(struct ws_pairs *p)
{
    ws_merge_free(&p->merges[WS_A]);
    ws_merge_free(&p->merges[WS_B]);
}

bool ws_pairs_next(struct ws_pairs *p)
{
    for (int side = 0; side < WS_SIDES; side++) {
        if (p->taken[side]) {
            p->heads[side] = ws_merge_next(&p->merges[side]);
        }
    }
    const struct ws_sort_key *a = p->heads[WS_A], *b = p->heads[WS_B];
    /* The previous call returned at least one of these records; otherwise this call would return
     * the same pair again. */
    assert(p->taken[WS_A] || p->taken[WS_B]);
    int order = b == NULL   ? -1
                : a == NULL ? 1
                            : memcmp(a->bytes, b->bytes, ws_pairs_form(p)->identity_size);
    p->taken[WS_A] = order <= 0;
    p->taken[WS_B] = order >= 0;
    p->items[WS_A] = order <= 0 ? a : NULL;
    p->items[WS_B] = order >= 0 ? b : NULL;
    return (a != NULL || b != NULL) && !ws_pairs_failed(p);
}

bool ws_pairs_failed(const struct ws_pairs *p)
{
    return p->merges[WS_A].failed || p->merges[WS_B].failed;
}

bool ws_pairs_equal(const struct ws_pairs *p)
{
    return p->items[WS_A] != NULL && p->items[WS_B] != NULL &&
           ws_sort_key_compare(ws_pairs_form(p), p->items[WS_A], p->items[WS_B]) == 0;
}
