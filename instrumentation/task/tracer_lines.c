/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer_lines.c - see tracer_lines.h. A line takes some 200 bytes; there is one line for each
 * domain, step of a domain, and open task. At the end of the run, rank 0 has the lines of all
 * ranks.
 */
#include "task/tracer_lines.h"
#include "store/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define TAG           7101
#define MESSAGE_MAX   ((size_t)1 << 26)
#define ROOM_AT_LEAST 4096u

/* Reserves space for size more bytes and returns it; NULL if memory is exhausted. */
static char *make_room(struct tracer_lines *lines, size_t size)
{
    assert(lines->size <= lines->room);
    size_t room = lines->size + size < ROOM_AT_LEAST ? ROOM_AT_LEAST : lines->size + size;
    if (!array_reserve(&lines->bytes, &lines->room, room, 1)) {
        lines->has_failed = true;
        return NULL;
    }
    return lines->bytes + lines->size;
}

/* Appends a line with up to three strings; the first NULL in texts ends their list. */
static void add_line(struct tracer_lines *lines, const struct tracer_line *line,
                     const char *const texts[3])
{
    size_t lengths[3] = {0, 0, 0};
    size_t total = 0;
    for (int i = 0; i < 3 && texts[i] != NULL; i++) {
        lengths[i] = strlen(texts[i]) + 1;
        total += lengths[i];
    }
    size_t size = (sizeof(*line) + total + 7) & ~(size_t)7;
    char *to = make_room(lines, size);
    if (to == NULL) {
        return;
    }
    struct tracer_line head = *line;
    head.size = (uint32_t)size;
    head.second = (uint32_t)lengths[0];
    head.third = (uint32_t)(lengths[0] + lengths[1]);
    memset(to, 0, size);
    memcpy(to, &head, sizeof(head));
    char *text = to + sizeof(head);
    for (int i = 0; i < 3; i++) {
        if (lengths[i] > 0) {
            memcpy(text, texts[i], lengths[i]);
            text += lengths[i];
        }
    }
    lines->size += size;
}

static void add_steps(struct tracer_lines *lines, const struct tracer_domain *domain,
                      struct tracer_line line, const char *where)
{
    line.type = TRACER_LINE_STEP;
    for (size_t i = 0; i < domain->n_steps; i++) {
        const struct tracer_step *step = &domain->steps[i];
        line.place = i + 1;
        line.occurrences = step->occurrences;
        line.tasks = step->tasks;
        line.first = step->ts;
        line.first_order = step->number;
        const char *texts[3] = {where, st_string_text(step->what), NULL};
        add_line(lines, &line, texts);
    }
}

static int compare_entries(const void *a, const void *b)
{
    const struct id_map_entry *x = a;
    const struct id_map_entry *y = b;
    return task_id_compare(x->key, y->key);
}

/* Appends lines about the open tasks of a tracer, in the order of their ids. */
static void add_open(struct tracer_lines *lines, const struct st_tracer *tracer, uint32_t number)
{
    struct id_map_entry *entries = malloc((tracer->open.n + 1) * sizeof(*entries));
    if (entries == NULL) {
        lines->has_failed = true;
        return;
    }
    for (size_t i = 0; i < tracer->open.n; i++) {
        entries[i] = tracer->open.entries[i];
    }
    qsort(entries, tracer->open.n, sizeof(*entries), compare_entries);
    for (size_t i = 0; i < tracer->open.n; i++) {
        const struct task *task = task_book_find(tracer->book, entries[i].key);
        if (task == NULL) {
            continue;
        }
        struct tracer_line line = {.type = TRACER_LINE_OPEN,
                                   .tracer = number,
                                   .lp = task->lp,
                                   .first = task->start,
                                   .id = task->id,
                                   .parent = task->parent};
        const char *texts[3] = {task->where, task->kind, task->what};
        add_line(lines, &line, texts);
    }
    free(entries);
}

