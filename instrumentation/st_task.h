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

/*
 * A task begins on lp, now. kind and what say what sort of task it is and what exactly it does
 * ("service", "job of class 2"); where it happens, NULL: the LP's type and gid ("router.7"). Texts
 * are copied. ST_OK and *id; ST_INVALID: kind or what is NULL or empty (checked while somebody
 * listens); ST_WRONG_STATE: not in an init or event handler of lp.
 */
st_result st_task_begin(tw_lp *lp, st_task_id parent, const char *kind, const char *what,
                        const char *where, st_task_id *id);
/* Something worth a name happens in it ("hit", "miss"). The errors of this and the next function,
 * which change nothing, are checked while somebody listens: ST_INVALID what is empty; ST_NOT_FOUND
 * no such task is open on this LP (it is unknown, another LP's, or has ended). */
st_result st_task_step(tw_lp *lp, st_task_id id, const char *what);
st_result st_task_end(tw_lp *lp, st_task_id id);
/* More about it, as text. */
st_result st_task_detail(tw_lp *lp, st_task_id id, const char *text);

/* A step of a task that is told as a whole. */
typedef struct st_step {
    tw_stime ts;
    const char *what;
} st_step;

/*
 * Tells of a task that ends now and began at start, with its n steps: for what is known only
 * afterwards, such as the journey of a packet whose message carried the times along. id: a name
 * that is not in use (st_request_in() makes one), or a zeroed one, which then is given here.
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
st_task_id st_request_in(st_task_id request, tw_lpid receiver);
/* At the receiver: begins and ends the req_in task of a request. */
st_result st_request_receive(tw_lp *lp, st_task_id request, const char *what);
st_result st_request_complete(tw_lp *lp, st_task_id request);
/* At the sender, when the answer has come: ends the req_out task. */
st_result st_request_finalize(tw_lp *lp, st_task_id request);

/* ---- Records of tasks on the stream "warpscope.task" --------------------------------------------
 *
 * Types: ST_TASK_BEGIN, ST_TASK_END, and ST_NODE for steps, ST_METADATA for details, ST_GRAPH for
 * tasks told as a whole. data is a struct st_task_record, texts are addresses valid during the
 * call.
 */
#define ST_TASK_STREAM "warpscope.task"

typedef struct st_task_record {
    st_task_id id;
    st_task_id parent;    /* of beginnings and whole tasks */
    tw_stime start;       /* of whole tasks; else the record's time */
    const char *kind;     /* of beginnings and whole tasks, else NULL */
    const char *what;     /* also of steps and details (the text); NULL of ends */
    const char *where;    /* of beginnings and whole tasks */
    const st_step *steps; /* of whole tasks */
    size_t n_steps;
} st_task_record;

#ifdef __cplusplus
}
#endif

#endif
