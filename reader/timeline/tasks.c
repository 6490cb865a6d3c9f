/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.c - collects the data of each task, and lays out tasks; see private.h and timeline.h.
 *
 * The record of a task's end has all data of the task except the details that the model added. For
 * a task that has not ended, the record of its beginning is used instead. All records of tasks are
 * therefore sorted by task, ends first. The user's selection applies to the LP, the PE and the time
 * span of a task, not to the times of its records.
 *
 * Tasks come sorted by place and beginning, and each is assigned to a lane. A second sorter then
 * brings the data of each task together: the place of its slice, its steps, and its children in the
 * order of their beginnings. Only the last child is kept in memory.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/record_scan.h"
#include "cli/out.h"
#include "data/intern.h"
#include "data/known.h"
#include "timeline/lanes.h"
#include "timeline/private.h"

#define MEMORY      (SORTER_MEMORY / 2)
#define RECORDS_KEY 41u
/* Number of leading bytes of a place's name that order the places of an LP. */
#define WHERE_BYTES 24u

/* The sorters for tasks. */
struct tasking {
    struct ws_timeline *t;
    struct ws_sorter tasks;  /* sorts packed tasks by place and beginning */
    struct ws_sorter joints; /* sorts the places, steps and children of tasks by task */
    uint64_t n;              /* number of entries in joints so far */
};
#define PLACE_SIZE 44u /* size in bytes of the place at the beginning of a key of `tasks` */
#define TASKS_KEY  (PLACE_SIZE + 32u)
#define JOINTS_KEY 41u
enum joint_kind { JOINT_PLACE = 0, JOINT_STEP, JOINT_CHILD };
/* Data of an entry in tasking.joints. In an entry of kind JOINT_STEP, the step follows this
 * struct, in the form of tl_task_pack(). */
struct joint {
    uint32_t pe, track;
    uint64_t number; /* number of the slice of the task */
    int64_t time, end;
};
enum record { RECORD_END = 0, RECORD_BEGIN, RECORD_DETAIL };

struct tasks_reading {
    struct tasking *work;
    struct ws_sorter records; /* sorts the records by task */
    double run_end;           /* virtual time of the end of the run */
    struct ws_task_row row;
    /* Members for the current task. */
    bool any;
    struct ws_moment_task task;
    uint8_t packed[TL_TASK_MAX]; /* its texts */
    char detail[WS_TASKS_TEXT + 1];
};

/* ---- Joints ---------------------------------------------------------------------------------- */

/* Writes the id of a task to a sort key. Returns the end of it. */
static uint8_t *task_key(uint8_t *at, struct ws_task_id id)
{
    at = ws_key_i64(at, id.lp);
    at = ws_key_u64(at, id.number);
    return ws_key_i64(at, id.from);
}

/* Adds an entry about the task with this id to w->joints. step: the step; NULL for other kinds. */
static bool joint_add(struct tasking *w, struct ws_task_id id, enum joint_kind kind,
                      const struct joint *data, const struct ws_moment_task *step)
{
    assert((step != NULL) == (kind == JOINT_STEP));
    uint8_t key[JOINTS_KEY], bytes[TL_TASK_MAX], *at = task_key(key, id);
    *at++ = (uint8_t)kind;
    at = ws_key_i64(at, data->time);
    ws_key_u64(at, w->n++);
    return ws_sorter_add(&w->joints, key, data, sizeof *data, bytes,
                         step == NULL ? 0 : tl_task_pack(bytes, step));
}

/* ---- Records of tasks ------------------------------------------------------------------------ */

static bool step_add(struct tasks_reading *r)
{
    struct joint data = {.pe = 0};
    struct ws_timeline *t = r->work->t;
    struct ws_moment_task step = {.id = r->row.id, .start = r->row.start, .what = r->row.what};
    if (!tl_ns(r->row.start, t->options.unit_s, &data.time)) {
        t->left_out++;
        return true;
    }
    return joint_add(r->work, r->row.id, JOINT_STEP, &data, &step);
}