void tracer_lines_add(struct tracer_lines *lines, const struct st_tracer *tracer, uint32_t number,
                      tw_stime now)
{
    struct tracer_domain **sorted = tracer_sorted(tracer);
    if (sorted == NULL) {
        lines->has_failed = true;
        return;
    }
    tracer_find_open(tracer);
    uint64_t order = 0;
    for (size_t i = 0; i < tracer->n_domains; i++) {
        const struct tracer_domain *domain = sorted[i];
        order = i > 0 && sorted[i - 1]->lp == domain->lp ? order + 1 : 1;
        struct tracer_line line = {.type = TRACER_LINE_DOMAIN,
                                   .tracer = number,
                                   .lp = domain->lp,
                                   .order = order,
                                   .begun = domain->begun,
                                   .ended = domain->ended,
                                   .busy = tracer_busy(tracer, domain, now),
                                   .total = domain->total,
                                   .least = domain->least,
                                   .most = domain->most};
        const char *texts[3] = {st_string_text(domain->where), NULL, NULL};
        add_line(lines, &line, texts);
        add_steps(lines, domain, line, texts[0]);
    }
    free(sorted);
    if (tracer->spec.kind == TRACER_BACKTRACE && tracer->book != NULL) {
        add_open(lines, tracer, number);
    }
}

const struct tracer_line *tracer_lines_next(const struct tracer_lines *lines, size_t *at)
{
    if (*at >= lines->size) {
        return NULL;
    }
    const struct tracer_line *line = (const void *)(lines->bytes + *at);
    assert(line->size >= sizeof(*line) && *at + line->size <= lines->size);
    *at += line->size;
    return line;
}

/* ---- Exchange between ranks ------------------------------------------------------------------ */

static void send_lines(const struct tracer_lines *mine)
{
    uint64_t head[2] = {mine->size, mine->has_failed};
    MPI_Send(head, 2, MPI_UINT64_T, 0, TAG, MPI_COMM_ROSS);
    for (size_t done = 0; done < mine->size; done += MESSAGE_MAX) {
        size_t size = ROSS_MIN(MESSAGE_MAX, mine->size - done);
        MPI_Send(mine->bytes + done, (int)size, MPI_BYTE, 0, TAG, MPI_COMM_ROSS);
    }
}

/* Receives the lines of another rank and appends them to `all`. If memory is exhausted, receives
 * and discards them piece by piece. */
static void receive_lines(struct tracer_lines *all, int rank)
{
    assert(rank > 0);
    uint64_t head[2];
    MPI_Recv(head, 2, MPI_UINT64_T, rank, TAG, MPI_COMM_ROSS, MPI_STATUS_IGNORE);
    all->has_failed |= head[1] != 0;
    char *to = make_room(all, head[0]);
    char *scratch = to == NULL ? tw_calloc(TW_LOC, "results of tracers", 1, MESSAGE_MAX) : NULL;
    for (size_t done = 0; done < head[0]; done += MESSAGE_MAX) {
        size_t size = ROSS_MIN(MESSAGE_MAX, head[0] - done);
        MPI_Recv(to != NULL ? to + done : scratch, (int)size, MPI_BYTE, rank, TAG, MPI_COMM_ROSS,
                 MPI_STATUS_IGNORE);
    }
    free(scratch);
    all->size += to != NULL ? head[0] : 0;
}

void tracer_lines_gather(struct tracer_lines *all, const struct tracer_lines *mine)
{
    assert(all != mine);
    if (g_tw_pe->id != 0) {
        send_lines(mine);
        return;
    }
    all->has_failed |= mine->has_failed;
    char *to = make_room(all, mine->size);
    if (to != NULL && mine->size > 0) {
        memcpy(to, mine->bytes, mine->size);
        all->size += mine->size;
    }
    for (unsigned rank = 1; rank < tw_nnodes(); rank++) {
        receive_lines(all, (int)rank);
    }
}

void tracer_lines_fini(struct tracer_lines *lines)
{
    free(lines->bytes);
    *lines = (struct tracer_lines){.size = 0};
}
