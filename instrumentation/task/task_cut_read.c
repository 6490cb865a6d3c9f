/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_cut_read.c - restores open tasks and results of tracers, see task_cut.c. The bytes may come
 * from a damaged file, so each number is checked before it is used.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/probe.h"
#include "store/array.h"
#include "task/context.h"

/* Texts of a task, or the name of a step, while they are being read. */
struct text_room {
    uint8_t bytes[3 * (ST_TASK_TEXT_MAX + 1)];
};

/* The data of an LP that are being read. If `to` is NULL, they are only checked. */
struct reading {
    struct task_context *to;
    const tw_lp *lp;
    struct fmt_in *in;
};

static bool need_memory(bool fits)
{
    if (!fits) {
        tw_error(TW_LOC, "out of memory for the tasks of LPs that are restored");
    }
    return true;
}

static st_task_id read_id(struct fmt_in *in)
{
    st_task_id id;
    id.lp = fmt_in_u64(in);
    id.number = fmt_in_u64(in);
    id.from = fmt_in_u64(in);
    return id;
}

/* Reads a text of at most ST_TASK_TEXT_MAX bytes; returns NULL, and sets in->bad, if it is longer. */
static const char *read_text(struct fmt_in *in, struct fmt_arena *arena)
{
    const char *text = fmt_in_string(in, arena);
    in->bad |= arena->full || strlen(text) > ST_TASK_TEXT_MAX;
    return text;
}

/* Interns the name of a step that is read; returns 0 while data are only checked. */
static st_string_id read_name(const struct reading *r)
{
    struct text_room room;
    struct fmt_arena arena = {.data = room.bytes, .capacity = sizeof(room.bytes)};
    const char *text = read_text(r->in, &arena);
    st_string_id name = r->to != NULL && !r->in->bad ? st_string(text) : 0;
    need_memory(r->to == NULL || r->in->bad || name != 0);
    return name;
}

/* Reads a task. Adds it to context->open and to the book, if the bits say so and the book has
 * sinks. Returns the id of the task. */
static st_task_id read_task(const struct reading *r)
{
    struct fmt_in *in = r->in;
    struct text_room room;
    struct fmt_arena arena = {.data = room.bytes, .capacity = sizeof(room.bytes)};
    const st_task_id id = read_id(in);
    const uint8_t known = fmt_in_u8(in);
    st_task_record task = {.id = id};
    uint64_t order = 0, n_steps = 0;
    if ((known & TASK_CUT_BOOK) != 0) {
        task.parent = read_id(in);
        task.start = fmt_in_f64(in);
        order = fmt_in_u64(in);
        n_steps = fmt_in_u64(in);
        task.kind = read_text(in, &arena);
        task.what = read_text(in, &arena);
        task.where = read_text(in, &arena);
    }
    in->bad |= st_task_is_none(id) || !isfinite(task.start) || known == 0 ||
               known > (TASK_CUT_OPEN | TASK_CUT_BOOK) ||
               ((known & TASK_CUT_OPEN) != 0 && id.lp != r->lp->gid + 1);
    if (r->to == NULL || in->bad) {
        return id;
    }
    struct task_book *book = &r->to->book;
    if (id_map_find(&r->to->open, id) != NULL || task_book_find(book, id) != NULL) {
        in->bad = true;
        return id;
    }
    if ((known & TASK_CUT_OPEN) != 0) {
        need_memory(id_map_set(&r->to->open, id, r->to));
    }
    if ((known & TASK_CUT_BOOK) != 0 && book->n_sinks > 0) {
        need_memory(task_book_restore(book, r->lp->gid, &task, order, n_steps) != NULL);
    }
    return id;
}

static void read_busy(struct fmt_in *in, struct busy_time *busy)
{
    double last = -INFINITY;
    for (uint32_t n = fmt_in_u32(in); n > 0 && !in->bad; n--) {
        struct busy_interval interval = {fmt_in_f64(in), 0.0};
        interval.end = fmt_in_f64(in);
        in->bad |=
            !(interval.start > last && interval.end >= interval.start) || !isfinite(interval.end);
        last = interval.end;
        need_memory(
            array_reserve(&busy->intervals, &busy->room, busy->n + 1, sizeof(*busy->intervals)));
        busy->intervals[busy->n++] = interval;
    }
}

static void read_steps(const struct reading *r, struct tracer_domain *domain)
{
    struct fmt_in *in = r->in;
    for (uint32_t n = fmt_in_u32(in); n > 0 && !in->bad; n--) {
        struct tracer_step step = {.what = read_name(r)};
        step.occurrences = fmt_in_u64(in);
        step.tasks = fmt_in_u64(in);
        step.ts = fmt_in_f64(in);
        step.number = fmt_in_u64(in);
        need_memory(array_append(&domain->steps, domain->n_steps, sizeof(*domain->steps)));
        domain->steps[domain->n_steps++] = step;
    }
}

/* Reads the open tasks of a domain that a tracer traces. domain: NULL: they are only checked. */
static void read_traced(const struct reading *r, struct st_tracer *tracer,
                        struct tracer_domain *domain)
{
    struct fmt_in *in = r->in;
    for (uint64_t n = fmt_in_u64(in); n > 0 && !in->bad; n--) {
        const st_task_id id = read_id(in);
        struct tracer_task *traced = NULL;
        if (domain != NULL && !in->bad) {
            const struct task *task = task_book_find(&r->to->book, id);
            if (task == NULL || task->lp != domain->lp || id_map_find(&tracer->open, id) != NULL) {
                in->bad = true;
                return;
            }
            traced = tracer_task_restore(tracer, task, domain);
            need_memory(traced != NULL);
            domain->begun++;
        }
        for (uint32_t had = fmt_in_u32(in); had > 0 && !in->bad; had--) {
            st_string_id what = read_name(r);
            if (traced != NULL && !in->bad) {
                need_memory(array_append(&traced->had, traced->n_had, sizeof(*traced->had)));
                traced->had[traced->n_had++] = what;
            }
        }
    }
}

