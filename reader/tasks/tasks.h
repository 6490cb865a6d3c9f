/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.h - statistics of a task trace (stream task), and the life of one task.
 *
 * Memory is bounded: WS_TASKS_GROUPS pairs of kind and what, WS_TASKS_PLACES places, each with a
 * fixed number of bytes. Groups and places beyond these limits are counted and reported.
 */
#ifndef WARPSCOPE_READER_TASKS_TASKS_H
#define WARPSCOPE_READER_TASKS_TASKS_H

#include <stdio.h>

#include "access/record_scan.h"
#include "data/histogram.h"
#include "data/intern.h"
#include "text/json.h"

#define WS_TASKS_GROUPS 1024u      /* most groups (pairs of kind and what) of 16 KiB each */
#define WS_TASKS_PLACES (1u << 18) /* most places per kind of task, some 400 bytes each */
#define WS_TASKS_SPANS  16u        /* most intervals that are kept exactly, see struct ws_busy */
#define WS_TASKS_TEXT   1024u      /* most bytes of a string */

/* ---- Records in the file --------------------------------------------------------------------- */

enum ws_task_what { WS_TASK_OTHER, WS_TASK_BEGIN, WS_TASK_STEP, WS_TASK_END };

/* The id of a task. lp is -1 for no task. */
struct ws_task_id {
    int64_t lp, from;
    uint64_t number;
};

static inline bool ws_task_same(struct ws_task_id a, struct ws_task_id b)
{
    return a.lp == b.lp && a.number == b.number && a.from == b.from;
}

/* Stores an id as text: "7.12", or "7.12.3" if the task came from LP 3. Returns `to`. */
#define WS_TASK_ID_MAX 72
char *ws_task_id_text(char to[WS_TASK_ID_MAX], struct ws_task_id id);
bool ws_task_id_parse(const char *text, struct ws_task_id *id);

struct ws_task_row {
    enum ws_task_what what_is;
    struct ws_task_id id, parent;
    double vt, start; /* virtual time of the record; start of the task (of a step: its time) */
    uint64_t order;
    bool detail;
    char kind[WS_TASKS_TEXT + 1], what[WS_TASKS_TEXT + 1], where[WS_TASKS_TEXT + 1];
};

/* Returns the meaning of the records of this schema. */
enum ws_task_what ws_task_schema(const struct fmt_schema *schema);
/* Reads a record of a trace of tasks; in a step, `what` is the step. Returns false if it is another
 * kind of record, or if its strings cannot be read. */
bool ws_task_row_read(struct ws_task_row *row, const struct fmt_columns *columns, uint32_t number,
                      const struct fmt_desc_set *descs);

/* Copies the string field called name from the payload of a record of any kind. Returns false if
 * its description has no such field. */
bool ws_task_text_read(char to[WS_TASKS_TEXT + 1], const char *name,
                       const struct fmt_columns *columns, uint32_t number,
                       const struct fmt_desc_set *descs);

/* Patterns by which tasks are chosen; NULL: any text. */
struct ws_tasks_filter {
    const char *kind, *what, *where;
};
bool ws_tasks_fits(const struct ws_tasks_filter *filter, const struct ws_task_row *row);

/* ---- Busy time ------------------------------------------------------------------------------- */

/* An interval. struct ws_busy computes the length of the union of intervals that come by ascending
 * end, in bounded memory. It is exact for the WS_TASKS_SPANS latest disjoint intervals; earlier
 * ones are settled. An interval that reaches back into settled time counts only after it, and makes
 * the length a lower bound. */
struct ws_busy_span {
    double start, end;
};
struct ws_busy {
    double settled, settled_to; /* length of the settled part, and its end */
    uint32_t n;
    bool at_least; /* true if the length is a lower bound */
    struct ws_busy_span spans[WS_TASKS_SPANS];
};
void ws_busy_add(struct ws_busy *busy, double start, double end);
double ws_busy_length(const struct ws_busy *busy);

/* ---- Sums ------------------------------------------------------------------------------------ */

struct ws_tasks_group { /* the tasks of one kind with one `what` */
    uint64_t begun, ended;
    struct ws_histogram durations;
};

struct ws_tasks_place { /* the tasks of one kind at one place of an LP */
    int64_t lp;
    uint64_t ended;
    double total;
    struct ws_busy busy;
};

struct ws_entries {
    void **list; /* owned, with its elements; NULL where there is no entry */
    size_t room;
};

struct ws_tasks {
    const struct ws_tasks_filter *filter;
    const struct ws_select *select;
    const struct fmt_desc_set *descs;
    struct ws_intern names;       /* names of groups: kind, zero byte, what */
    struct ws_entries groups;     /* the groups (struct ws_tasks_group), by number of their name */
    struct ws_intern place_names; /* names of places: LP, kind, zero byte, where */
    struct ws_entries places;     /* the places (struct ws_tasks_place), by number of their name */
    struct ws_tasks_group others; /* sums over the groups beyond the limit */
    uint64_t left_out;            /* number of tasks at places beyond the limit */
    uint64_t steps, unreadable;
    double from, to; /* range of virtual time: of the run, or of its selected part */
    bool no_memory;
    struct ws_task_row row;
};

/* Returns the virtual time until which the file has records of tasks. For a killed run, the
 * recorded end may lie before the last record. */
double ws_tasks_run_end(const struct ws_file *survey);

/* Computes the statistics of a task trace. Returns NULL if memory is exhausted. */
struct ws_tasks *ws_tasks_gather(struct ws_file *survey, const struct ws_select *select,
                                 const struct ws_tasks_filter *filter);
void ws_tasks_free(struct ws_tasks *tasks);
/* Returns the kind of the tasks at a place, given its number. The string `where` follows its
 * terminating zero. */
static inline const char *ws_tasks_place_kind(const struct ws_tasks *tasks, uint32_t number)
{
    return tasks->place_names.names[number] + sizeof(int64_t);
}
void ws_tasks_json(struct json_writer *json, const struct ws_tasks *tasks);
#endif
