/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_read.c - functions of st_tracer.h with which a model reads the results of a tracer.
 */
#include <stdlib.h>

#include "task/tracer.h"

static void read_steps(const struct tracer_domain *domain, st_tracer_row *row,
                       void (*fn)(const st_tracer_row *row, void *arg), void *arg)
{
    for (size_t i = 0; i < domain->n_steps; i++) {
        row->step = st_string_text(domain->steps[i].what);
        row->occurrences = domain->steps[i].occurrences;
        row->tasks = domain->steps[i].tasks;
        fn(row, arg);
    }
}

void st_tracer_read(const st_tracer *tracer, tw_stime now,
                    void (*fn)(const st_tracer_row *row, void *arg), void *arg)
{
    struct tracer_domain **sorted = tracer_sorted(tracer);
    tracer_find_open(tracer);
    for (size_t i = 0; sorted != NULL && i < tracer->n_domains; i++) {
        const struct tracer_domain *domain = sorted[i];
        st_tracer_row row = {.lp = domain->lp,
                             .where = st_string_text(domain->where),
                             .begun = domain->begun,
                             .ended = domain->ended,
                             .open = domain->begun - domain->ended,
                             .busy = tracer_busy(tracer, domain, now),
                             .total = domain->total,
                             .average = tracer_average(domain),
                             .least = domain->least,
                             .most = domain->most};
        if (tracer->spec.kind == TRACER_STEPS) {
            read_steps(domain, &row, fn, arg);
        } else {
            fn(&row, arg);
        }
    }
    free(sorted);
}

size_t st_tracer_backtrace(const st_tracer *tracer, st_task_id id, st_task_record *tasks,
                           size_t max)
{
    size_t n = 0;
    while (tracer->book != NULL && n < max && id_map_find(&tracer->open, id) != NULL) {
        const struct task *task = task_book_find(tracer->book, id);
        if (task == NULL) {
            break;
        }
        tasks[n++] = task_view(task);
        id = task->parent;
    }
    return n;
}
