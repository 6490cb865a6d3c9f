/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * life.c - prints the records of one task and its descendants, across ranks, in order of virtual
 * time.
 *
 * The family is the task with its descendants. It is collected in passes over the records of tasks
 * that begin, until a pass finds no new member. Most children begin after their parents, so that
 * two or three passes are usual. Then the records of the family are collected and sorted. Memory:
 * about 50 bytes per member of the family, and 100 bytes per line of the output.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "data/number.h"
#include "render/text.h"
#include "store/array.h"
#include "tasks/tasks.h"
#include "text/text_new.h"

struct member {
    struct ws_task_id id;
    uint32_t depth;
};

struct line {
    double time, vt;
    /* order: record number in the LP; sequence: index in the order of reading. */
    uint64_t order, sequence;
    uint32_t place; /* index of the line in the output */
    uint32_t member;
    enum ws_task_what what_is;
    bool detail;
    /* Owned; last part of the line: names of a new task, name of a step, or duration of an ended
     * task. */
    char *text;
};

struct life {
    struct ws_intern ids; /* of the members: the bytes of each; id i belongs to members[i] */
    struct member *members;
    size_t members_room;
    struct line *lines;
    uint32_t n_lines;
    size_t lines_room;
    bool no_memory, is_cut;
    struct ws_task_row row;
};

_Static_assert(sizeof(struct ws_task_id) == 24,
               "an id has no padding, whose bytes would be random");

static uint32_t member_find(struct life *l, struct ws_task_id id)
{
    return ws_intern_find(&l->ids, &id, sizeof id);
}

static bool member_add(struct life *l, struct ws_task_id id, uint32_t depth)
{
    uint32_t number = ws_intern_add(&l->ids, &id, sizeof id, WS_LIFE_TASKS);
    if (number == WS_NAMES_NONE) {
        l->is_cut = true;
        return false;
    }
    if (!array_reserve(&l->members, &l->members_room, number + 1u, sizeof *l->members)) {
        l->no_memory = true;
        return false;
    }
    l->members[number] = (struct member){id, depth};
    return true;
}

/* ---- Walks over the records ------------------------------------------------------------------ */

static bool row_next(struct life *l, const struct ws_part *part, uint32_t *at)
{
    uint64_t unreadable = 0; /* not said: the command shows one task */
    return ws_task_row_next(&l->row, part, at, &unreadable);
}

static bool family_take(const struct ws_part *part, void *ctx)
{
    struct life *l = ctx;
    if (ws_task_schema(part->columns->schema) != WS_TASK_BEGIN) {
        return true;
    }
    for (uint32_t i = 0; !l->no_memory && !l->is_cut && row_next(l, part, &i);) {
        uint32_t parent = l->row.parent.lp == -1 ? WS_NAMES_NONE : member_find(l, l->row.parent);
        if (parent != WS_NAMES_NONE && member_find(l, l->row.id) == WS_NAMES_NONE) {
            member_add(l, l->row.id, l->members[parent].depth + 1);
        }
    }
    return !l->no_memory && !l->is_cut;
}

static void line_add(struct life *l, uint32_t member)
{
    assert(member < l->ids.n);
    const struct ws_task_row *row = &l->row;
    if (l->n_lines == WS_LIFE_LINES) {
        l->is_cut = true;
        return;
    }
    if (!array_reserve(&l->lines, &l->lines_room, l->n_lines + 1u, sizeof *l->lines)) {
        l->no_memory = true;
        return;
    }
    struct line *line = &l->lines[l->n_lines];
    *line = (struct line){.time = row->what_is == WS_TASK_END ? row->vt : row->start,
                          .vt = row->vt,
                          .order = row->order,
                          .sequence = l->n_lines,
                          .member = member,
                          .what_is = row->what_is,
                          .detail = row->detail};
    line->text = row->what_is == WS_TASK_STEP ? strdup(row->what)
                 : row->what_is == WS_TASK_END
                     ? text_new("%.15g", row->vt - row->start)
                     : text_new("%s: %s, %s", row->kind, row->what, row->where);
    l->no_memory = line->text == NULL;
    l->n_lines += line->text != NULL;
}

static bool lines_take(const struct ws_part *part, void *ctx)
{
    struct life *l = ctx;
    for (uint32_t i = 0; !l->no_memory && !l->is_cut && row_next(l, part, &i);) {
        uint32_t member = member_find(l, l->row.id);
        if (member != WS_NAMES_NONE) {
            line_add(l, member);
        }
    }
    return !l->no_memory && !l->is_cut;
}

/* ---- Output of a life ------------------------------------------------------------------------ */

/* Compares numbers; NaN comes last. */
static int number_compare(double a, double b)
{
    int order = WS_ORDER(isnan(a) != 0, isnan(b) != 0);
    return order != 0 ? order : WS_ORDER(a, b);
}

