/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer.c - measures the tasks of each domain, see st_tracer.h.
 *
 * Invariants
 *  A1  The results of a domain depend only on the tasks of its LP, in the order of the LP's
 *      committed records: floating-point sums are the same for any number of ranks.
 *  A2  `open` holds the traced open tasks; `begun` minus `ended` of a domain is the number of its
 *      tasks in `open`.
 *  A3  The tracer decides once, at the beginning of a task, whether to trace the task.
 * Cost per task: a lookup of its domain, matching the patterns and, unless it is a whole task, a
 * lookup at its beginning and one at its end. The string table of the bus keeps only names of
 * traced places; tracers of steps also add names of steps.
 */
#include "task/tracer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "task/context.h"

static void say_no_memory(struct st_tracer *tracer)
{
    if (!tracer->has_failed) {
        tw_warning(TW_LOC, "tracer %s: out of memory; its results are incomplete",
                   tracer->spec.text);
        tracer->has_failed = true;
        run_results_are_lost();
    }
}

/* ---- Domains --------------------------------------------------------------------------------- */

struct tracer_domain *tracer_domain_make(struct st_tracer *tracer, tw_lpid lp, st_string_id where)
{
    assert(where != 0);
    size_t n = tracer->n_domains;
    if (!array_append(&tracer->domains, n, sizeof(*tracer->domains))) {
        return NULL;
    }
    struct tracer_domain *domain = calloc(1, sizeof(*domain));
    st_task_id place = {lp + 1, where, 0};
    if (domain == NULL || !id_map_set(&tracer->places, place, domain)) {
        free(domain);
        return NULL;
    }
    domain->lp = lp;
    domain->where = where;
    domain->where_text = st_string_text(where);
    domain->order = n;
    tracer->domains[tracer->n_domains++] = domain;
    return domain;
}

static struct tracer_domain *find_domain(struct st_tracer *tracer, const struct task *task)
{
    st_string_id where = st_string(task->where);
    if (where == 0) {
        return NULL;
    }
    st_task_id place = {task->lp + 1, where, 0};
    struct tracer_domain *known = id_map_get(&tracer->places, place);
    return known != NULL ? known : tracer_domain_make(tracer, task->lp, where);
}

/* Returns the domain of a task; NULL if memory is exhausted. Searches a small cache first. The
 * tasks of an LP at different places mostly differ in their kind, so LP and kind determine the
 * position in the cache. */
static struct tracer_domain *domain_of(struct st_tracer *tracer, const struct task *task)
{
    size_t at = (task->lp * 4 + (unsigned char)task->kind[0] % 4) % TRACER_RECENT;
    struct tracer_domain *domain = tracer->recent[at];
    if (domain == NULL || domain->lp != task->lp || strcmp(domain->where_text, task->where) != 0) {
        domain = find_domain(tracer, task);
        tracer->recent[at] = domain;
    }
    return domain;
}

static int compare_domains(const void *a, const void *b)
{
    const struct tracer_domain *x = *(struct tracer_domain *const *)a;
    const struct tracer_domain *y = *(struct tracer_domain *const *)b;
    return x->lp != y->lp ? (x->lp > y->lp) - (x->lp < y->lp)
                          : (x->order > y->order) - (x->order < y->order);
}

struct tracer_domain **tracer_sorted(const struct st_tracer *tracer)
{
    struct tracer_domain **sorted = malloc((tracer->n_domains + 1) * sizeof(*sorted));
    if (sorted != NULL && tracer->n_domains > 0) {
        memcpy(sorted, tracer->domains, tracer->n_domains * sizeof(*sorted));
        qsort(sorted, tracer->n_domains, sizeof(*sorted), compare_domains);
    }
    return sorted;
}

void tracer_find_open(const struct st_tracer *tracer)
{
    for (size_t i = 0; i < tracer->n_domains; i++) {
        tracer->domains[i]->open_start = INFINITY;
    }
    for (size_t i = 0; i < tracer->open.n; i++) {
        const struct tracer_task *task = tracer->open.entries[i].value;
        if (task->start < task->domain->open_start) {
            task->domain->open_start = task->start;
        }
    }
}

double tracer_busy(const struct st_tracer *tracer, const struct tracer_domain *domain, tw_stime now)
{
    return tracer->spec.kind == TRACER_BUSY
               ? busy_time_length(&domain->busy, domain->open_start, now)
               : 0.0;
}

/* ---- Notifications of the task book ---------------------------------------------------------- */

static bool is_traced(const struct st_tracer *tracer, const struct task *task)
{
    if (!tracer_spec_fits(&tracer->spec, task)) {
        return false;
    }
    st_task_record view = task_view(task);
    return tracer->filter == NULL || tracer->filter(&view, tracer->filter_arg);
}

static void free_spare(struct st_tracer *tracer)
{
    while (tracer->spare != NULL) {
        struct tracer_task *task = tracer->spare;
        tracer->spare = task->next;
        free(task);
    }
}

