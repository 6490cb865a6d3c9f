/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moments.c - encodes moments for the sorter, decodes them, and finds flows.
 *
 * The key contains the process and the time of a moment, so that few data must be stored beside the
 * key. This keeps the temporary file small. Moments of tasks are stored as they are.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "timeline/private.h"

#define KEY_SIZE 26u

enum rank { RANK_COUNTER = 0, RANK_ROLLBACK, RANK_EVENT };
enum { KEY_TIME = 4, KEY_RANK = 12, KEY_ID = 13, KEY_KIND = 21 }; /* offsets in the key, in bytes */

/* Data of a slice of an event or a rollback: the members of the moment from `duration` on, to
 * `undone` for recorded rollbacks, otherwise to `cause`. The payload follows them. */
#define SLICE_AT    offsetof(struct ws_moment, duration)
#define SLICE_SIZE  (offsetof(struct ws_moment, cause) + 1 - SLICE_AT)
#define RECORD_SIZE (offsetof(struct ws_moment, undone) + sizeof(uint64_t) - SLICE_AT)

/* Size in bytes of the data for one end of a flow: the number of the flow, then the KP or the track
 * of the slice. The sorter orders the ends of flows at one slice by these bytes. */
#define FLOW_SIZE (8u + 4u)

static inline void key_make(uint8_t *key, const struct ws_moment *m, uint32_t sequence)
{
    uint8_t *at = ws_key_u32(key, m->pe);
    bool slice = m->kind == WS_MOMENT_BEGIN, counter = m->kind == WS_MOMENT_COUNTER;
    at = ws_key_i64(at, m->time);
    *at++ = counter                                ? RANK_COUNTER
            : (m->flags & WS_MOMENT_ROLLBACK) != 0 ? RANK_ROLLBACK
                                                   : RANK_EVENT;
    /* If the moment is an end of a flow, or a step, `undone` holds the number of the slice. */
    at = ws_key_u64(at, slice || counter ? m->id : m->undone);
    *at++ = counter ? m->counter : m->kind;
    ws_key_u32(at, sequence);
}

bool tl_counter_add(struct ws_timeline *t, uint32_t pe, int64_t time, uint64_t id, uint32_t counter,
                    double value)
{
    uint8_t key[KEY_SIZE];
    const struct ws_moment m = {
        .time = time, .id = id, .pe = pe, .kind = WS_MOMENT_COUNTER, .counter = (uint8_t)counter};
    assert(counter < t->counters.n);
    key_make(key, &m, 0);
    return !isfinite(value) || ws_sorter_add(&t->work->moments, key, &value, sizeof value, NULL, 0);
}

/* Adds an end of the flow with the number t->flows, which is at the beginning of a slice. */
static bool flow_end_add(struct ws_timeline *t, const struct ws_moment *slice, uint8_t kind)
{
    struct ws_sort_key *item = ws_sorter_room(&t->work->moments, FLOW_SIZE);
    if (item == NULL) {
        return false;
    }
    const struct ws_moment m = {.time = slice->time,
                                .pe = slice->pe,
                                .kind = kind,
                                .flags = slice->flags,
                                .undone = slice->id}; /* see key_make() */
    key_make(item->bytes, &m, 0);
    memcpy(item->bytes + KEY_SIZE, &t->flows, 8);
    memcpy(item->bytes + KEY_SIZE + 8, &slice->kp, 4);
    ws_pool_add(&t->work->moments.pool);
    return true;
}

bool tl_flow_add(struct ws_timeline *t, const struct ws_moment *sender,
                 const struct ws_moment *receiver)
{
    assert(sender->time <= receiver->time);
    t->flows++;
    return flow_end_add(t, sender, WS_MOMENT_FLOW_OUT) &&
           flow_end_add(t, receiver, WS_MOMENT_FLOW_IN);
}

bool tl_task_moment_add(struct ws_timeline *t, const struct ws_moment *m,
                        const struct ws_moment_task *task, uint32_t sequence)
{
    uint8_t key[KEY_SIZE], data[TL_TASK_MAX];
    key_make(key, m, sequence);
    return ws_sorter_add(&t->work->moments, key, m, sizeof *m, data, tl_task_pack(data, task));
}

bool tl_slice_put(struct ws_sorter *sorter, const uint8_t *key, const struct ws_moment *m)
{
    bool recorded = (m->flags & WS_MOMENT_RECORD) != 0;
    bool has_payload = (m->flags & WS_MOMENT_PAYLOAD) != 0;
    assert(!recorded || !has_payload);
    return ws_sorter_add(sorter, key, (const uint8_t *)m + SLICE_AT,
                         recorded ? RECORD_SIZE : SLICE_SIZE, m->payload,
                         has_payload ? (size_t)m->desc->size : 0);
}

void tl_slice_get(const struct ws_timeline *t, struct ws_moment *m, const uint8_t *data)
{
    assert(t->evtrace != NULL);
    uint8_t *to = (uint8_t *)m + SLICE_AT;
    memcpy(to, data, SLICE_SIZE);
    if ((m->flags & WS_MOMENT_RECORD) != 0) {
        memcpy(to, data, RECORD_SIZE);
    } else if ((m->flags & WS_MOMENT_PAYLOAD) != 0) {
        const struct fmt_desc_set *descs = &t->evtrace->descs;
        assert(tl_name_desc(m->name) >= 1 && tl_name_desc(m->name) <= descs->n);
        m->payload = data + SLICE_SIZE;
        m->desc = &descs->descs[tl_name_desc(m->name) - 1];
    }
}

