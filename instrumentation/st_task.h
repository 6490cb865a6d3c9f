/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * st_task.h - tasks: what the model is doing, with a beginning, steps and an end in virtual time.
 *
 * A task lives on one LP: a job's service, a packet's passage through a link, a cache's access. Its
 * parent may live on any LP, so that a chain of tasks follows a request through the model. Tracers
 * (--tracer=busy:kind=hop, or st_tracer_create()) measure busy times, averages, steps; records of
 * tasks can be kept in a file (--task-trace=1) and read by warpscope.
 *
 *     st_task_id id;                                         // kept in the LP's state
 *     st_task_begin(lp, parent, "service", "job", NULL, &id);
 *     ...
 *     st_task_end(lp, id);                                   // in a later event of this LP
 *
 * Tasks are records on the stream "warpscope.task" (st_bus.h), so they are undone with the event
 * that made them. Ids come from a count of the LP that is undone as well: they may be kept in
 * states and messages, and are the same for any number of ranks, whether somebody listens or not.
 * Call these functions from init and event handlers; reverse handlers need do nothing about tasks.
 * Nothing here is collective. The terms are those of Akita (Sun et al., MGPUSim, ISCA 2019).
 *
 * What is checked always: that a call comes from an init or event handler of its LP (otherwise
 * ST_WRONG_STATE), and that texts that must be there are neither NULL nor empty (ST_INVALID). The
 * other errors are found only while somebody listens to tasks, and a task that began before
 * anybody did is unknown then. So a model must not go by them. A call that fails changes nothing,
 * but may have taken the number that an id would have got.
 */
#ifndef WARPSCOPE_ST_TASK_H
#define WARPSCOPE_ST_TASK_H

#include "st_bus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Names a task in the whole model. Copy it freely; all zero: no task. */
typedef struct st_task_id {
    uint64_t lp;     /* 1 + gid of the LP where it lives */
    uint64_t number; /* of tasks of the LP that made it; from 1 */
    uint64_t from;   /* requests: 1 + gid of the sender, who gave the number; else 0 */
} st_task_id;

static inline bool st_task_is_none(st_task_id id)
{
    return id.lp == 0;
}

static inline bool st_task_is_same(st_task_id a, st_task_id b)
{
    return a.lp == b.lp && a.number == b.number && a.from == b.from;
}

/* Does anybody listen to tasks? If nobody does, calls need no texts that would have to be put
 * together: any others do, and the calls stay. */
bool st_task_listened(void); /* before tw_run(), too: what is attached already counts */

/* Texts are copied; what is longer, in bytes, is cut. */
#define ST_TASK_TEXT_MAX 1023
#define ST_STEP_TEXT_MAX 127 /* names of steps */

/*
 * A task begins on lp, now. kind and what say what sort of task it is and what exactly it does
 * ("service", "job of class 2"); where it happens, NULL: the LP's type and gid ("router.7", "lp.7"
 * for a type without a name). parent: none, or any task of any LP. ST_OK and *id; ST_NO_MEMORY;
 * ST_INVALID: id is NULL.
 */
st_result st_task_begin(tw_lp *lp, st_task_id parent, const char *kind, const char *what,
                        const char *where, st_task_id *id);
/* Something worth a name happens in it ("hit", "miss"); it ends; more about it, as text.
 * ST_NOT_FOUND: no such task is open on this LP (it is unknown, another LP's, or has ended). */
st_result st_task_step(tw_lp *lp, st_task_id id, const char *what);
st_result st_task_end(tw_lp *lp, st_task_id id);
st_result st_task_detail(tw_lp *lp, st_task_id id, const char *text);

/* A step of a task that is told as a whole. */
typedef struct st_step {
    tw_stime ts;
    const char *what;
} st_step;

#define ST_TASK_STEPS_MAX 256

/*
 * Tells of a task that ends now and began at start, with its n steps, at most ST_TASK_STEPS_MAX:
 * for what is known only afterwards, such as the journey of a packet whose message carried the
 * times along. id: a name on this LP that is not in use (st_request_in() makes one), or a zeroed
 * one, which then is given here. ST_INVALID: start or a step is not in time (0 to now), or too many
 * steps; ST_DUPLICATE: the task is open.
 */