/* Returns an entry for a task that begins; NULL if memory is exhausted. A whole task ends before
 * the next notification about another task, so it needs no entry in `open`. */
static struct tracer_task *begin_task(struct st_tracer *tracer, const struct task *task)
{
    assert(tracer->whole.domain == NULL);
    if (task->is_whole) {
        return &tracer->whole;
    }
    struct tracer_task *traced = tracer->spare;
    if (traced != NULL) {
        tracer->spare = traced->next;
    } else {
        traced = malloc(sizeof(*traced));
    }
    if (traced != NULL && !id_map_set(&tracer->open, task->id, traced)) {
        free(traced);
        traced = NULL;
    }
    return traced;
}

/* Removes the entry of a traced task from `open` and returns it; NULL if the task is not traced. */
static struct tracer_task *end_task(struct st_tracer *tracer, const struct task *task)
{
    if (task->is_whole) {
        return tracer->whole.domain != NULL ? &tracer->whole : NULL;
    }
    return id_map_remove(&tracer->open, task->id);
}

static struct tracer_task *find_task(struct st_tracer *tracer, const struct task *task)
{
    if (task->is_whole) {
        return tracer->whole.domain != NULL ? &tracer->whole : NULL;
    }
    return id_map_get(&tracer->open, task->id);
}

static void free_task(struct st_tracer *tracer, struct tracer_task *task)
{
    free(task->had);
    if (task == &tracer->whole) {
        *task = (struct tracer_task){.domain = NULL};
    } else {
        task->next = tracer->spare;
        tracer->spare = task;
    }
}

void tracer_others_add(char *others, const char *kind, size_t length)
{
    size_t used = 0;
    while (others[used] != '\0') {
        size_t n = strcspn(others + used, ",");
        if (n == length && memcmp(others + used, kind, n) == 0) {
            return;
        }
        used += n + (others[used + n] == ',');
    }
    if (length > 0 && used + length + 2 <= TRACER_OTHERS) {
        others[used] = ',';
        memcpy(others + used + (used > 0), kind, length);
        others[used + (used > 0) + length] = '\0';
    }
}

static void tracer_begun(void *ctx, const struct task *task, const st_record *record)
{
    struct st_tracer *tracer = ctx;
    (void)record;
    tracer->seen++;
    if (!is_traced(tracer, task)) {
        if (tracer->n_domains == 0) {
            tracer_others_add(tracer->others, task->kind, strlen(task->kind));
        }
        return;
    }
    struct tracer_domain *domain = domain_of(tracer, task);
    struct tracer_task *traced = domain != NULL ? begin_task(tracer, task) : NULL;
    if (traced == NULL) {
        say_no_memory(tracer);
        return;
    }
    *traced = (struct tracer_task){.domain = domain, .start = task->start};
    domain->begun++;
}

static void tracer_ended(void *ctx, const struct task *task, const st_record *record)
{
    struct st_tracer *tracer = ctx;
    struct tracer_task *traced = end_task(tracer, task);
    if (traced == NULL) {
        return;
    }
    struct tracer_domain *domain = traced->domain;
    assert(domain->ended < domain->begun);
    double duration = record->ts - traced->start;
    domain->least = domain->ended == 0 || duration < domain->least ? duration : domain->least;
    domain->most = domain->ended == 0 || duration > domain->most ? duration : domain->most;
    domain->ended++;
    domain->total += duration;
    if (tracer->spec.kind == TRACER_BUSY &&
        !busy_time_add(&domain->busy, traced->start, record->ts)) {
        say_no_memory(tracer);
    }
    free_task(tracer, traced);
}

/* ---- LPs that are restored or leave ---------------------------------------------------------- */

struct tracer_task *tracer_task_restore(struct st_tracer *tracer, const struct task *task,
                                        struct tracer_domain *domain)
{
    assert(!task->is_whole && id_map_find(&tracer->open, task->id) == NULL);
    struct tracer_task *traced = begin_task(tracer, task);
    if (traced != NULL) {
        *traced = (struct tracer_task){.domain = domain, .start = task->start};
    }
    return traced;
}

void tracer_adopt(struct st_tracer *tracer, const struct task *task)
{
    tracer_begun(tracer, task, NULL);
}

