/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_pack.c - packs records of tasks into bytes. All bytes are defined, so that logs can be
 * compared.
 */
#include "task/task_pack.h"

#include <assert.h>
#include <string.h>

#include "text/utf8.h"

/* Returns the length in bytes to which text must be cut: at most max, without splitting a UTF-8
 * character. */
static size_t cut_length(const char *text, size_t max)
{
    size_t length = strnlen(text, max + 1);
    if (length <= max) {
        return length;
    }
    length = max;
    while (length > 0 && utf8_is_inside(text[length])) {
        length--;
    }
    return length > 0 ? length : max;
}

/* Appends a string, cut to max bytes, to the packed data. Returns its offset from the start of
 * these data. */
static uint32_t add_text(struct task_pack *pack, const char *text, size_t max)
{
    size_t length = cut_length(text, max);
    size_t at = pack->size;
    assert(at + length + 1 <= sizeof(pack->data));
    memcpy(pack->data + at, text, length);
    pack->data[at + length] = '\0';
    pack->size = at + length + 1;
    return (uint32_t)at;
}

static void fill_up(struct task_pack *pack)
{
    assert(pack->size <= sizeof(pack->data));
    while (pack->size % 8 != 0) {
        pack->data[pack->size++] = '\0';
    }
}

void task_pack_id(struct task_pack *pack, st_task_id id, const char *text, size_t max)
{
    st_task_packed_id head = {id};
    memcpy(pack->data, &head, sizeof(head));
    pack->size = sizeof(head);
    if (text != NULL) {
        add_text(pack, text, max);
        fill_up(pack);
    }
}

void task_pack_task(struct task_pack *pack, const st_task_record *task, const st_step *steps,
                    size_t n_steps)
{
    assert(n_steps <= ST_TASK_STEPS_MAX);
    st_task_packed head = {
        .id = task->id, .parent = task->parent, .start = task->start, .n_steps = (uint32_t)n_steps};
    pack->size = sizeof(head) + n_steps * sizeof(st_step_packed);
    head.kind = add_text(pack, task->kind, ST_TASK_TEXT_MAX);
    head.what = add_text(pack, task->what, ST_TASK_TEXT_MAX);
    head.where = add_text(pack, task->where, ST_TASK_TEXT_MAX);
    memcpy(pack->data, &head, sizeof(head));
    for (size_t i = 0; i < n_steps; i++) {
        st_step_packed step = {.ts = steps[i].ts,
                               .what = add_text(pack, steps[i].what, ST_STEP_TEXT_MAX)};
        memcpy(pack->data + sizeof(head) + i * sizeof(step), &step, sizeof(step));
    }
    fill_up(pack);
}