st_result st_task_add(tw_lp *lp, st_task_id *id, st_task_id parent, const char *kind,
                      const char *what, const char *where, tw_stime start, const st_step *steps,
                      size_t n_steps);

/* ---- Requests: a message that asks another LP for something -------------------------------------
 *
 * Four calls make two tasks: req_out on the LP that asks, from initiate to finalize, and req_in on
 * the LP that does it, from receive to complete, its child. The message carries the first's id.
 */

/* Begins the req_out task; put *id into the message. */
st_result st_request_initiate(tw_lp *lp, st_task_id parent, const char *what, st_task_id *id);
/* The id of the req_in task for a request at a receiver (gid): a pure function of both. */
static inline st_task_id st_request_in(st_task_id request, tw_lpid receiver)
{
    st_task_id none = {0, 0, 0};
    st_task_id in = {receiver + 1, request.number, request.lp};
    return st_task_is_none(request) ? none : in;
}
/* At the receiver: begins and ends the req_in task of a request. ST_INVALID: there is no request;
 * ST_DUPLICATE: its req_in task is open here. */
st_result st_request_receive(tw_lp *lp, st_task_id request, const char *what);
st_result st_request_complete(tw_lp *lp, st_task_id request);
/* At the sender, when the answer has come: ends the req_out task. */
st_result st_request_finalize(tw_lp *lp, st_task_id request);

/* ---- Records of tasks on the stream "warpscope.task" --------------------------------------------
 *
 * Types: ST_TASK_BEGIN, ST_TASK_END, and ST_NODE for steps, ST_METADATA for details, ST_GRAPH for
 * tasks told as a whole. One record tells of a whole task, when it has ended. A subscriber to
 * ST_TASK_BEGIN or ST_TASK_END that has no subscription to ST_GRAPH gets it under these types, the
 * beginning first; start then says when the task began. Subscribers to ST_ALL_TYPES get ST_GRAPH.
 * Records may wait for their event to commit, so data is packed: a
 * subscriber (which may be a library that is linked with nothing) calls st_task_unpack(). The same
 * tasks give the same bytes on any number of ranks.
 *
 * Ends: st_task_packed_id. Steps and details: that, then the text. Beginnings and whole tasks:
 * st_task_packed, n_steps times st_step_packed, the texts. Texts end with a zero byte, places are
 * bytes from the start of data, and the end is filled up with zeros to a multiple of 8.
 */
#define ST_TASK_STREAM "warpscope.task"

typedef struct st_task_packed_id {
    st_task_id id;
} st_task_packed_id;

typedef struct st_task_packed {
    st_task_id id;
    st_task_id parent;
    tw_stime start;
    uint32_t kind, what, where; /* places of texts */
    uint32_t n_steps;
} st_task_packed;

typedef struct st_step_packed {
    tw_stime ts;
    uint32_t what; /* place of the text */
    uint32_t zero;
} st_step_packed;

/* A record, unpacked: addresses are within its data, valid during the call. */
typedef struct st_task_record {
    st_task_id id;
    st_task_id parent;                  /* of beginnings and whole tasks */
    tw_stime start;                     /* of whole tasks; else the record's time */
    const char *kind;                   /* of beginnings and whole tasks, else NULL */
    const char *what;                   /* also of steps and details (the text); NULL of ends */
    const char *where;                  /* of beginnings and whole tasks */
    const st_step_packed *packed_steps; /* of whole tasks, see st_task_record_step() */
    size_t n_steps;
    const char *data;
} st_task_record;

/* False: it is no record of the stream of tasks; *out is undefined then. */
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

/* Step number i of a whole task. */
static inline st_step st_task_record_step(const st_task_record *task, size_t i)
{
    st_step step = {task->packed_steps[i].ts, task->data + task->packed_steps[i].what};
    return step;
}

#ifdef __cplusplus
}
#endif

#endif
