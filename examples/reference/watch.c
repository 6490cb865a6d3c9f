/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watch.c - a model that watches itself: hooks, tasks, a tracer.
 *
 *     mpicc -o watch watch.c $(pkg-config --cflags --libs warpscope)
 *     ./watch --synch=1 --end=20
 */
#include "ross.h"

enum { BELL_RINGS = 3 }; /* a position of the model's own domain */

static unsigned rung, executed;
static st_domain *bell;
static st_tracer *open_tasks, *busy;

struct message {
    st_task_id before; /* the id in the state before, for the reverse handler */
};

static void count_it(const st_hook_context *context, void *arg)
{
    (void)context;
    ++*(unsigned *)arg;
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
}

static void print_row(const st_tracer_row *row, void *arg)
{
    (void)arg;
    printf("  %s: %g busy, %g in the mean\n", row->where, row->busy, row->average);
}

/* Called when an LP has asked for it, and at the end. */
static void at_request(tw_pe *pe, bool nothing_left)
{
    printf("tasks up to %g:\n", pe->GVT);
    st_tracer_read(busy, nothing_left ? g_tw_ts_end : pe->GVT, print_row, NULL);
}

static bool is_late(const st_task_record *task, void *arg)
{
    return task->start > *(double *)arg;
}

/* Serves a customer: a task that began a unit of time before, with a step in the middle. */
static void forward(void *state, tw_bf *bf, void *message, tw_lp *lp)
{
    st_task_id none = {0, 0, 0}, *last = state, id = {0, 0, 0}, open;
    const st_step steps[] = {{tw_now(lp) - 0.5, "paid"}};
    (void)bf;
    st_task_add(lp, &id, none, "service", "a customer", NULL, tw_now(lp) - 1.0, steps, 1);
    if (st_task_is_none(id) || st_task_is_same(id, *last)) {
        tw_error(TW_LOC, "two tasks have one id");
    }
    ((struct message *)message)->before = *last;
    *last = id;
    if (lp->gid == 0 && tw_now(lp) == 10.0) {
        tw_trigger_gvt_hook_now(lp);
    }
    st_task_begin(lp, id, "bell", "rings", NULL, &open);
    ST_HOOK(bell, BELL_RINGS, &id, NULL);            /* costs one test without a hook */
    st_hook_invoke(bell, BELL_RINGS, &id, NULL);     /* calls the hooks without the test */
    st_task_record chain[4];                         /* the open task and its ancestors */
    st_tracer_backtrace(open_tasks, open, chain, 4); /* 0 here: it is not committed yet */
    st_task_detail(lp, open, "loud");
    st_task_end(lp, open);
    tw_event_send(tw_event_new(lp->gid, 1.0, lp));
}

/* Undoes it; tasks and the sent event need no call. */
static void reverse(void *state, tw_bf *bf, void *message, tw_lp *lp)
{
    (void)bf;
    *(st_task_id *)state = ((struct message *)message)->before;
    if (lp->gid == 0 && tw_now(lp) == 10.0) {
        tw_trigger_gvt_hook_now_rev(lp);
    }
}

static void on_task(const st_record *record, void *arg)
{
    st_task_record task;
    if (st_task_unpack(record, &task)) {
        for (size_t i = 0; i < task.n_steps; i++) {
            const st_step step = st_task_record_step(&task, i);
            *(double *)arg += task.start <= step.ts && strcmp(step.what, "paid") == 0;
        }
    }
}

static void on_record(const st_record *record, void *arg)
{
    (void)record;
    ++*(unsigned *)arg;
}

/* Subscribes to records of a type. A model opens a stream of the engine as it opens its own. */
static void listen(const char *name, st_type type, st_callback callback, void *arg)
{
    st_stream_id stream;
    st_stream_open(name, 1, 0, &stream);
    st_subscribe(stream, type, ST_COMMITTED, callback, arg);
}

static tw_lptype type = {
    .init = init, .event = forward, .revent = reverse, .state_sz = sizeof(st_task_id)};

int main(int argc, char **argv)
{
    st_hook_info list[2];
    double paid = 0.0, since = 5.0;
    unsigned committed = 0, samples = 0, all = 0;
    tw_init(&argc, &argv);
    tw_define_lps(4, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &type);
    }
    bell = st_domain_create("bell");
    st_domain_name_position(bell, BELL_RINGS, "rings");
    st_hook_attach(bell, ST_AT(BELL_RINGS), count_it, &rung);
    st_hook_attach(st_domain_pe(), ST_AT(ST_POS_AFTER_EVENT), count_it, &executed);
    st_hook_attach(st_domain_kp(0), ST_AT_ALL, count_it, &all);
    st_hook_attach(st_domain_lp(2), ST_AT(ST_POS_SEND), count_it, &all);
    st_hook_detach(st_domain_kp(0), count_it, &all);
    printf("%zu hook at %s, position %s; the PE: %s\n", st_hook_list(bell, list, 2), bell->name,
           st_domain_position_name(bell, BELL_RINGS), st_position_text(ST_POS_AFTER_EVENT));
    listen(ST_TASK_STREAM, ST_GRAPH, on_task, &paid);
    listen(ST_ENGINE_STREAM, st_engine_type(ST_POS_COMMIT), on_record, &committed);
    listen(ST_SAMPLE_STREAM, st_row_type(0), on_record,
           &samples); /* has records with --enable-gvt-stats=1 */
    st_tracer_create("backtrace", &open_tasks, NULL, 0);
    st_tracer_attach(open_tasks);
    st_tracer_create("busy:kind=service", &busy, NULL, 0);
    st_tracer_filter(busy, is_late, &since);
    st_tracer_attach(busy);
    g_tw_gvt_hook = at_request;
    tw_trigger_gvt_hook_when_model_calls();
    tw_run();
    st_tracer_destroy(open_tasks);
    st_tracer_destroy(busy);
    printf("%u rings, %u executions, %u commits, %g payments\n", rung, executed, committed, paid);
    tw_end();
    return committed == executed && rung == 2 * executed && paid == committed ? 0 : 1;
}
