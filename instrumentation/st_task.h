/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_task.h - tasks: activities of the model, with a beginning, steps and an end in virtual time.
 *
 * A task belongs to one LP: the service of a job, the passage of a packet through a link, an access
 * to a cache. Its parent may belong to any LP, so that a chain of tasks follows a request through
 * the model. Tracers (--tracer=busy:kind=hop, or st_tracer_create()) measure busy times, averages
 * and steps. The option --task-trace=1 keeps the records of tasks in a file, which warpscope reads.
 *
 *     st_task_id id;                                         // kept in the LP's state
 *     st_task_begin(lp, parent, "service", "job", NULL, &id);
 *     ...
 *     st_task_end(lp, id);                                   // in a later event of this LP
 *
 * Tasks are records on the stream "warpscope.task" (st_bus.h), so a rollback undoes them with their
 * event. Ids come from a count in the LP, which a rollback restores. Models may therefore keep ids
 * in states and messages. Ids are the same on any number of ranks, with or without subscribers.
 * Call these functions from init and event handlers; reverse handlers need no calls for tasks. No
 * function here is collective. The terms are those of Akita (Sun et al., MGPUSim, ISCA 2019).
 *
 * Two errors are always detected: a call outside an init or event handler of the LP
 * (ST_WRONG_STATE), and a required text that is NULL or empty (ST_INVALID). The other errors are
 * detected only while tasks have subscribers; a task that began before the first subscription then
 * counts as unknown. After a restart from a checkpoint, open tasks are known. If tasks had no
 * subscribers when the checkpoint was written, each task that began before counts as open. The
 * model's behaviour must therefore not depend on these errors. A call that
 * fails changes nothing, except that it may have used up the number for an id.
 */
#ifndef WARPSCOPE_ST_TASK_H
#define WARPSCOPE_ST_TASK_H

#include "st_bus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Id of a task, unique in the whole model. May be copied freely. If all members are zero, it is the
 * id of no task. */
typedef struct st_task_id {
    uint64_t lp; /* 1 + gid of the LP to which the task belongs */
    /* Ordinal number of the task, from 1, among the tasks that the same LP has created. */
    uint64_t number;
    /* For the task req_in of a request: 1 + gid of the LP that sent the request; `number` then
     * counts the tasks of that LP. Otherwise 0. */
    uint64_t from;
} st_task_id;

/* Returns true if the id is that of no task. */
static inline bool st_task_is_none(st_task_id id)
{
    return id.lp == 0;
}

/* Returns true if two ids are those of the same task. */
static inline bool st_task_is_same(st_task_id a, st_task_id b)
{
    return a.lp == b.lp && a.number == b.number && a.from == b.from;
}

/* Returns true if tasks have subscribers. Otherwise a model need not compose texts and may pass any
 * non-empty texts, but it must still make the calls. Before tw_run(), the result depends on the
 * subscriptions made so far. */
bool st_task_listened(void);

/* Maximum length in bytes of the kind, the description and the place of a task, and of the text of
 * a detail. Longer texts are cut; all texts are copied. */
#define ST_TASK_TEXT_MAX 1023
#define ST_STEP_TEXT_MAX 127 /* maximum length in bytes of the name of a step */

/*
 * Begins a task on lp, now. kind: the sort of task, such as "service". what: a description of the
 * task, such as "job of class 2". where: the place of the task; NULL: the LP's type and gid, such
 * as "router.7", or "lp.7" if the type has no name. parent: any task of any LP, or none (all
 * members zero). Returns ST_OK and sets *id; ST_NO_MEMORY; ST_INVALID: id is NULL.
 */
st_result st_task_begin(tw_lp *lp, st_task_id parent, const char *kind, const char *what,
                        const char *where, st_task_id *id);
/* These functions add a step to a task, end a task, and add a detail to a task. The name of a step
 * is a text such as "hit" or "miss"; a detail is any text. Each function returns ST_OK;
 * ST_NOT_FOUND: the task is not open on this LP (unknown, on another LP, or ended). */
st_result st_task_step(tw_lp *lp, st_task_id id, const char *what);
st_result st_task_end(tw_lp *lp, st_task_id id);
st_result st_task_detail(tw_lp *lp, st_task_id id, const char *text);

/* A step for st_task_add(): its virtual time and its name. */
typedef struct st_step {
    tw_stime ts;
    const char *what;
} st_step;

#define ST_TASK_STEPS_MAX 256

/*
 * Emits one record for a whole task, from its beginning to its end. The task began at the time
 * start, ends now, and had n_steps steps (at most ST_TASK_STEPS_MAX). For tasks that are known only
 * at their end, such as the journey of a packet whose message carried the times along. *id: an id
 * that no open task of this LP has, such as a result of st_request_in(). If all members of *id are
 * zero, it receives a new id. id may be NULL.
 *
 * Returns ST_OK; ST_INVALID: start is not in 0 .. now, a step is not in start .. now, or there are
 * too many steps; ST_DUPLICATE: a task with this id is open; ST_NO_MEMORY.
 */
