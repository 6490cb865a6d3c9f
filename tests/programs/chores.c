/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chores - a model with all sorts of tasks. LPs request work from each other and serve one request
 * at a time. They add some tasks as a whole, at their end. The model rolls back much (no lookahead,
 * many ties), and makes invalid calls now and then, which must change nothing.
 *
 * With --counts=PREFIX each LP writes the results that tracers must find to PREFIX.RANK: one line
 * "CHECK LP begun ended busy total hits hit_tasks" for its tasks of kind "work". With --odd=1 lines
 * "ODD ..." follow, of a tracer that the model creates.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ross.h"
#include "st.h"
#include "support/even_ranks.h"

#define MEAN    2.0
#define QUEUE   8
#define INITIAL 3

enum what { ASK, ASKED, WORK_DONE, ANSWER };

struct message {
    enum what what;
    tw_lpid from;
    st_task_id request;
    double asked_at;
};

struct state {
    uint64_t seq; /* source of texts and decisions */
    uint32_t n;   /* requests waiting or in service; the first is in service */
    struct message queue[QUEUE];
    st_task_id work; /* in progress if n > 0 */
    double work_since;
    uint64_t begun, ended, hits, hit_tasks, wrong;
    double busy, total;
};

static unsigned int n_lps = 16; /* per rank; tests keep n_lps * ranks constant */
static char counts_prefix[256] = "";
static FILE *counts = NULL;
static unsigned int filter_numbers = 0;

static void send(tw_lp *lp, tw_lpid dest, double offset, struct message message)
{
    tw_event *event = tw_event_new(dest, offset, lp);
    memcpy(tw_event_data(event), &message, sizeof(message));
    tw_event_send(event);
}

/* Times on a grid, so that many are equal. */
static double draw(tw_lp *lp)
{
    return 0.25 * (double)(1 + tw_rand_integer(lp->rng, 0, (long)(8 * MEAN)));
}

static void think(tw_lp *lp)
{
    send(lp, lp->gid, draw(lp), (struct message){.what = ASK});
}

/* Makes calls that must fail and change nothing. */
static void do_wrong(struct state *s, tw_lp *lp)
{
    st_task_id none = {0, 0, 0};
    st_task_id other = {lp->gid + 2, 1, 0};
    st_task_id id = none;
    s->wrong += st_task_begin(lp, none, "", "x", NULL, &id) != ST_INVALID;
    s->wrong += st_task_begin(lp, none, "x", NULL, NULL, &id) != ST_INVALID;
    s->wrong += !st_task_is_none(id);
    if (st_enabled(st_stream_find(ST_TASK_STREAM), ST_TASK)) {
        s->wrong += st_task_end(lp, other) != ST_NOT_FOUND;
        s->wrong += st_task_step(lp, none, "x") != ST_NOT_FOUND;
    }
}

static void begin_work(struct state *s, tw_lp *lp)
{
    const struct message *m = &s->queue[0];
    char what[32];
    snprintf(what, sizeof(what), "job %d", (int)(s->seq % 3));
    st_request_receive(lp, m->request, what);
    st_task_begin(lp, st_request_in(m->request, lp->gid), "work", what, NULL, &s->work);
    s->begun++;
    s->work_since = tw_now(lp);
    send(lp, lp->gid, draw(lp), (struct message){.what = WORK_DONE});
}

static void take(struct state *s, tw_lp *lp, const struct message *m)
{
    if (s->n == QUEUE) { /* full: refused at once, and added as a whole */
        st_step steps[2] = {{m->asked_at, "asked"}, {tw_now(lp), "refused"}};
        st_task_id id = {0, 0, 0};
        st_task_add(lp, &id, m->request, "refusal", "full", "door", m->asked_at, steps, 2);
        send(lp, m->from, 0.25, (struct message){.what = ANSWER, .request = m->request});
        return;
    }
    s->queue[s->n++] = *m;
    if (s->n == 1) {
        begin_work(s, lp);
    }
}

static void finish_work(struct state *s, tw_lp *lp)
{
    struct message m = s->queue[0];
    unsigned hits = (unsigned)(s->seq % 4);
    for (unsigned i = 0; i < hits; i++) {
        st_task_step(lp, s->work, i % 2 == 0 ? "hit" : "miss");
    }
    if (s->seq % 16 == 3) {
        st_task_detail(lp, s->work, "slow, \"odd\"");
    }
    s->hits += (hits + 1) / 2;
    s->hit_tasks += hits > 0;
    st_task_end(lp, s->work);
    s->ended++;
    s->busy += tw_now(lp) - s->work_since;
    s->total += tw_now(lp) - s->work_since;
    st_request_complete(lp, m.request);
    send(lp, m.from, 0.25, (struct message){.what = ANSWER, .request = m.request});
    memmove(s->queue, s->queue + 1, (QUEUE - 1) * sizeof(s->queue[0]));
    s->n--;
    if (s->n > 0) {
        begin_work(s, lp);
    }
}

