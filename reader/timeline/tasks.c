/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.c - collects the data of each task; see private.h.
 *
 * The record of a task's end has all data of the task except the details that the model added. For
 * a task that has not ended, the record of its beginning is used instead. All records of tasks are
 * therefore sorted by task, ends first. The user's selection applies to the LP, the PE and the time
 * span of a task, not to the times of its records.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/record_scan.h"
#include "cli/interrupt.h"
#include "timeline/private.h"

#define MEMORY      (SORTER_MEMORY / 2)
#define RECORDS_KEY 41u
/* Number of leading bytes of a place's name that order the places of an LP. */
#define WHERE_BYTES 24u

enum record { RECORD_END = 0, RECORD_BEGIN, RECORD_DETAIL };

struct reading {
    struct tl_tasking *work;
    struct ws_sorter records; /* sorts the records by task */
    const struct fmt_desc_set *descs;
    double run_end; /* virtual time of the end of the run */
    struct ws_task_row row;
    /* Members for the current task. */
    bool any;
    uint32_t pe;
    struct ws_moment_task task;
    uint8_t packed[TL_TASK_MAX]; /* its texts */
    char detail[WS_TASKS_TEXT + 1];
};

/* ---- Records of tasks ------------------------------------------------------------------------ */

static bool step_add(struct reading *r)
{
    struct tl_joint_data data = {.pe = 0};
    struct ws_timeline *t = r->work->t;
    struct ws_moment_task step = {.id = r->row.id, .start = r->row.start, .what = r->row.what};
    if (!tl_ns(r->row.start, t->options.unit_s, &data.time)) {
        t->left_out++;
        return true;
    }
    return tl_joint_add(r->work, r->row.id, TL_JOINT_STEP, &data, &step);
}

static bool record_add(struct reading *r, uint32_t pe)
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
                                  .is_open = row->what_is == WS_TASK_BEGIN,
                                  .kind = row->kind,
                                  .what = row->what,
                                  .where = row->where};
    uint8_t key[RECORDS_KEY], bytes[sizeof pe + TL_TASK_MAX], *at = tl_task_key(key, row->id);
    *at++ = is_step ? RECORD_DETAIL : task.is_open ? RECORD_BEGIN : RECORD_END;
    at = ws_key_u64(at, ws_time_order(row->vt == 0 ? 0 : row->vt));
    ws_key_u64(at, row->order);
    memcpy(bytes, &pe, sizeof pe);
    return ws_sorter_add(&r->records, key, bytes,
                         sizeof pe + tl_task_pack(bytes + sizeof pe, &task));
}

static bool part_add(struct ws_file *file, const struct ws_part *part, void *ctx)
{
    struct reading *r = ctx;
    (void)file;
    for (uint32_t i = 0; ws_task_row_next(&r->row, part, &i, r->descs, &r->work->t->left_out);) {
        if (!record_add(r, part->block->pe)) {
            return false;
        }
    }
    return ws_interrupt_waits() == 0;
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static uint64_t text_hash(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++) {
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3u;
    }
    return hash;
}

static bool is_wanted(const struct ws_select *s, const struct ws_moment_task *task)
{
    return !s->by_time || (task->end >= s->from && (!s->has_to || task->start < s->to));
}

/* Adds the current task, whose data are complete, to the sorter of tasks. Does nothing if there is
 * no current task, or if the user's selection excludes it. */
