/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_task.h - tasks: activities of the model, with a beginning, steps and an end in virtual time.
 *
 * A task belongs to one LP: a job's service, a packet's passage through a link, a cache's access.
 * Its parent may belong to any LP, so that a chain of tasks follows a request through the model.
 * Tracers (--tracer=busy:kind=hop, or st_tracer_create()) measure busy times, averages, steps. The
 * option --task-trace=1 keeps records of tasks in a file, which warpscope reads.
 *
 *     st_task_id id;                                         // kept in the LP's state
 *     st_task_begin(lp, parent, "service", "job", NULL, &id);
 *     ...
 *     st_task_end(lp, id);                                   // in a later event of this LP
 *
 * Tasks are records on the stream "warpscope.task" (st_bus.h), so a rollback undoes them with their
 * event. Ids come from a count of the LP, which a rollback restores. Models may therefore keep ids
 * in states and messages. Ids are the same on any number of ranks, with or without subscribers.
 * Call these functions from init and event handlers; reverse handlers need no calls for tasks. No
 * function here is collective. The terms are those of Akita (Sun et al., MGPUSim, ISCA 2019).
 *
 * Two errors are always detected: a call outside an init or event handler of its LP
 * (ST_WRONG_STATE), and a required text that is NULL or empty (ST_INVALID). The other errors are
 * detected only while tasks have subscribers; a task that began before the first subscription is
 * then unknown. The model's behaviour must therefore not depend on these errors. A call that fails
 * changes nothing, except that it may have used up the number of an id.
 */
#ifndef WARPSCOPE_ST_TASK_H
#define WARPSCOPE_ST_TASK_H

#include "st_bus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Names a task in the whole model. May be copied freely. All zero: no task. */
typedef struct st_task_id {
    uint64_t lp;     /* LP of the task, as 1 + gid */
    uint64_t number; /* ordinal number among the tasks of the LP that created the task, from 1 */
    /* For requests: 1 + gid of the sender, whose tasks `number` counts; otherwise 0. */
    uint64_t from;
} st_task_id;

static inline bool st_task_is_none(st_task_id id)
{
    return id.lp == 0;
}

static inline bool st_task_is_same(st_task_id a, st_task_id b)
{
    return a.lp == b.lp && a.number == b.number && a.from == b.from;
}

/* Returns true if tasks have subscribers. If not, a model may skip composing texts and pass any
 * other non-empty texts, but it must still make the calls. May be called before tw_run(), and then
 * includes the subscriptions made so far. */
bool st_task_listened(void);

/* Maximum lengths of texts in bytes. Texts are copied, and cut to the maximum. */
#define ST_TASK_TEXT_MAX 1023
#define ST_STEP_TEXT_MAX 127 /* most bytes of the name of a step */

/*
 * Begins a task on lp, now.
 * kind: the sort of task ("service"). what: its description ("job of class 2").
 * where: its place; NULL: the LP's type and gid ("router.7", or "lp.7" for a type without a name).
 * parent: none, or any task of any LP.
 * Returns ST_OK and sets *id; ST_NO_MEMORY; ST_INVALID: id is NULL.
 */
st_result st_task_begin(tw_lp *lp, st_task_id parent, const char *kind, const char *what,
                        const char *where, st_task_id *id);
/* These functions add a step to a task ("hit", "miss"), end the task, and add a detail to it, which
 * is any text. Each returns ST_OK; ST_NOT_FOUND: the task is not open on this LP (unknown, on
 * another LP, or ended). */
st_result st_task_step(tw_lp *lp, st_task_id id, const char *what);
st_result st_task_end(tw_lp *lp, st_task_id id);
st_result st_task_detail(tw_lp *lp, st_task_id id, const char *text);

/* A step of a task that is recorded as a whole. */
typedef struct st_step {
    tw_stime ts;
    const char *what;
} st_step;

#define ST_TASK_STEPS_MAX 256

/*
 * Records a whole task that began at start and ends now, with n_steps steps, at most
 * ST_TASK_STEPS_MAX. For tasks that are known only at their end, such as the journey of a packet
 * whose message carried the times along. id: an id that no open task of this LP has, such as one
 * from st_request_in(); a zeroed id is set to a new one. Returns ST_OK; ST_INVALID: start or a step
 * is outside 0 .. now, or too many steps; ST_DUPLICATE: the task is open; ST_NO_MEMORY.
 */
st_result st_task_add(tw_lp *lp, st_task_id *id, st_task_id parent, const char *kind,
                      const char *what, const char *where, tw_stime start, const st_step *steps,
                      size_t n_steps);

/* ---- Requests: a message that asks another LP for something -------------------------------------
 *
 * Four calls make two tasks: req_out on the LP that asks, from initiate to finalize, and its child
 * req_in on the LP that serves the request, from receive to complete. The message carries the id of
 * req_out.
 */

