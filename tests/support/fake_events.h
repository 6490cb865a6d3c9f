/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fake_events.h - events of the fake engine, and functions that drive the probes with them. Part of
 * fake_engine.h.
 */
#ifndef WARPSCOPE_TESTS_FAKE_EVENTS_H
#define WARPSCOPE_TESTS_FAKE_EVENTS_H

/* An event of the fake engine; its first member is the part that probes see. */
struct fake_event {
    tw_event view;
    void *msg;        /* the message that follows the event, see probe_message(): this pointer */
    uint64_t numbers; /* numbers of its LP that its execution took */
    double stamp;     /* given to probe_stamp() last before it was executed */
};

static inline void fake_event_init(struct fake_event *event, tw_lpid src, tw_lpid dest,
                                   double send_ts, double recv_ts, void *msg)
{
    *event = (struct fake_event){.msg = msg,
                                 .view = {.dest_lp = &fake.lps[dest],
                                          .send_lp = src,
                                          .dest_lpid = dest,
                                          .send_ts = send_ts,
                                          .recv_ts = recv_ts,
                                          .prio = 1.0}};
}

void probe_set_places(struct probe_place *places)
{
    (void)places;
}

void probe_number_sends(int32_t number)
{
    (void)number;
}

uint32_t probe_events_not_sent(const tw_event *e)
{
    (void)e;
    return 0;
}

void probe_keep_stamps(bool on)
{
    (void)on;
}

void probe_stamp(double seconds)
{
    fake.stamp = seconds;
}

double probe_stamp_of(const tw_event *e)
{
    return ((const struct fake_event *)(const void *)e)->stamp;
}

void probe_stamp_messages(bool stamps)
{
    fake.stamps = stamps;
}

struct probe_rollback_cause probe_rollback_cause(const tw_event *e)
{
    (void)e;
    return fake.cause;
}

/* Begin and end code of the event's LP. */
static inline void fake_enter(enum probe_context context, struct fake_event *event)
{
    fake.now = (struct probe_now){context, event->view.dest_lp, event->view.recv_ts};
    fake.pe.cur_event = (tw_event *)(void *)event;
    event->view.state.owner = context == PROBE_IN_EVENT ? EVENT_PROCESSING : EVENT_PROCESSED;
}

static inline void fake_leave(void)
{
    fake.now = (struct probe_now){PROBE_IN_NOTHING, NULL, fake.pe.GVT};
    fake.pe.cur_event = NULL;
}

static inline void fake_execute(struct fake_event *event)
{
    uint64_t before = fake.numbers[event->view.dest_lp->id];
    if (PROBE_IS_WANTED(&fake.probes, event_executed)) {
        PROBE_CALL(&fake.probes, event_executed, &event->view, NULL);
    }
    event->numbers = fake.numbers[event->view.dest_lp->id] - before;
    event->stamp = fake.stamp;
}

/* A KP undoes its youngest event first, and commits its oldest first. */
static inline void fake_undo(struct fake_event *event)
{
    fake.numbers[event->view.dest_lp->id] -= event->numbers;
    if (PROBE_IS_WANTED(&fake.probes, event_undone)) {
        PROBE_CALL(&fake.probes, event_undone, &event->view, false);
    }
}

static inline void fake_commit(struct fake_event *event)
{
    if (PROBE_IS_WANTED(&fake.probes, event_committed)) {
        PROBE_CALL(&fake.probes, event_committed, &event->view, NULL);
    }
}

/* Rolls the KP of the event back, which undoes n events. */
static inline void fake_rollback(struct fake_event *event, enum probe_rollback why, uint64_t undone)
{
    if (PROBE_IS_WANTED(&fake.probes, rollback_begin)) {
        PROBE_CALL(&fake.probes, rollback_begin, &event->view, why);
    }
    if (PROBE_IS_WANTED(&fake.probes, rollback_end)) {
        PROBE_CALL(&fake.probes, rollback_end, event->view.dest_lp->kp, why, undone);
    }
}

static inline void fake_gvt(double gvt)
{
    fake.pe.GVT = gvt;
    if (PROBE_IS_WANTED(&fake.probes, gvt_advanced)) {
        PROBE_CALL(&fake.probes, gvt_advanced, &fake.pe, gvt);
    }
}

/* Makes a PE with n LPs and default options. Call it after MPI_Init(). */
static inline void fake_begin(tw_lpid n_lps)
{
    int rank = 0;
    MPI_COMM_ROSS = MPI_COMM_WORLD;
    MPI_Comm_rank(MPI_COMM_ROSS, &rank);
    session_reset();
    fake = (struct fake_engine){.pe = {.id = (tw_peid)rank}, .phase = TW_PHASE_other};
    fake.lps = calloc(n_lps, sizeof(*fake.lps));
    fake.lp_list = calloc(n_lps, sizeof(*fake.lp_list));
    fake.states = calloc(n_lps, 64);
    fake.numbers = calloc(n_lps, sizeof(*fake.numbers));
    for (tw_kpid k = 0; k < 4; k++) {
        fake.kps[k] = (tw_kp){.id = k, .pe = &fake.pe};
        fake.kp_list[k] = &fake.kps[k];
    }
    for (tw_lpid i = 0; i < n_lps; i++) {
        fake.lps[i] = (tw_lp){.gid = (tw_lpid)rank * n_lps + i,
                              .id = i,
                              .pe = &fake.pe,
                              .kp = &fake.kps[i % 4],
                              .cur_state = fake.states + 64 * i};
        fake.lp_list[i] = &fake.lps[i];
    }
    g_tw_pe = &fake.pe;
    g_tw_mynode = (tw_peid)rank;
    g_tw_lp = fake.lp_list;
    g_tw_kp = fake.kp_list;
    g_tw_nlp = n_lps;
    g_tw_total_lps = n_lps * tw_nnodes();
    g_tw_lp_typemap = NULL;
}

static inline enum tw_status fake_setup(void)
{
    enum tw_status status = tw_extension.setup(&fake.pe, &fake.probes);
    return status == TW_OK ? tw_extension.start(&fake.pe, &fake.probes) : status;
}

static inline void fake_finish(void)
{
    tw_extension.finish(&fake.pe, RUN_END_TIME);
}

static inline void fake_end(void)
{
    tw_extension.fini();
    if (fake.observer_bytes != 0 || probe_is_guarded()) {
        fprintf(stderr, "%lld bytes are still deferred, %u observers called\n",
                (long long)fake.observer_bytes, fake.observer_depth);
        exit(3);
    }
    free(fake.lps);
    free(fake.lp_list);
    free(fake.states);
    free(fake.numbers);
    fake = (struct fake_engine){0};
}

#endif