static bool task_add(struct reading *r)
{
    const struct ws_moment_task *task = &r->task;
    struct ws_timeline *t = r->work->t;
    int64_t start, end;
    if (!r->any || !is_wanted(t->select, task)) {
        return true;
    }
    if (!tl_ns(task->start, t->options.unit_s, &start) ||
        !tl_ns(task->end, t->options.unit_s, &end)) {
        t->left_out++;
        return true;
    }
    uint8_t key[TL_TASKS_KEY], bytes[sizeof r->pe + TL_TASK_MAX], *at = ws_key_u32(key, r->pe);
    at = ws_key_i64(at, task->id.lp);
    size_t length = strnlen(task->where, WHERE_BYTES);
    memset(at, 0, WHERE_BYTES);
    memcpy(at, task->where, length);
    at = ws_key_u64(at + WHERE_BYTES, text_hash(task->where));
    at = ws_key_i64(at, start);
    at = ws_key_i64(at, -end); /* so that an enclosing task comes before those in it */
    at = ws_key_u64(at, task->id.number);
    ws_key_i64(at, task->id.from);
    memcpy(bytes, &r->pe, sizeof r->pe);
    return ws_sorter_add(&r->work->tasks, key, bytes,
                         sizeof r->pe + tl_task_pack(bytes + sizeof r->pe, task));
}

static void task_begin(struct reading *r, const struct ws_moment_task *task)
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

static void detail_add(struct reading *r, const char *text)
{
    size_t length = strlen(r->detail);
    snprintf(r->detail + length, sizeof r->detail - length, "%s%s", length > 0 ? "; " : "", text);
}

static bool records_join(struct reading *r)
{
    uint8_t id[24] = {0};
    const uint8_t *key;
    const uint8_t *data;
    unsigned n = 0;
    bool good = ws_sorter_ready(&r->records);
    while (good && (data = ws_sorter_next(&r->records, &key)) != NULL) {
        struct ws_moment_task task;
        if (++n % 1024 == 0 && ws_interrupt_waits() != 0) {
            return false;
        }
        tl_task_unpack(&task, data + sizeof r->pe);
        if (memcmp(id, key, sizeof id) != 0) {
            good = task_add(r);
            r->any = false;
        }
        memcpy(id, key, sizeof id);
        if (key[sizeof id] == RECORD_DETAIL && r->any) {
            detail_add(r, task.what);
        } else if (key[sizeof id] != RECORD_DETAIL && !r->any) {
            memcpy(&r->pe, data, sizeof r->pe);
            task_begin(r, &task);
        }
    }
    return good && !r->records.failed && task_add(r);
}

/* Reads the records of tasks on the selected PEs and LPs, and of the selected types, from the whole
 * run. Adds the tasks to w->tasks, and their steps to w->joints. */
static bool tasks_read(struct tl_tasking *w)
{
    struct ws_timeline *t = w->t;
    struct ws_select select;
    struct reading *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return ws_no_memory(&t->work->failed);
    }
    r->work = w;
    r->descs = &t->task->descs;
    r->run_end = ws_tasks_run_end(t->task);
    ws_sorter_init(&r->records, RECORDS_KEY, sizeof r->pe + TL_TASK_MAX, MEMORY);
    ws_select_file(t->select, t->task->sb, &t->task->descs);
    select = *t->select;
    select.by_time = select.has_to = false;
    bool good = ws_scan(t->task, &select, NULL, part_add, r) && records_join(r);
    ws_sorter_free(&r->records);
    free(r);
    return good;
}

bool tl_tasks_add(struct ws_timeline *t)
{
    struct tl_tasking w = {.t = t};
    if (t->task == NULL) {
        return true;
    }
    if (!t->options.is_virtual) {
        fprintf(stderr,
                "warpscope: %s: note: tasks have virtual times only and are left out:"
                " --clock=virtual shows them\n",
                t->task->path);
        return true;
    }
    ws_sorter_init(&w.tasks, TL_TASKS_KEY, sizeof(uint32_t) + TL_TASK_MAX, MEMORY);
    ws_sorter_init(&w.joints, TL_JOINTS_KEY, TL_JOINT_MAX, MEMORY);
    bool good = tasks_read(&w) && tl_places_layout(&w) && tl_joints_read(&w);
    ws_sorter_free(&w.tasks);
    ws_sorter_free(&w.joints);
    return good;
}
