/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task_cut.c - open tasks and results of tracers as bytes that travel with their LP, see context.h.
 *
 * The bytes of an LP: `unwatched` (see struct task_context), the number of its open tasks, the
 * tasks in the order of their ids, the number of tracers, and the tracers. A tracer is identified
 * by its specification, by whether the model or the command line has created it, and by its position
 * among those with the same specification. It has its domains of this LP, in the order of
 * their creation, with their open tasks. An LP without tasks and domains has no tracers, but the
 * first LP of a rank has them always, because it carries the counts of the rank.
 *
 * Restored tasks are not announced to the sinks, except that a tracer that the bytes do not name
 * takes the open tasks over, as if they began now.
 *
 * Cost: a search in the sorted open tasks, and in the domains of each tracer, for each LP.
 */
#include "task/context.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/search.h"

/* An open task that the functions of st_task.h know, that the book knows, or both. */
struct open_task {
    st_task_id id;
    tw_lpid lp;
    const struct task *task; /* the task in the book; NULL: the book does not have it */
    bool is_open;            /* true if context->open has it */
};

struct cut_tracer {
    const struct st_tracer *tracer;
    struct tracer_domain **domains; /* owned; sorted by LP */
};

struct task_cut {
    struct open_task *tasks; /* owned; sorted by LP and id */
    size_t n_tasks;
    struct cut_tracer *tracers; /* owned; in the order in which they were attached */
    size_t n_tracers;
};

/* ---- Tracers --------------------------------------------------------------------------------- */

bool task_cut_is_requested(const struct task_context *context, const struct st_tracer *tracer)
{
    for (size_t i = 0; i < context->n_tracers; i++) {
        if (context->tracers[i] == tracer) {
            return true;
        }
    }
    return false;
}

static bool is_alike(const struct task_context *context, const struct st_tracer *a,
                     const struct st_tracer *b)
{
    return strcmp(a->spec.text, b->spec.text) == 0 &&
           task_cut_is_requested(context, a) == task_cut_is_requested(context, b);
}

uint32_t task_cut_ordinal(const struct task_context *context, const struct st_tracer *tracer)
{
    uint32_t n = 0;
    for (const struct st_tracer *t = tracer->next; t != NULL; t = t->next) {
        n += is_alike(context, t, tracer);
    }
    return n;
}

/* ---- Preparation ----------------------------------------------------------------------------- */

static int compare_tasks(const void *a, const void *b)
{
    const struct open_task *x = a, *y = b;
    return x->lp != y->lp ? (x->lp > y->lp) - (x->lp < y->lp) : task_id_compare(x->id, y->id);
}

static bool sort_tasks(const struct task_context *context, struct task_cut *cut)
{
    cut->tasks = malloc((context->open.n + context->book.open.n + 1) * sizeof(*cut->tasks));
    if (cut->tasks == NULL) {
        return false;
    }
    for (size_t i = 0; i < context->open.n; i++) {
        const st_task_id id = context->open.entries[i].key;
        cut->tasks[cut->n_tasks++] = (struct open_task){
            .id = id, .lp = id.lp - 1, .task = task_book_find(&context->book, id), .is_open = true};
    }
    /* A model can emit records of tasks itself; only the book has these tasks. */
    for (size_t i = 0; i < context->book.open.n; i++) {
        const struct task *task = context->book.open.entries[i].value;
        if (id_map_find(&context->open, task->id) == NULL) {
            cut->tasks[cut->n_tasks++] =
                (struct open_task){.id = task->id, .lp = task->lp, .task = task};
        }
    }
    qsort(cut->tasks, cut->n_tasks, sizeof(*cut->tasks), compare_tasks);
    return true;
}

static bool sort_tracers(const struct task_context *context, struct task_cut *cut)
{
    for (const struct st_tracer *t = context->attached; t != NULL; t = t->next) {
        cut->n_tracers++;
    }
    cut->tracers = calloc(cut->n_tracers + 1, sizeof(*cut->tracers));
    if (cut->tracers == NULL) {
        return false;
    }
    size_t i = cut->n_tracers;
    for (const struct st_tracer *t = context->attached; t != NULL; t = t->next) {
        struct cut_tracer *of = &cut->tracers[--i];
        *of = (struct cut_tracer){.tracer = t, .domains = tracer_sorted(t)};
        if (of->domains == NULL) {
            return false;
        }
    }
    return true;
}

bool task_cut_begin(struct task_context *context)
{
    assert(context->cut == NULL);
    if (g_st_listened[context->stream] == 0) {
        return true;
    }
    context->cut = calloc(1, sizeof(*context->cut));
    return context->cut != NULL && sort_tasks(context, context->cut) &&
           sort_tracers(context, context->cut);
}