static bool task_record_add(struct tasks_reading *r, uint32_t pe)
{
    assert(r->row.what_is != WS_TASK_OTHER);
    const struct ws_task_row *row = &r->row;
    bool is_step = row->what_is == WS_TASK_STEP;
    if (is_step && !row->detail) {
        return step_add(r);
    }
    struct ws_moment_task task = {.id = row->id,
                                  .parent = row->parent,
                                  .start = row->start,
                                  .end = row->vt,
                                  .pe = pe,
                                  .is_open = row->what_is == WS_TASK_BEGIN,
                                  .kind = row->kind,
                                  .what = row->what,
                                  .where = row->where};
    uint8_t key[RECORDS_KEY], bytes[TL_TASK_MAX], *at = task_key(key, row->id);
    *at++ = is_step ? RECORD_DETAIL : task.is_open ? RECORD_BEGIN : RECORD_END;
    at = ws_key_u64(at, ws_time_order(row->vt == 0 ? 0 : row->vt));
    ws_key_u64(at, row->order);
    return ws_sorter_add(&r->records, key, bytes, tl_task_pack(bytes, &task), NULL, 0);
}

static bool task_part_add(const struct ws_part *part, void *ctx)
{
    struct tasks_reading *r = ctx;
    for (uint32_t i = 0; ws_task_row_next(&r->row, part, &i, &r->work->t->left_out);) {
        if (!task_record_add(r, part->block->pe)) {
            return false;
        }
    }
    return ws_interrupt_waits() == 0;
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* Adds the current task, whose data are complete, to the sorter of tasks. Does nothing if there is
 * no current task, or if the user's selection excludes it. */
static bool task_add(struct tasks_reading *r)
{
    const struct ws_moment_task *task = &r->task;
    struct ws_timeline *t = r->work->t;
    const struct ws_select *s = t->select;
    int64_t start, end;
    bool in_time = task->end >= s->from && (!s->has_to || task->start < s->to);
    if (!r->any || (s->by_time && !in_time)) {
        return true;
    }
    if (!tl_ns(task->start, t->options.unit_s, &start) ||
        !tl_ns(task->end, t->options.unit_s, &end)) {
        t->left_out++;
        return true;
    }
    uint8_t key[TASKS_KEY], bytes[TL_TASK_MAX], *at = ws_key_u32(key, task->pe);
    at = ws_key_i64(at, task->id.lp);
    size_t length = strnlen(task->where, WHERE_BYTES);
    memset(at, 0, WHERE_BYTES);
    memcpy(at, task->where, length);
    at = ws_key_u64(at + WHERE_BYTES, ws_hash(task->where, strlen(task->where)));
    at = ws_key_i64(at, start);
    at = ws_key_i64(at, -end); /* so that an enclosing task comes before those in it */
    at = ws_key_u64(at, task->id.number);
    ws_key_i64(at, task->id.from);
    return ws_sorter_add(&r->work->tasks, key, bytes, tl_task_pack(bytes, task), NULL, 0);
}

static void task_begin(struct tasks_reading *r, const struct ws_moment_task *task)
{
    assert(!r->any);
    tl_task_pack(r->packed, task);
    tl_task_unpack(&r->task, r->packed);
    r->any = true;
    r->task.detail = r->detail;
    r->detail[0] = '\0';
    if (task->is_open) {
        r->task.end = r->run_end > task->start ? r->run_end : task->start;
    }
}

static bool records_join(struct tasks_reading *r)
{
    uint8_t id[24] = {0};
    const uint8_t *key, *data;
    uint64_t n = 0;
    bool good = ws_sorter_ready(&r->records);
    while (good && (data = ws_sorter_next(&r->records, &key)) != NULL) {
        struct ws_moment_task task;
        tl_task_unpack(&task, data);
        if (memcmp(id, key, sizeof id) != 0) {
            good = task_add(r);
            r->any = false;
        }
        memcpy(id, key, sizeof id);
        if (key[sizeof id] == RECORD_DETAIL && r->any) {
            ws_words_add(r->detail, sizeof r->detail, "%s", task.what);
        } else if (key[sizeof id] != RECORD_DETAIL && !r->any) {
            task_begin(r, &task);
        }
        good = good && ws_out_goes_on(++n);
    }
    return good && !r->records.failed && task_add(r);
}

/* Reads the records of tasks on the selected PEs and LPs, and of the selected types, from the whole
 * run. Adds the tasks to w->tasks, and their steps to w->joints. */
static bool tasks_read(struct tasking *w)
{
    struct ws_timeline *t = w->t;
    struct ws_select select;
    struct tasks_reading *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return ws_no_memory(&t->work->failed);
    }
    r->work = w;
    r->run_end = ws_tasks_run_end(t->task);
    ws_sorter_init(&r->records, RECORDS_KEY, TL_TASK_MAX, MEMORY);
    ws_select_file(t->select, t->task->sb, &t->task->descs);
    select = *t->select;
    select.by_time = select.has_to = false;
    bool good = ws_scan(t->task, &select, NULL, task_part_add, r) && records_join(r);
    ws_sorter_free(&r->records);
    free(r);
    return good;
}

