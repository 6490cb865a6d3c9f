/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.h - statistics of a task trace (stream task).
 *
 * Memory is bounded: at most WS_TASKS_GROUPS groups (pairs of `kind` and `what`) and
 * WS_TASKS_PLACES places are kept, each with a fixed number of bytes. Groups and places beyond
 * these limits are counted and reported.
 */
#ifndef WARPSCOPE_READER_FIGURES_TASKS_H
#define WARPSCOPE_READER_FIGURES_TASKS_H

#include <stdio.h>

#include "access/record_scan.h"
#include "data/histogram.h"
#include "data/intern.h"
#include "text/json.h"

#define WS_TASKS_GROUPS 1024u      /* maximum number of groups, of 16 KiB each */
#define WS_TASKS_PLACES (1u << 18) /* maximum number of places, some 400 bytes each */
#define WS_TASKS_SPANS  16u   /* maximum number of intervals kept exactly, see struct ws_busy */
#define WS_TASKS_TEXT   1024u /* maximum length of a string in bytes */

/* ---- Records in the file --------------------------------------------------------------------- */

enum ws_task_what { WS_TASK_OTHER, WS_TASK_BEGIN, WS_TASK_STEP, WS_TASK_END };

/* The id of a task. lp: -1 for no task. from: LP from which the task came; -1: none. Numbers of LPs from
 * 2^63 on are negative, with the same 64 bits. */
struct ws_task_id {
    int64_t lp, from;
    uint64_t number;
};

static inline bool ws_task_same(struct ws_task_id a, struct ws_task_id b)
{
    return a.lp == b.lp && a.number == b.number && a.from == b.from;
}

/* Stores an id in `to` as text, such as "7.12", or "7.12.3" if the task came from LP 3. Returns
 * `to`. */
#define WS_TASK_ID_MAX 72
char *ws_task_id_text(char to[WS_TASK_ID_MAX], struct ws_task_id id);
bool ws_task_id_parse(const char *text, struct ws_task_id *id);

#define WS_TASK_FIELDS 10u

struct ws_task_row {
    enum ws_task_what what_is;
    struct ws_task_id id, parent;
    /* vt: virtual time of the record. start: virtual time at which the task started or, in the
     * record of a step, at which the step took place. */
    double vt, start;
    uint64_t order;
    bool detail;
    char kind[WS_TASKS_TEXT + 1], what[WS_TASKS_TEXT + 1], where[WS_TASKS_TEXT + 1];
    /* Set by ws_task_row_next(): the kind of record, and the indices of its fields, -1 if missing. */
    const struct fmt_schema *schema;
    int32_t field[WS_TASK_FIELDS];
};

/* Returns the stage of a task's life that records of this schema describe; WS_TASK_OTHER: none. */
enum ws_task_what ws_task_schema(const struct fmt_schema *schema);
/* Reads the next chosen record of a block of a task trace into *row, from record *at on, and advances
 * *at, which is 0 at the beginning of a block. For a step, row->what is the name of the step. Adds to *unreadable the number of records
 * passed over because their strings cannot be read. Returns false if there is none, or if the block
 * has records of another kind. */
bool ws_task_row_next(struct ws_task_row *row, const struct ws_part *part, uint32_t *at,
                      uint64_t *unreadable);

/* Copies to `to` the string field called name from the payload of a record of any kind. number:
 * index of the record. Returns false if the payload's description has no such field. */
bool ws_task_text_read(char to[WS_TASKS_TEXT + 1], const char *name, const struct ws_part *part,
                       uint32_t number);

/* Patterns that choose tasks by their texts; NULL: any text. */
struct ws_tasks_filter {
    const char *kind, *what, *where;
};
bool ws_tasks_fits(const struct ws_tasks_filter *filter, const struct ws_task_row *row);

/* ---- Busy time ------------------------------------------------------------------------------- */

/* An interval of virtual time. */
struct ws_busy_span {
    double start, end;
};
/* The length of a union of intervals, in bounded memory. Intervals must be added in ascending order
 * of their ends. The WS_TASKS_SPANS latest disjoint intervals are kept. Earlier ones are settled:
 * only the sum of their lengths is kept. If a new interval reaches back into settled time, only the
 * rest of it counts, and the length becomes a lower bound. */
struct ws_busy {
    double settled, settled_to; /* sum of the settled lengths, and end of the settled time */
    uint32_t n;
    bool at_least; /* true if the length is a lower bound */
    struct ws_busy_span spans[WS_TASKS_SPANS];
};
void ws_busy_add(struct ws_busy *busy, double start, double end);
double ws_busy_length(const struct ws_busy *busy);

/* ---- Sums ------------------------------------------------------------------------------------ */

struct ws_tasks_group { /* the tasks with the same kind and the same `what` */
    uint64_t begun, ended;
    /* Number of ended tasks that began before the first record, so that they have no record of
     * their beginning: the run continued from a checkpoint. */
    uint64_t earlier;
    struct ws_histogram durations;
};

struct ws_tasks_place { /* the tasks of one kind at one place of an LP */
    int64_t lp;
    uint64_t ended;
    double total;
    struct ws_busy busy;
};

struct ws_tasks {
    const struct ws_tasks_filter *filter;
    const struct ws_select *select;
    struct ws_intern names;        /* names of groups: kind, zero byte, `what` */
    struct ws_intern place_names;  /* names of places: LP as int64_t, kind, zero byte, `where` */
    struct ws_tasks_group *groups; /* owned; [i]: group with name i */
    struct ws_tasks_place *places; /* owned; [i]: place with name i */
    size_t groups_room, places_room;
    struct ws_tasks_group others; /* sums over the groups beyond the limit */
    uint64_t left_out;            /* number of tasks at places beyond the limit */
    uint64_t steps, unreadable;
    uint64_t
        rows; /* number of beginnings and ends of tasks, whether the filter chooses them or not */
    /* [0] kinds, [1] actions, [2] places in those rows, as far as they fit, if the filter has a
     * pattern for them and no row matches it */
    char known[3][512];
    bool matched[3];
    double from, to; /* range of virtual time: that of the run, or the selected one */
    double first;    /* virtual time of the first record in the file */
    bool no_memory;
    struct ws_task_row row;
};

/* Returns the virtual time at which the task trace ends: the end that the file states, or the time
 * of the last record if that is later, as it may be if the run was killed. */
double ws_tasks_run_end(const struct ws_file *file);

/* Computes the statistics of the tasks that select and filter choose in a task trace. Returns NULL
 * if memory is exhausted. */
struct ws_tasks *ws_tasks_gather(struct ws_file *file, const struct ws_select *select,
                                 const struct ws_tasks_filter *filter);
void ws_tasks_free(struct ws_tasks *tasks);
/* Returns the kind of the tasks at the place with this number. The string `where` of the place
 * follows the kind's terminating zero. */
static inline const char *ws_tasks_place_kind(const struct ws_tasks *tasks, uint32_t number)
{
    return tasks->place_names.names[number] + sizeof(int64_t);
}
void ws_tasks_json(struct json_writer *json, const struct ws_tasks *tasks);
#endif
