/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c - lays out tasks: their slices, steps and flows on the tracks of their places; see
 * timeline.h.
 *
 * Tasks come sorted by place and beginning, and each is assigned to a lane. A second sorter then
 * brings the data of each task together: the place of its slice, its steps, and its children in the
 * order of their beginnings. Only the last child is kept in memory.
 */
#include <assert.h>
#include <string.h>

#include "cli/interrupt.h"
#include "timeline/lanes.h"
#include "timeline/private.h"

struct laying {
    struct tl_tasking *work;
    struct ws_lanes lanes;
    uint8_t place[TL_PLACE_SIZE]; /* the current place: PE, LP and name */
    bool any;                     /* true if there is a current place */
    uint32_t pe, first_track;     /* PE and first track of the current place */
    uint64_t next_slice;          /* number of the next slice of the current PE */
};

/* Begins the next place if the key does not belong to the current place. */
static void place_turn(struct laying *l, const uint8_t *key, uint32_t pe)
{
    assert(!l->any || pe >= l->pe);
    if (l->any && memcmp(l->place, key, sizeof l->place) == 0) {
        return;
    }
    l->first_track += l->lanes.n;
    if (!l->any || pe != l->pe) {
        l->first_track = 0;
        l->next_slice = 0;
    }
    memcpy(l->place, key, sizeof l->place);
    l->any = true;
    l->pe = pe;
    ws_lanes_reset(&l->lanes);
}

static bool task_lay(struct laying *l, struct ws_moment_task *task)
{
    struct ws_timeline *t = l->work->t;
    struct ws_moment m = {.pe = t->n_pes + l->pe, .kind = WS_MOMENT_BEGIN, .flags = WS_MOMENT_TASK};
    struct tl_joint_data joint;
    bool inside;
    if (!tl_ns(task->start, t->options.unit_s, &m.time) ||
        !tl_ns(task->end, t->options.unit_s, &joint.end)) {
        return true; /* omits the task: without a slice, its steps and flows are omitted as well */
    }
    task->lane = ws_lanes_take(&l->lanes, task->id, task->parent, m.time, joint.end, &inside);
    if (l->lanes.no_memory) {
        return ws_no_memory(&t->work->failed);
    }
    m.kp = l->first_track + task->lane;
    if (task->lane == WS_LANES_NONE || m.kp >= TL_KPS_MAX) {
        t->crowded++;
        return true;
    }
    m.duration = joint.end - m.time;
    m.id = l->next_slice++;
    joint.pe = m.pe;
    joint.track = m.kp;
    joint.number = m.id;
    joint.time = m.time;
    t->slices++;
    return tl_task_moment_add(t, &m, task, 0) &&
           tl_joint_add(l->work, task->id, TL_JOINT_PLACE, &joint, NULL) &&
           (inside || task->parent.lp == -1 ||
            tl_joint_add(l->work, task->parent, TL_JOINT_CHILD, &joint, NULL));
}

bool tl_places_layout(struct tl_tasking *w)
{
    struct laying l = {.work = w};
    const uint8_t *key, *data;
    unsigned n = 0;
    bool good = ws_sorter_ready(&w->tasks);
    while (good && (data = ws_sorter_next(&w->tasks, &key)) != NULL) {
        struct ws_moment_task task;
        uint32_t pe;
        memcpy(&pe, data, sizeof pe);
        tl_task_unpack(&task, data + sizeof pe);
        place_turn(&l, key, pe);
        good = task_lay(&l, &task) && (++n % 1024 != 0 || ws_interrupt_waits() == 0);
    }
    ws_lanes_free(&l.lanes);
    return good && !w->tasks.failed;
}

/* ---- Steps and flows ------------------------------------------------------------------------- */

/* A task, and the latest of its children so far. */
struct family {
    uint8_t id[24];
    bool has_task, has_child;
    struct tl_joint_data task, child;
    uint32_t n_steps;
};

static struct ws_moment moment_of(const struct tl_joint_data *at)
{
    return (struct ws_moment){
        .time = at->time, .id = at->number, .pe = at->pe, .kp = at->track, .flags = WS_MOMENT_TASK};
}

static bool step_add(struct ws_timeline *t, struct family *f, const struct tl_joint_data *at,
                     const uint8_t *packed)
{
    struct ws_moment m = moment_of(&f->task);
    struct ws_moment_task step;
    if (!f->has_task) {
        return true;
    }
    tl_task_unpack(&step, packed);
    m.kind = WS_MOMENT_STEP;
    m.time = at->time > f->task.time ? at->time : f->task.time;
    m.undone = m.id; /* `undone` holds the number of the slice, see key_make() in moments.c */
    t->steps++;
    return tl_task_moment_add(t, &m, &step, f->n_steps++);
}

static bool child_add(struct ws_timeline *t, struct family *f, const struct tl_joint_data *child)
{
    bool follows = f->has_child && f->child.end <= child->time;
    const struct tl_joint_data *from = follows ? &f->child : f->has_task ? &f->task : NULL;
    bool good = true;
    if (from != NULL && from->time <= child->time) {
        struct ws_moment sender = moment_of(from), receiver = moment_of(child);
        good = tl_flow_add(t, &sender, &receiver);
    }
    f->child = *child;
    f->has_child = true;
    return good;
}

bool tl_joints_read(struct tl_tasking *w)
{
    struct family f = {.has_task = false};
    const uint8_t *key, *data;
    unsigned n = 0;
    bool good = ws_sorter_ready(&w->joints);
    while (good && (data = ws_sorter_next(&w->joints, &key)) != NULL) {
        struct tl_joint_data joint;
        memcpy(&joint, data, sizeof joint);
        if (memcmp(f.id, key, sizeof f.id) != 0) {
            f = (struct family){.has_task = false};
            memcpy(f.id, key, sizeof f.id);
        }
        enum tl_joint kind = key[sizeof f.id];
        if (kind == TL_JOINT_PLACE) {
            f.task = joint;
            f.has_task = true;
        } else if (kind == TL_JOINT_STEP) {
            good = step_add(w->t, &f, &joint, data + sizeof joint);
        } else {
            good = child_add(w->t, &f, &joint);
        }
        good = good && (++n % 1024 != 0 || ws_interrupt_waits() == 0);
    }
    return good && !w->joints.failed;
}

/* ---- Joints ---------------------------------------------------------------------------------- */

uint8_t *tl_task_key(uint8_t *at, struct ws_task_id id)
{
    at = ws_key_i64(at, id.lp);
    at = ws_key_u64(at, id.number);
    return ws_key_i64(at, id.from);
}

bool tl_joint_add(struct tl_tasking *w, struct ws_task_id id, enum tl_joint kind,
                  const struct tl_joint_data *data, const struct ws_moment_task *step)
{
    assert((step != NULL) == (kind == TL_JOINT_STEP));
    uint8_t key[TL_JOINTS_KEY], bytes[TL_JOINT_MAX], *at = tl_task_key(key, id);
    *at++ = (uint8_t)kind;
    at = ws_key_i64(at, data->time);
    ws_key_u64(at, w->n++);
    memcpy(bytes, data, sizeof *data);
    size_t size = sizeof *data + (step == NULL ? 0 : tl_task_pack(bytes + sizeof *data, step));
    return ws_sorter_add(&w->joints, key, bytes, size);
}
