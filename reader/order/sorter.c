/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sorter.c - sorts entries in bounded memory; see sorter.h.
 */
#include "order/sorter.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void ws_sorter_begin(struct ws_sorter *s, const struct ws_sort_layout *layout, size_t data_max,
                     size_t memory)
{
    assert(memory >= WS_SPILL_MIN);
    *s = (struct ws_sorter){.layout = *layout, .memory = memory, .data_max = data_max};
    ws_pool_init(&s->pool, &s->layout, memory, data_max);
    ws_spill_init(&s->spill, &s->layout);
}

void ws_sorter_init(struct ws_sorter *s, uint32_t key_size, size_t data_max, size_t memory)
{
    assert(key_size >= 8);
    const struct ws_sort_layout layout = {
        .key_size = key_size, .has_time = true, .has_payload = true};
    ws_sorter_begin(s, &layout, data_max, memory);
}

void ws_sorter_free(struct ws_sorter *s)
{
    ws_spill_free(&s->spill);
    ws_pool_free(&s->pool);
}

static bool sorter_fail(struct ws_sorter *s)
{
    if (!s->failed) {
        fprintf(stderr, "warpscope: %s\n",
                s->spill.file.error[0] == '\0' ? "out of memory" : s->spill.file.error);
    }
    s->failed = true;
    return false;
}

bool ws_sorter_spill(struct ws_sorter *s)
{
    assert(s->pool.n > 0);
    ws_pool_sort(&s->pool);
    bool good = ws_spill_pool(&s->spill, &s->pool);
    s->pool.n = s->pool.used = 0;
    s->spilled = true;
    return good || sorter_fail(s);
}

struct ws_sort_key *ws_sorter_room(struct ws_sorter *s, size_t size)
{
    assert(size <= s->data_max);
    struct ws_sort_key *item = s->failed ? NULL : ws_pool_room(&s->pool, size);
    if (item == NULL && !s->failed && s->pool.n > 0 && ws_sorter_spill(s)) {
        item = ws_pool_room(&s->pool, size);
    }
    if (item == NULL) {
        sorter_fail(s);
        return NULL;
    }
    item->size = (uint32_t)ws_sort_key_size(&s->layout, size);
    item->payload_size = (uint32_t)size;
    memset((uint8_t *)item + item->size - 8, 0, 8); /* the bytes behind the data are zero */
    return item;
}

bool ws_sorter_add(struct ws_sorter *s, const uint8_t *key, const void *data, size_t first,
                   const void *more, size_t more_size)
{
    struct ws_sort_key *item = ws_sorter_room(s, first + more_size);
    if (item == NULL) {
        return false;
    }
    memcpy(item->bytes, key, s->layout.key_size);
    memcpy(item->bytes + s->layout.key_size, data, first);
    if (more_size > 0) {
        memcpy(item->bytes + s->layout.key_size + first, more, more_size);
    }
    ws_pool_add(&s->pool);
    return true;
}

bool ws_sorter_ready(struct ws_sorter *s)
{
    if (s->failed) {
        return false;
    }
    if (!s->spilled) {
        ws_pool_sort(&s->pool);
        return true;
    }
    if (s->pool.n > 0 && !ws_sorter_spill(s)) {
        return false;
    }
    ws_pool_free(&s->pool);
    return ws_spill_read(&s->spill, s->memory) || sorter_fail(s);
}

const struct ws_sort_key *ws_sorter_item(struct ws_sorter *s)
{
    assert(s->at <= s->pool.n || s->spilled);
    const struct ws_sort_key *item = NULL;
    if (!s->failed && s->spilled) {
        item = ws_spill_next(&s->spill);
        if (item == NULL && s->spill.file.error[0] != '\0') {
            sorter_fail(s);
        }
    } else if (!s->failed && s->at < s->pool.n) {
        item = ws_pool_item(&s->pool, s->at++);
    }
    return item;
}

const void *ws_sorter_next(struct ws_sorter *s, const uint8_t **key)
{
    const struct ws_sort_key *item = ws_sorter_item(s);
    if (item == NULL) {
        return NULL;
    }
    *key = item->bytes;
    return ws_sort_key_payload(&s->layout, item);
}