/* ---- Tracks and slices --------------------------------------------------------------------------- */

struct laying {
    struct tasking *work;
    struct ws_lanes lanes;
    uint8_t place[PLACE_SIZE]; /* the current place: PE, LP and name */
    bool any;                  /* true if there is a current place */
    uint32_t pe, first_track;  /* PE and first track of the current place */
    uint64_t next_slice;       /* number of the next slice of the current PE */
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
    struct joint joint;
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
           joint_add(l->work, task->id, JOINT_PLACE, &joint, NULL) &&
           (inside || task->parent.lp == -1 ||
            joint_add(l->work, task->parent, JOINT_CHILD, &joint, NULL));
}

/* For each task in w->tasks, adds a slice to work->moments, and the place of the slice to
 * w->joints. */
static bool places_layout(struct tasking *w)
{
    struct laying l = {.work = w};
    const uint8_t *key, *data;
    uint64_t n = 0;
    bool good = ws_sorter_ready(&w->tasks);
    while (good && (data = ws_sorter_next(&w->tasks, &key)) != NULL) {
        struct ws_moment_task task;
        tl_task_unpack(&task, data);
        place_turn(&l, key, task.pe);
        good = task_lay(&l, &task) && ws_out_goes_on(++n);
    }
    ws_lanes_free(&l.lanes);
    return good && !w->tasks.failed;
}

/* ---- Steps and flows ------------------------------------------------------------------------- */

/* A task, and the latest of its children so far. */
struct family {
    uint8_t id[24];
    bool has_task, has_child;
    struct joint task, child;
    uint32_t n_steps;
};

static struct ws_moment moment_of(const struct joint *at)
{
    return (struct ws_moment){
        .time = at->time, .id = at->number, .pe = at->pe, .kp = at->track, .flags = WS_MOMENT_TASK};
}

static bool step_lay(struct ws_timeline *t, struct family *f, const struct joint *at,
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

static bool child_add(struct ws_timeline *t, struct family *f, const struct joint *child)
{
    bool follows = f->has_child && f->child.end <= child->time;
    const struct joint *from = follows ? &f->child : f->has_task ? &f->task : NULL;
    bool good = true;
    if (from != NULL && from->time <= child->time) {
        struct ws_moment sender = moment_of(from), receiver = moment_of(child);
        good = tl_flow_add(t, &sender, &receiver);
    }
    f->child = *child;
    f->has_child = true;
    return good;
}

/* Adds the steps and flows in w->joints to work->moments. */
static bool joints_read(struct tasking *w)
{
    struct family f = {.has_task = false};
    const uint8_t *key, *data;
    uint64_t n = 0;
    bool good = ws_sorter_ready(&w->joints);
    while (good && (data = ws_sorter_next(&w->joints, &key)) != NULL) {
        struct joint joint;
        memcpy(&joint, data, sizeof joint);
        if (memcmp(f.id, key, sizeof f.id) != 0) {
            f = (struct family){.has_task = false};
            memcpy(f.id, key, sizeof f.id);
        }
        enum joint_kind kind = key[sizeof f.id];
        if (kind == JOINT_PLACE) {
            f.task = joint;
            f.has_task = true;
        } else if (kind == JOINT_STEP) {
            good = step_lay(w->t, &f, &joint, data + sizeof joint);
        } else {
            good = child_add(w->t, &f, &joint);
        }
        good = good && ws_out_goes_on(++n);
    }
    return good && !w->joints.failed;
}

/* ---- All steps ---------------------------------------------------------------------------------- */

bool tl_tasks_add(struct ws_timeline *t)
{
    struct tasking w = {.t = t};
    if (t->task == NULL) {
        return true;
    }
    if (!t->options.is_virtual) {
        ws_say(
            &ws_on_stderr,
            "%s: note: tasks have virtual times only and are left out: --clock=virtual shows them",
            t->task->path);
        return true;
    }
    ws_sorter_init(&w.tasks, TASKS_KEY, TL_TASK_MAX, MEMORY);
    ws_sorter_init(&w.joints, JOINTS_KEY, sizeof(struct joint) + TL_TASK_MAX, MEMORY);
    bool good = tasks_read(&w) && places_layout(&w) && joints_read(&w);
    ws_sorter_free(&w.tasks);
    ws_sorter_free(&w.joints);
    return good;
}