st_result st_task_add(tw_lp *lp, st_task_id *id, st_task_id parent, const char *kind,
                      const char *what, const char *where, tw_stime start, const st_step *steps,
                      size_t n_steps);

/* ---- Requests: a message that asks another LP for something -------------------------------------
 *
 * Four calls make two tasks. The task req_out belongs to the LP that asks; it lasts from
 * st_request_initiate() to st_request_finalize(). Its child req_in belongs to the LP that serves
 * the request; it lasts from st_request_receive() to st_request_complete(). The message carries the
 * id of req_out.
 */

/* Begins the task req_out on lp, the sender. The model puts *id into the message. */
st_result st_request_initiate(tw_lp *lp, st_task_id parent, const char *what, st_task_id *id);
/* Returns the id of the task req_in of a request. It depends only on the arguments: the id of
 * req_out, and the gid of the receiver. */
static inline st_task_id st_request_in(st_task_id request, tw_lpid receiver)
{
    st_task_id none = {0, 0, 0};
    st_task_id in = {receiver + 1, request.number, request.lp};
    return st_task_is_none(request) ? none : in;
}
/* These functions begin and end the task req_in of a request on lp, the receiver. request: id of
 * req_out. st_request_receive() returns ST_INVALID if `request` is no task, and ST_DUPLICATE if the
 * task req_in is open already. */
st_result st_request_receive(tw_lp *lp, st_task_id request, const char *what);
st_result st_request_complete(tw_lp *lp, st_task_id request);
/* Ends the task req_out on lp, the sender, after the answer has arrived. */
st_result st_request_finalize(tw_lp *lp, st_task_id request);

/* ---- Records of tasks on the stream "warpscope.task" --------------------------------------------
 *
 * Types of records: ST_TASK_BEGIN; ST_TASK_END; ST_NODE for a step; ST_METADATA for a detail;
 * ST_GRAPH for a whole task, emitted once when st_task_add() records it. Subscribers to
 * ST_ALL_TYPES get whole tasks as ST_GRAPH. A subscriber to ST_TASK_BEGIN or ST_TASK_END that is
 * not subscribed to ST_GRAPH gets a whole task as a beginning and an end, in this order; the member
 * start is then the time of the beginning.
 *
 * The data of a record is packed, because the record may have to wait for the commit of its event.
 * A subscriber unpacks it with st_task_unpack(), which needs no library. Equal tasks give equal
 * bytes on any number of ranks.
 *
 * Data of an end: st_task_packed_id. Of a step or detail: st_task_packed_id, then the text. Of a
 * beginning or whole task: st_task_packed, n_steps elements of type st_step_packed, then the texts.
 * Each text ends with a zero byte. The positions of texts are byte offsets from the start of data.
 * Zeros pad data to a multiple of 8 bytes.
 */
#define ST_TASK_STREAM "warpscope.task"

typedef struct st_task_packed_id {
    st_task_id id;
} st_task_packed_id;

typedef struct st_task_packed {
    st_task_id id;
    st_task_id parent;
    tw_stime start;
    uint32_t kind, what, where; /* positions of the three texts in data */
    uint32_t n_steps;
} st_task_packed;

typedef struct st_step_packed {
    tw_stime ts;
    uint32_t what; /* position of the step's name in data */
    uint32_t zero;
} st_step_packed;

/* A record of a task, unpacked. Its pointers point into the data of the record, which are valid
 * only during the call of the subscriber. */
typedef struct st_task_record {
    st_task_id id;
    /* Parent of the task, in records of types ST_TASK_BEGIN and ST_GRAPH; otherwise no task. */
    st_task_id parent;
    /* Start of the task, in records of types ST_TASK_BEGIN and ST_GRAPH; otherwise the virtual time
     * of the record. */
    tw_stime start;
    /* Kind of the task, in records of types ST_TASK_BEGIN and ST_GRAPH; otherwise NULL. */
    const char *kind;
    /* Description of the task, name of the step, or text of the detail; NULL for ends. */
    const char *what;
    /* Place of the task, in records of types ST_TASK_BEGIN and ST_GRAPH; otherwise NULL. */
    const char *where;
    /* Steps of the task, if st_task_add() has recorded it; st_task_record_step() reads them. */
    const st_step_packed *packed_steps;
    size_t n_steps;
    const char *data;
} st_task_record;

/* Unpacks a record of a task into *out. Returns true if the record is well-formed; otherwise *out
 * is undefined. */
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

/* Returns the step at index i, from 0, of a task that st_task_add() has recorded. */
static inline st_step st_task_record_step(const st_task_record *task, size_t i)
{
    st_step step = {task->packed_steps[i].ts, task->data + task->packed_steps[i].what};
    return step;
}

#ifdef __cplusplus
}
#endif

#endif