struct ws_moment tl_moment_read(const struct ws_timeline *t, const uint8_t *key,
                                const uint8_t *data, struct ws_moment_task *task)
{
    struct ws_moment m = {.time = ws_key_get_i64(key + KEY_TIME),
                          .id = ws_key_get_u64(key + KEY_ID),
                          .pe = ws_key_get_u32(key)};
    bool of_task = m.pe >= t->n_pes;
    if (key[KEY_RANK] == RANK_COUNTER) {
        m.kind = WS_MOMENT_COUNTER;
        m.counter = key[KEY_KIND];
        memcpy(&m.value, data, sizeof m.value);
        return m;
    }
    m.kind = key[KEY_KIND];
    if (m.kind == WS_MOMENT_FLOW_OUT || m.kind == WS_MOMENT_FLOW_IN) {
        m.flags = of_task ? WS_MOMENT_TASK : 0;
        memcpy(&m.id, data, 8);
        memcpy(&m.kp, data + 8, 4);
    } else if (of_task) {
        memcpy(&m, data, sizeof m);
        tl_task_unpack(task, data + sizeof m);
        m.task = task;
    } else {
        tl_slice_get(t, &m, data);
    }
    return m;
}

/* ---- Flows ----------------------------------------------------------------------------------- */

/*
 * Flows lead to a slice from the slice that sent its event.
 *
 * The sorter receives every slice twice: as an execution, with its LP and receive time as the key,
 * and as a receipt, with the sending LP and the send time as the key. Sorting thus brings a receipt
 * next to the executions that possibly sent its event. The receipt is connected to the last
 * execution before it with the same LP and time. By wall clock, executions and receipts are in the
 * order of the clock. By virtual time, all executions come before the receipts; those that were not
 * undone come last among the executions.
 */

#define JOIN_KEY  36u
#define JOIN_DATA (4u + 8u)

enum role { EXECUTION = 0, RECEIPT = 1 };
enum { JOIN_ORDER = 16, JOIN_PE = 24, JOIN_ID = 28 }; /* offsets in the key, in bytes */

void tl_moments_init(struct ws_timeline *t)
{
    tl_sorter_init(&t->work->joins, JOIN_KEY, JOIN_DATA);
    tl_sorter_init(&t->work->moments, KEY_SIZE, TL_SLICE_MAX + TL_TASK_MAX);
}

static bool half_add(struct ws_timeline *t, enum role role, uint64_t lp, double ts,
                     const struct ws_moment *m)
{
    struct ws_sort_key *item =
        ws_sorter_room(&t->work->joins, t->options.is_virtual ? JOIN_DATA : 4);
    bool undone = (m->flags & WS_MOMENT_UNDONE) != 0;
    int64_t order = !t->options.is_virtual ? m->time : role == RECEIPT ? 2 : undone ? 0 : 1;
    assert(order >= 0);
    if (item == NULL) {
        return false;
    }
    uint8_t *at = ws_key_u64(item->bytes, lp);
    at = ws_key_u64(at, ws_time_order(ts == 0 ? 0 : ts)); /* maps -0 to 0 */
    at = ws_key_u64(at, 2 * (uint64_t)order + role);      /* order is below 2^63, see tl_ns() */
    at = ws_key_u32(at, m->pe);
    at = ws_key_u64(at, m->id);
    memcpy(at, &m->kp, 4);
    /* By virtual time, the data contain the time of the moment; by wall clock, the key contains
     * it. */
    if (t->options.is_virtual) {
        memcpy(at + 4, &m->time, 8);
    }
    ws_pool_add(&t->work->joins.pool);
    return true;
}

static struct ws_moment half_read(const struct ws_timeline *t, const uint8_t *key,
                                  const uint8_t *data)
{
    struct ws_moment m = {.time = (int64_t)(ws_key_get_u64(key + JOIN_ORDER) / 2),
                          .id = ws_key_get_u64(key + JOIN_ID),
                          .pe = ws_key_get_u32(key + JOIN_PE)};
    memcpy(&m.kp, data, 4);
    if (t->options.is_virtual) {
        memcpy(&m.time, data + 4, 8);
    }
    return m;
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
        if (key[JOIN_PE - 1] % 2 == EXECUTION) {
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

bool tl_slice_add(struct ws_timeline *t, struct ws_moment *m, int64_t end)
{
    uint8_t key[KEY_SIZE];
    assert(t->work->pe < t->n_pes && m->kind == WS_MOMENT_BEGIN);
    if ((m->flags & TL_LEFT_OUT) != 0) {
        return true;
    }
    m->pe = t->work->pe;
    m->duration = end > m->time ? end - m->time : 0;
    key_make(key, m, 0);
    t->slices++;
    return tl_slice_put(&t->work->moments, key, m) &&
           ((m->flags & WS_MOMENT_ROLLBACK) != 0 ||
            (half_add(t, EXECUTION, m->lp, m->recv_ts, m) &&
             half_add(t, RECEIPT, m->src_lp, m->send_ts, m)));
}

/* ---- Encoding of tasks ----------------------------------------------------------------------- */

size_t tl_task_pack(uint8_t *to, const struct ws_moment_task *task)
{
    const char *texts[] = {task->kind, task->what, task->where, task->detail};
    size_t size = sizeof *task;
    memcpy(to, task, size);
    for (size_t i = 0; i < 4; i++) {
        size_t length = texts[i] == NULL ? 0 : strlen(texts[i]);
        memcpy(to + size, length == 0 ? "" : texts[i], length + 1);
        size += length + 1;
    }
    return size;
}

void tl_task_unpack(struct ws_moment_task *task, const uint8_t *from)
{
    memcpy(task, from, sizeof *task);
    task->kind = (const char *)from + sizeof *task;
    task->what = task->kind + strlen(task->kind) + 1;
    task->where = task->what + strlen(task->what) + 1;
    task->detail = task->where + strlen(task->where) + 1;
}