/* Begins the req_out task. The model puts *id into the message. */
st_result st_request_initiate(tw_lp *lp, st_task_id parent, const char *what, st_task_id *id);
/* Returns the id of the req_in task of a request at a receiver (gid): a pure function of both. */
static inline st_task_id st_request_in(st_task_id request, tw_lpid receiver)
{
    st_task_id none = {0, 0, 0};
    st_task_id in = {receiver + 1, request.number, request.lp};
    return st_task_is_none(request) ? none : in;
}
/* At the receiver: begin and end the req_in task of a request. Return ST_INVALID: the request is no
 * task; ST_DUPLICATE: its req_in task is open here. */
st_result st_request_receive(tw_lp *lp, st_task_id request, const char *what);
st_result st_request_complete(tw_lp *lp, st_task_id request);
/* At the sender, after the answer has arrived: ends the req_out task. */
st_result st_request_finalize(tw_lp *lp, st_task_id request);

/* ---- Records of tasks on the stream "warpscope.task" --------------------------------------------
 *
 * Types: ST_TASK_BEGIN, ST_TASK_END, ST_NODE for steps, ST_METADATA for details, ST_GRAPH for whole
 * tasks: one record per task, emitted when it has ended. A subscriber to ST_TASK_BEGIN or
 * ST_TASK_END without a subscription to ST_GRAPH gets whole tasks under these types, the beginning
 * first; start is then the time of the beginning. Subscribers to ST_ALL_TYPES get ST_GRAPH.
 *
 * Records may wait for the commit of their event, so data is packed; a subscriber calls
 * st_task_unpack(), which needs no library. Equal tasks give equal bytes on any number of ranks.
 *
 * Ends: st_task_packed_id. Steps and details: st_task_packed_id, then the text. Beginnings and
 * whole tasks: st_task_packed, n_steps times st_step_packed, the texts. Texts end with a zero byte.
 * Places are byte offsets from the start of data. Zeros pad the data to a multiple of 8.
 */
#define ST_TASK_STREAM "warpscope.task"

typedef struct st_task_packed_id {
    st_task_id id;
} st_task_packed_id;

typedef struct st_task_packed {
    st_task_id id;
    st_task_id parent;
    tw_stime start;
    uint32_t kind, what, where; /* positions of the texts */
    uint32_t n_steps;
} st_task_packed;

typedef struct st_step_packed {
    tw_stime ts;
    uint32_t what; /* position of the text */
    uint32_t zero;
} st_step_packed;

/* An unpacked record. Its pointers lead into the record's data, which are valid during the call. */
typedef struct st_task_record {
    st_task_id id;
    st_task_id parent;                  /* parent, for beginnings and whole tasks */
    tw_stime start;                     /* start of a whole task; otherwise the record's time */
    const char *kind;                   /* text, for beginnings and whole tasks, otherwise NULL */
    const char *what;                   /* text, also of steps and details; NULL for ends */
    const char *where;                  /* text, for beginnings and whole tasks, otherwise NULL */
    const st_step_packed *packed_steps; /* steps of a whole task, see st_task_record_step() */
    size_t n_steps;
    const char *data;
} st_task_record;

/* Returns true if the record is a well-formed record of tasks; if false, *out is undefined. */
static inline bool st_task_unpack(const st_record *record, st_task_record *out)
{
    const char *data = (const char *)record->data;
    st_task_record none = {{0, 0, 0}, {0, 0, 0}, record->ts, NULL, NULL, NULL, NULL, 0, data};
    *out = none;
    if (data == NULL || record->size < sizeof(st_task_packed_id)) {
        return false;
    }
    out->id = ((const st_task_packed_id *)record->data)->id;
    if (record->type == ST_TASK_END) {
        return true;
    }
    if (record->type == ST_NODE || record->type == ST_METADATA) {
        out->what = data + sizeof(st_task_packed_id);
        return record->size > sizeof(st_task_packed_id);
    }
    if ((record->type != ST_TASK_BEGIN && record->type != ST_GRAPH) ||
        record->size < sizeof(st_task_packed)) {
        return false;
    }
    const st_task_packed *packed = (const st_task_packed *)record->data;
    out->parent = packed->parent;
    out->start = packed->start;
    out->kind = data + packed->kind;
    out->what = data + packed->what;
    out->where = data + packed->where;
    out->packed_steps = (const st_step_packed *)(const void *)(packed + 1);
    out->n_steps = packed->n_steps;
    return true;
}

/* Returns step number i of a whole task, from 0. */
static inline st_step st_task_record_step(const st_task_record *task, size_t i)
{
    st_step step = {task->packed_steps[i].ts, task->data + task->packed_steps[i].what};
    return step;
}

#ifdef __cplusplus
}
#endif

#endif
