/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flows.c - finds the slice that sent the event of another slice; see timeline.h.
 *
 * The sorter receives every slice twice: as an execution, with its LP and receive time as the key,
 * and as a receipt, with the sending LP and the send time as the key. Sorting thus brings a receipt
 * next to the executions that possibly sent its event. The receipt is connected to the last
 * execution before it with the same LP and time. By wall clock, executions and receipts are in the
 * order of the clock. By virtual time, all executions come before the receipts; those that were not
 * undone come last among the executions.
 */
#include <assert.h>
#include <string.h>

#include "timeline/private.h"

#define KEY_SIZE  36u
#define DATA_SIZE (4u + 8u)

enum role { EXECUTION = 0, RECEIPT = 1 };
enum { KEY_ORDER = 16, KEY_PE = 24, KEY_ID = 28 }; /* offsets in the key, in bytes */

void tl_joins_init(struct ws_timeline *t)
{
    ws_sorter_init(&t->work->joins, KEY_SIZE, DATA_SIZE, SORTER_MEMORY);
}

static bool half_add(struct ws_timeline *t, enum role role, uint64_t lp, double ts,
                     const struct ws_moment *m)
{
    uint8_t key[KEY_SIZE], data[DATA_SIZE], *at = ws_key_u64(key, lp);
    bool undone = (m->flags & WS_MOMENT_UNDONE) != 0;
    int64_t order = !t->options.is_virtual ? m->time : role == RECEIPT ? 2 : undone ? 0 : 1;
    assert(order >= 0);
    at = ws_key_u64(at, ws_time_order(ts == 0 ? 0 : ts)); /* maps -0 to 0 */
    at = ws_key_u64(at, 2 * (uint64_t)order + role);      /* order is below 2^63, see tl_ns() */
    at = ws_key_u32(at, m->pe);
    ws_key_u64(at, m->id);
    memcpy(data, &m->kp, 4);
    /* By virtual time, the data contain the time of the moment; by wall clock, the key contains
     * it. */
    memcpy(data + 4, &m->time, 8);
    return ws_sorter_add(&t->work->joins, key, data, t->options.is_virtual ? DATA_SIZE : 4);
}

static struct ws_moment half_read(const struct ws_timeline *t, const uint8_t *key,
                                  const uint8_t *data)
{
    struct ws_moment m = {.time = (int64_t)(ws_key_get_u64(key + KEY_ORDER) / 2),
                          .id = ws_key_get_u64(key + KEY_ID),
                          .pe = ws_key_get_u32(key + KEY_PE)};
    memcpy(&m.kp, data, 4);
    if (t->options.is_virtual) {
        memcpy(&m.time, data + 4, 8);
    }
    return m;
}

static bool join_add(struct ws_timeline *t, const struct tl_record *r, const struct ws_moment *m)
{
    return half_add(t, EXECUTION, r->lp, r->recv_ts, m) &&
           half_add(t, RECEIPT, r->src_lp, r->send_ts, m);
}

bool tl_flows_join(struct ws_timeline *t)
{
    struct ws_moment sender = {0}, m = {0};
    uint8_t group[16];
    bool any = false;
    const uint8_t *key;
    const void *data;
    if (!ws_sorter_ready(&t->work->joins)) {
        return false;
    }
    while ((data = ws_sorter_next(&t->work->joins, &key)) != NULL) {
        m = half_read(t, key, data);
        if (any && memcmp(group, key, sizeof group) != 0) {
            any = false;
        }
        if (key[KEY_PE - 1] % 2 == EXECUTION) {
            sender = m;
            memcpy(group, key, sizeof group);
            any = true;
        } else if (any && sender.time <= m.time && (sender.pe != m.pe || sender.id != m.id) &&
                   !tl_flow_add(t, &sender, &m)) {
            return false;
        }
    }
    ws_sorter_free(&t->work->joins);
    return !t->work->joins.failed;
}

bool tl_slice_add(struct ws_timeline *t, const struct tl_record *r, uint64_t number, int64_t begin,
                  int64_t end)
{
    assert(t->work->pe < t->n_pes);
    const struct ws_moment m = {.time = begin,
                                .id = number,
                                .pe = t->work->pe,
                                .kp = r->kp,
                                .kind = WS_MOMENT_BEGIN,
                                .flags = r->flags};
    t->slices++;
    return tl_slice_moment_add(t, r, &m, end) &&
           ((r->flags & WS_MOMENT_ROLLBACK) != 0 || join_add(t, r, &m));
}