void tracer_forget(struct st_tracer *tracer)
{
    for (size_t i = 0; i < tracer->open.n; i++) {
        free_task(tracer, tracer->open.entries[i].value);
    }
    for (size_t i = 0; i < tracer->n_domains; i++) {
        busy_time_fini(&tracer->domains[i]->busy);
        free(tracer->domains[i]->steps);
        free(tracer->domains[i]);
    }
    free(tracer->domains);
    tracer->domains = NULL;
    tracer->n_domains = 0;
    tracer->seen = 0;
    tracer->others[0] = '\0';
    tracer->restored_lp = 0;
    tracer->has_failed = false; /* the first LP of the rank carries it as well */
    memset(tracer->recent, 0, sizeof(tracer->recent));
    id_map_fini(&tracer->open);
    id_map_fini(&tracer->places);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Returns the results of the domain for the step with this name; adds empty results if there are
 * none. Returns NULL if memory is exhausted. */
static struct tracer_step *step_of(struct tracer_domain *domain, st_string_id what,
                                   const st_record *record)
{
    for (size_t i = 0; i < domain->n_steps; i++) {
        if (domain->steps[i].what == what) {
            return &domain->steps[i];
        }
    }
    if (!array_append(&domain->steps, domain->n_steps, sizeof(*domain->steps))) {
        return NULL;
    }
    struct tracer_step *step = &domain->steps[domain->n_steps++];
    *step = (struct tracer_step){.what = what, .ts = record->ts, .number = record->number};
    return step;
}

/* Adds a step to the list of steps that the task has taken. Returns true if the list did not have
 * the step yet. If memory is exhausted, returns false and sets *failed. */
static bool had_not(struct tracer_task *task, st_string_id what, bool *failed)
{
    for (size_t i = 0; i < task->n_had; i++) {
        if (task->had[i] == what) {
            return false;
        }
    }
    *failed = !array_append(&task->had, task->n_had, sizeof(*task->had));
    if (!*failed) {
        task->had[task->n_had++] = what;
    }
    return !*failed;
}

static void tracer_stepped(void *ctx, const struct task *task, const st_step *step,
                           const st_record *record)
{
    struct st_tracer *tracer = ctx;
    struct tracer_task *traced = find_task(tracer, task);
    if (traced == NULL) {
        return;
    }
    st_string_id what = st_string(step->what);
    struct tracer_step *counted = what != 0 ? step_of(traced->domain, what, record) : NULL;
    bool failed = counted == NULL;
    if (counted != NULL) {
        counted->occurrences++;
        counted->tasks += had_not(traced, what, &failed);
    }
    if (failed) {
        say_no_memory(tracer);
    }
}

/* ---- Public functions ------------------------------------------------------------------------ */

st_result st_tracer_create(const char *spec, st_tracer **tracer, char *error, size_t error_size)
{
    char line[512];
    if (spec == NULL || tracer == NULL) {
        return ST_INVALID;
    }
    struct st_tracer *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        return ST_NO_MEMORY;
    }
    enum tw_status status = tracer_spec_read(&made->spec, spec, strlen(spec), line, sizeof(line));
    if (status != TW_OK) {
        if (error != NULL) {
            snprintf(error, error_size, "%s", line);
        }
        free(made);
        return status == TW_ERR_MEMORY ? ST_NO_MEMORY : ST_INVALID;
    }
    *tracer = made;
    return ST_OK;
}

static void tracer_free(void *ctx)
{
    assert(((struct st_tracer *)ctx)->book == NULL);
    struct st_tracer *tracer = ctx;
    tracer_forget(tracer);
    free(tracer->whole.had);
    free_spare(tracer);
    tracer_spec_fini(&tracer->spec);
    free(tracer);
}

/* ---- The list of attached tracers ------------------------------------------------------------ */

static void remember(struct st_tracer *tracer)
{
    struct task_context *context = task_context();
    tracer->next = context->attached;
    context->attached = tracer;
}

static void forget(struct st_tracer *tracer)
{
    assert(tracer->book != NULL);
    struct task_context *context = task_context();
    struct task_book *book = tracer->book;
    for (struct st_tracer **at = &context->attached; *at != NULL; at = &(*at)->next) {
        if (*at == tracer) {
            *at = tracer->next;
            break;
        }
    }
    tracer->book = NULL;
    task_book_remove(book, tracer);
}

void st_tracer_destroy(st_tracer *tracer)
{
    if (tracer != NULL && tracer->book != NULL) {
        /* The task book frees the tracer, after the current delivery if there is one. */
        forget(tracer);
    } else if (tracer != NULL) {
        tracer_free(tracer);
    }
}

st_result st_tracer_filter(st_tracer *tracer, st_task_filter filter, void *arg)
{
    if (tracer == NULL || tracer->was_attached) {
        return tracer == NULL ? ST_INVALID : ST_WRONG_STATE;
    }
    tracer->filter = filter;
    tracer->filter_arg = arg;
    return ST_OK;
}

st_result st_tracer_attach(st_tracer *tracer)
{
    if (tracer == NULL || tracer->was_attached) {
        return tracer == NULL ? ST_INVALID : ST_DUPLICATE;
    }
    struct task_book *book = task_context_book();
    struct task_sink sink = {.ctx = tracer,
                             .release = tracer_free,
                             .begun = tracer_begun,
                             .stepped = tracer->spec.kind == TRACER_STEPS ? tracer_stepped : NULL,
                             .ended = tracer_ended};
    st_result result = task_book_add(book, &sink);
    if (result == ST_OK) {
        tracer->book = book;
        tracer->was_attached = true;
        remember(tracer);
    }
    return result;
}