/* Compares lines by time, then by the virtual time of their records. Returns 0 for ties. */
static int times_compare(const struct line *x, const struct line *y)
{
    int order = number_compare(x->time, y->time);
    return order != 0 ? order : number_compare(x->vt, y->vt);
}

/* Compares lines by times_compare(); then by record number, kind, member and order of reading. */
static int by_time(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int order = times_compare(x, y);
    order = order != 0 ? order : WS_ORDER(x->order, y->order);
    order = order != 0 ? order : WS_ORDER(x->what_is, y->what_is);
    order = order != 0 ? order : WS_ORDER(x->member, y->member);
    return order != 0 ? order : WS_ORDER(x->sequence, y->sequence);
}

/* Compares lines by times_compare(); then by member; then by `place`. */
static int by_member(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int order = times_compare(x, y);
    order = order != 0 ? order : WS_ORDER(x->member, y->member);
    return order != 0 ? order : WS_ORDER(x->place, y->place);
}

/* Sorts the lines by by_time(). Then exchanges the lines of each task that have the same time, so
 * that they come in the order begin, step, end, even if their record numbers say otherwise. A
 * comparison cannot do both: it would not be transitive. Returns false if out of memory. */
static bool lines_sort(struct life *l)
{
    assert(l->n_lines > 0);
    struct line *lines = l->lines, *sorted = malloc(l->n_lines * sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    qsort(lines, l->n_lines, sizeof *lines, by_time);
    for (uint32_t i = 0; i < l->n_lines; i++) {
        lines[i].place = i;
    }
    qsort(lines, l->n_lines, sizeof *lines, by_member);
    for (uint32_t first = 0, end; first < l->n_lines; first = end) {
        uint32_t next = first; /* the places of these lines ascend: the next one to be filled */
        for (end = first + 1; end < l->n_lines && lines[end].member == lines[first].member &&
                              times_compare(&lines[end], &lines[first]) == 0;) {
            end++;
        }
        for (enum ws_task_what what = WS_TASK_BEGIN; what <= WS_TASK_END; what++) {
            for (uint32_t i = first; i < end; i++) {
                if (lines[i].what_is == what) {
                    sorted[lines[next++].place] = lines[i];
                }
            }
        }
        assert(next == end);
    }
    l->lines = sorted;
    free(lines);
    return true;
}

static void line_print(FILE *out, const struct life *l, const struct line *line)
{
    assert(line->member < l->ids.n && line->what_is <= WS_TASK_END);
    static const char *const words[] = {"", "begins", "step", "ends after"};
    char id[WS_TASK_ID_MAX], number[DECIMAL_MAX];
    const struct member *m = &l->members[line->member];
    uint32_t indent = m->depth < 20 ? 2 * m->depth : 40;
    decimal_f64(number, line->time);
    fprintf(out, "  %16s  %*s%s %s ", number, (int)indent, "", ws_task_id_text(id, m->id),
            line->detail ? "detail" : words[line->what_is]);
    utf8_plain_print(out, line->text);
    fputc('\n', out);
}

static void life_free(struct life *l)
{
    for (uint32_t i = 0; i < l->n_lines; i++) {
        free(l->lines[i].text);
    }
    ws_intern_free(&l->ids);
    free(l->members);
    free(l->lines);
    free(l);
}

bool ws_life_print(FILE *out, struct ws_file *file, const struct ws_select *select,
                   struct ws_task_id id)
{
    struct ws_select all = {.sb = NULL};
    char text[WS_TASK_ID_MAX];
    struct life *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return ws_no_memory(NULL);
    }
    ws_select_file(&all, file->sb, &file->descs);
    member_add(l, id, 0);
    for (uint32_t n = 0; n < l->ids.n && !l->no_memory && !l->is_cut;) {
        n = l->ids.n;
        ws_scan(file, &all, NULL, family_take, l);
    }
    ws_scan(file, select, NULL, lines_take, l);
    l->no_memory |= l->n_lines > 0 && !lines_sort(l);
    for (uint32_t i = 0; i < l->n_lines && !l->no_memory; i++) {
        line_print(out, l, &l->lines[i]);
    }
    bool good = l->n_lines > 0 && !l->no_memory && !l->is_cut;
    if (l->no_memory) {
        ws_no_memory(NULL);
    } else if (l->is_cut) {
        ws_say(&ws_on_stderr, "more than %u tasks or %u lines: the rest is left out", WS_LIFE_TASKS,
               WS_LIFE_LINES);
    } else if (l->n_lines == 0) {
        ws_say(&ws_on_stderr, "--life=%s: %s has no such task", ws_task_id_text(text, id),
               file->path);
    }
    life_free(l);
    return good;
}