/* Reads a domain, and adds it to the tracer. tracer: NULL: the domain is only checked. */
static void read_domain(const struct reading *r, struct st_tracer *tracer)
{
    struct fmt_in *in = r->in;
    struct text_room room;
    struct fmt_arena arena = {.data = room.bytes, .capacity = sizeof(room.bytes)};
    const char *where = read_text(in, &arena);
    struct tracer_domain read = {.ended = fmt_in_u64(in)}, *domain = NULL;
    read.total = fmt_in_f64(in);
    read.least = fmt_in_f64(in);
    read.most = fmt_in_f64(in);
    in->bad |= !isfinite(read.total) || !isfinite(read.least) || !isfinite(read.most);
    read_busy(in, &read.busy);
    read_steps(r, &read);
    if (tracer != NULL && !in->bad) {
        st_string_id place = st_string(where);
        need_memory(place != 0);
        in->bad |= id_map_find(&tracer->places, (st_task_id){r->lp->gid + 1, place, 0}) != NULL;
        domain = in->bad ? NULL : tracer_domain_make(tracer, r->lp->gid, place);
        need_memory(in->bad || domain != NULL);
    }
    if (domain != NULL) {
        domain->begun = domain->ended = read.ended;
        domain->total = read.total;
        domain->least = read.least;
        domain->most = read.most;
        domain->busy = read.busy;
        domain->steps = read.steps;
        domain->n_steps = read.n_steps;
    } else {
        busy_time_fini(&read.busy);
        free(read.steps);
    }
    read_traced(r, tracer, domain);
}

/* Returns the attached tracer that the bytes name; NULL if there is none, or data are only
 * checked. */
static struct st_tracer *read_tracer_name(const struct reading *r)
{
    const size_t length = fmt_in_u16(r->in);
    const uint8_t *text = fmt_in_bytes(r->in, length);
    const bool requested = fmt_in_u8(r->in) != 0;
    const uint32_t ordinal = fmt_in_u32(r->in);
    struct st_tracer *t = r->to != NULL && !r->in->bad ? r->to->attached : NULL;
    while (t != NULL &&
           (strlen(t->spec.text) != length || memcmp(t->spec.text, text, length) != 0 ||
            task_cut_is_requested(r->to, t) != requested ||
            task_cut_ordinal(r->to, t) != ordinal)) {
        t = t->next;
    }
    return t;
}

static void read_tracer(const struct reading *r)
{
    struct fmt_in *in = r->in;
    struct st_tracer *tracer = read_tracer_name(r);
    const uint64_t seen = fmt_in_u64(in);
    struct text_room room;
    struct fmt_arena arena = {.data = room.bytes, .capacity = sizeof(room.bytes)};
    const char *others = read_text(in, &arena);
    const bool has_failed = fmt_in_u8(in) != 0;
    if (tracer != NULL && !in->bad) {
        in->bad |= tracer->restored_lp == r->lp->gid + 1;
        tracer->restored_lp = r->lp->gid + 1;
        tracer->is_continued = true;
        tracer->seen += seen;
        while (others[0] != '\0') {
            const size_t n = strcspn(others, ",");
            tracer_others_add(tracer->others, others, n);
            others += n + (others[n] == ',');
        }
        tracer->has_failed |= has_failed;
    }
    for (uint32_t n = fmt_in_u32(in); n > 0 && !in->bad; n--) {
        read_domain(r, tracer);
    }
}

/* Lets tracers that the bytes do not name trace the open tasks of the LP. ids: decoder of the n
 * tasks. */
static void adopt_tasks(const struct reading *r, struct fmt_in ids, uint32_t n)
{
    const struct reading again = {.to = NULL, .lp = r->lp, .in = &ids};
    for (; n > 0; n--) {
        const struct task *task = task_book_find(&r->to->book, read_task(&again));
        for (struct st_tracer *t = r->to->attached; t != NULL && task != NULL; t = t->next) {
            if (t->restored_lp != r->lp->gid + 1) {
                tracer_adopt(t, task);
            }
        }
    }
}

bool task_cut_read(struct task_context *context, const tw_lp *lp, struct fmt_in *in,
                   bool takes_over)
{
    /* Without subscribers, nothing would keep the tasks up to date. */
    struct task_context *to = takes_over && g_st_listened[context->stream] != 0 ? context : NULL;
    const struct reading r = {.to = to, .lp = lp, .in = in};
    const bool has_part = in->size > 0;
    const uint64_t unwatched = has_part ? fmt_in_u64(in) : probe_record_numbers(lp) + 1;
    if (to != NULL && unwatched > 0) {
        tasks_unwatched(to, lp, unwatched);
    }
    if (!has_part) {
        return true;
    }
    const uint32_t n_tasks = fmt_in_u32(in);
    const struct fmt_in tasks = *in;
    for (uint32_t n = n_tasks; n > 0 && !in->bad; n--) {
        read_task(&r);
    }
    for (uint32_t n = fmt_in_u32(in); n > 0 && !in->bad; n--) {
        read_tracer(&r);
    }
    if (to != NULL && !in->bad) {
        adopt_tasks(&r, tasks, n_tasks);
    }
    return !in->bad;
}