void task_cut_end(struct task_context *context)
{
    struct task_cut *cut = context->cut;
    for (size_t i = 0; cut != NULL && cut->tracers != NULL && i < cut->n_tracers; i++) {
        free(cut->tracers[i].domains);
    }
    if (cut != NULL) {
        free(cut->tracers);
        free(cut->tasks);
        free(cut);
    }
    context->cut = NULL;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Returns the index of the first task of an LP in cut->tasks. */
static size_t first_task(const struct task_cut *cut, tw_lpid lp)
{
    size_t i;
    BINARY_SEARCH(i, 0, cut->n_tasks, cut->tasks[i].lp < lp);
    return i;
}

static size_t first_domain(const struct cut_tracer *of, tw_lpid lp)
{
    size_t i;
    BINARY_SEARCH(i, 0, of->tracer->n_domains, of->domains[i]->lp < lp);
    return i;
}

static bool has_domain(const struct cut_tracer *of, size_t i, tw_lpid lp)
{
    return i < of->tracer->n_domains && of->domains[i]->lp == lp;
}

static void write_id(struct fmt_out *out, st_task_id id)
{
    fmt_out_u64(out, id.lp);
    fmt_out_u64(out, id.number);
    fmt_out_u64(out, id.from);
}

static void write_task(struct fmt_out *out, const struct open_task *open)
{
    write_id(out, open->id);
    fmt_out_u8(out,
               (uint8_t)((open->is_open ? TASK_CUT_OPEN : 0) | (open->task ? TASK_CUT_BOOK : 0)));
    if (open->task != NULL) {
        write_id(out, open->task->parent);
        fmt_out_f64(out, open->task->start);
        fmt_out_u64(out, open->task->order);
        fmt_out_u64(out, open->task->n_steps);
        fmt_out_string(out, open->task->kind);
        fmt_out_string(out, open->task->what);
        fmt_out_string(out, open->task->where);
    }
}

static void write_steps(struct fmt_out *out, const struct tracer_domain *domain)
{
    fmt_out_u32(out, (uint32_t)domain->n_steps);
    for (size_t i = 0; i < domain->n_steps; i++) {
        const struct tracer_step *step = &domain->steps[i];
        fmt_out_string(out, st_string_text(step->what));
        fmt_out_u64(out, step->occurrences);
        fmt_out_u64(out, step->tasks);
        fmt_out_f64(out, step->ts);
        fmt_out_u64(out, step->number);
    }
}

/* Writes the open tasks of a domain. tasks: the n open tasks of its LP. */
static void write_traced(struct fmt_out *out, const struct st_tracer *tracer,
                         const struct tracer_domain *domain, const struct open_task *tasks,
                         size_t n)
{
    uint64_t left = domain->begun - domain->ended;
    fmt_out_u64(out, left);
    for (size_t i = 0; left > 0 && i < n; i++) {
        const struct tracer_task *traced = id_map_get(&tracer->open, tasks[i].id);
        if (traced != NULL && traced->domain == domain) {
            left--;
            write_id(out, tasks[i].id);
            fmt_out_u32(out, (uint32_t)traced->n_had);
            for (size_t had = 0; had < traced->n_had; had++) {
                fmt_out_string(out, st_string_text(traced->had[had]));
            }
        }
    }
    assert(left == 0);
}

static void write_domain(struct fmt_out *out, const struct st_tracer *tracer,
                         const struct tracer_domain *domain, const struct open_task *tasks,
                         size_t n)
{
    fmt_out_string(out, st_string_text(domain->where));
    fmt_out_u64(out, domain->ended);
    fmt_out_f64(out, domain->total);
    fmt_out_f64(out, domain->least);
    fmt_out_f64(out, domain->most);
    fmt_out_u32(out, (uint32_t)domain->busy.n);
    for (size_t i = 0; i < domain->busy.n; i++) {
        fmt_out_f64(out, domain->busy.intervals[i].start);
        fmt_out_f64(out, domain->busy.intervals[i].end);
    }
    write_steps(out, domain);
    write_traced(out, tracer, domain, tasks, n);
}

void task_cut_write(const struct task_context *context, const tw_lp *lp, struct fmt_out *out)
{
    const struct task_cut *cut = context->cut;
    if (cut == NULL) {
        return;
    }
    const size_t first = first_task(cut, lp->gid);
    size_t n = 0;
    while (first + n < cut->n_tasks && cut->tasks[first + n].lp == lp->gid) {
        n++;
    }
    fmt_out_u64(out, context->unwatched != NULL ? context->unwatched[lp->id] : 0);
    fmt_out_u32(out, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        write_task(out, &cut->tasks[first + i]);
    }
    bool has_any = n > 0 || lp->id == 0;
    for (size_t i = 0; i < cut->n_tracers; i++) {
        const struct cut_tracer *of = &cut->tracers[i];
        has_any = has_any || has_domain(of, first_domain(of, lp->gid), lp->gid);
    }
    fmt_out_u32(out, has_any ? (uint32_t)cut->n_tracers : 0);
    for (size_t i = 0; has_any && i < cut->n_tracers; i++) {
        const struct cut_tracer *of = &cut->tracers[i];
        const size_t domain = first_domain(of, lp->gid);
        uint32_t n_domains = 0;
        while (has_domain(of, domain + n_domains, lp->gid)) {
            n_domains++;
        }
        fmt_out_string(out, of->tracer->spec.text);
        fmt_out_u8(out, task_cut_is_requested(context, of->tracer));
        fmt_out_u32(out, task_cut_ordinal(context, of->tracer));
        fmt_out_u64(out, lp->id == 0 ? of->tracer->seen : 0);
        fmt_out_string(out, lp->id == 0 ? of->tracer->others : "");
        fmt_out_u8(out, lp->id == 0 && of->tracer->has_failed);
        fmt_out_u32(out, n_domains);
        for (uint32_t d = 0; d < n_domains; d++) {
            write_domain(out, of->tracer, of->domains[domain + d], &cut->tasks[first], n);
        }
    }
}