static void ask(tw_lp *lp)
{
    struct message m = {.what = ASKED, .from = lp->gid, .asked_at = tw_now(lp)};
    st_task_id none = {0, 0, 0};
    st_request_initiate(lp, none, "ask", &m.request);
    tw_lpid dest = (tw_lpid)tw_rand_integer(lp->rng, 0, (long)g_tw_total_lps - 1);
    send(lp, dest % 4 == 0 ? 0 : dest, 0.25, m);
}

static void init(void *sv, tw_lp *lp)
{
    memset(sv, 0, sizeof(struct state));
    for (int i = 0; i < INITIAL; i++) {
        think(lp);
    }
}

/* No reverse handler: the engine saves states. */
static void forward(void *sv, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = sv;
    const struct message *m = msg;
    (void)bf;
    s->seq++;
    switch (m->what) {
    case ASK:
        ask(lp);
        break;
    case ASKED:
        take(s, lp, m);
        break;
    case WORK_DONE:
        finish_work(s, lp);
        break;
    default:
        st_request_finalize(lp, m->request);
        think(lp);
    }
    if (s->seq % 5 == 0) {
        do_wrong(s, lp);
    }
}

static void final(void *sv, tw_lp *lp)
{
    const struct state *s = sv;
    double busy = s->busy + (s->n > 0 ? g_tw_ts_end - s->work_since : 0.0);
    if (s->wrong != 0) {
        tw_error(TW_LOC, "%llu calls did not say what they should have",
                 (unsigned long long)s->wrong);
    }
    if (counts != NULL) {
        fprintf(counts, "CHECK %llu %llu %llu %.17g %.17g %llu %llu\n", (unsigned long long)lp->gid,
                (unsigned long long)s->begun, (unsigned long long)s->ended, busy, s->total,
                (unsigned long long)s->hits, (unsigned long long)s->hit_tasks);
    }
}

static tw_lptype types[2] = {{.init = init,
                              .event = forward,
                              .final = final,
                              .map = rank_of,
                              .state_sz = sizeof(struct state)},
                             {0}};

static const tw_optdef options[] = {
    TWOPT_GROUP("chores"), TWOPT_UINT("nlp", n_lps, "LPs per rank"),
    TWOPT_CHAR("counts", counts_prefix, "write what tracers must have found to files"),
    TWOPT_FLAG("odd", filter_numbers, "a tracer of the model's own, of tasks with odd numbers"),
    TWOPT_END()};

static const tw_lp_moves moves = {0}; /* all LPs have one type */

static bool is_odd(const st_task_record *task, void *arg)
{
    (void)arg;
    return task->id.number % 2 == 1;
}

static void print_row(const st_tracer_row *row, void *arg)
{
    fprintf(arg, "ODD %llu %s %llu %llu %.17g\n", (unsigned long long)row->lp, row->where,
            (unsigned long long)row->begun, (unsigned long long)row->ended, row->total);
}

int main(int argc, char **argv)
{
    st_tracer *tracer = NULL;
    tw_opt_add(options);
    tw_init(&argc, &argv);
    tw_define_lps(n_lps, sizeof(struct message));
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &types[0]);
    }
    st_lptype_name(&types[0], "clerk");
    tw_lp_map_moves(&moves);
    if (filter_numbers != 0 &&
        (st_tracer_create("total:kind=work", &tracer, NULL, 0) != ST_OK ||
         st_tracer_filter(tracer, is_odd, NULL) != ST_OK || st_tracer_attach(tracer) != ST_OK)) {
        tw_error(TW_LOC, "no tracer");
    }
    if (counts_prefix[0] != '\0') {
        char path[300];
        snprintf(path, sizeof(path), "%s.%lu", counts_prefix, (unsigned long)g_tw_mynode);
        counts = fopen(path, "w");
        if (counts == NULL) {
            tw_error(TW_LOC, "%s cannot be written", path);
        }
    }
    tw_run();
    if (tracer != NULL && counts != NULL) {
        st_tracer_read(tracer, g_tw_ts_end, print_row, counts);
    }
    tw_end();
    if (counts != NULL) {
        fclose(counts);
    }
    st_tracer_destroy(tracer);
    return 0;
}
