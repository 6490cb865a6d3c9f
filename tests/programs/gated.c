/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gated - a model for tests of requests to a running simulation: at each 16th of its first GVT
 * computations it creates the file GATE.N and waits until the file GATE has more than N bytes, N = 0,
 * 1, ... What a script does between these moments happens before the same computations, however fast
 * the machine is. After --gates of them the run goes on to its end.
 *
 * The LPs, of two named types, hand events on to LPs drawn at random, with callbacks of all kinds.
 */
#include <ross.h>
#include <st.h>

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#define LOOKAHEAD  0.1
#define GATE_GVTS  16u
#define PATIENCE_S 200
#define PAUSE_NS   2000000
#define HOPS_SHOWN 4

struct state {
    uint64_t received;
    double latest;
};

struct message {
    double before; /* value of latest, for the reverse handler */
    uint32_t hops;
};

static struct {
    char gate[1024];
    unsigned gates;
    unsigned lps;
    unsigned calls;
    double save_at;
    double crash_at;
    unsigned all_wait;
} own = {.lps = 16};

static const tw_optdef options[] = {
    TWOPT_GROUP("Model of the test"),
    TWOPT_CHAR("gate", own.gate, "<FILE> whose bytes open the gates"),
    TWOPT_UINT("gates", own.gates, "number of gates"),
    TWOPT_UINT("lps", own.lps, "LPs per rank"),
    TWOPT_DOUBLE("save-at", own.save_at,
                 "<T> LP 0 saves the flight recorder at its first event from T on"),
    TWOPT_DOUBLE("crash-at", own.crash_at, "<T> LP 0 ends the run by tw_error() likewise"),
    TWOPT_FLAG("all-wait", own.all_wait,
               "all ranks sleep at a gate: those that wait for rank 0 use a core each"),
    TWOPT_END(),
};

static bool gate_is_open(unsigned number)
{
    struct stat st;
    return stat(own.gate, &st) == 0 && st.st_size > (off_t)number;
}

/* Called at each GVT. Rank 0 waits, and the others with it, or for it in the next computation. */
static void at_gvt(tw_pe *pe, bool past_end)
{
    (void)past_end;
    unsigned gate = own.calls / GATE_GVTS;
    bool is_gate = own.calls++ % GATE_GVTS == 0 && gate < own.gates;
    time_t end = time(NULL) + PATIENCE_S;
    if (is_gate && pe->id == 0) {
        char path[sizeof own.gate + 16];
        snprintf(path, sizeof path, "%s.%u", own.gate, gate);
        FILE *mark = fopen(path, "w");
        if (mark != NULL) {
            fclose(mark);
        }
    }
    while (is_gate && (pe->id == 0 || own.all_wait) && !gate_is_open(gate)) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        if (time(NULL) > end) {
            tw_error(TW_LOC, "gate %u stays closed", gate);
        }
    }
}

static void send(tw_lp *lp, uint32_t hops)
{
    tw_lpid dest = tw_rand_ulong(lp->rng, 0, g_tw_total_lps - 1);
    tw_event *event = tw_event_new(dest, LOOKAHEAD + tw_rand_exponential(lp->rng, 1.0), lp);
    ((struct message *)tw_event_data(event))->hops = hops;
    tw_event_send(event);
}

static void init(void *state, tw_lp *lp)
{
    (void)state;
    send(lp, 0);
}

static void on_event(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = state;
    struct message *m = msg;
    (void)bf;
    m->before = s->latest;
    if (lp->gid == 0 && own.save_at > 0.0 && m->before < own.save_at && tw_now(lp) >= own.save_at) {
        st_flight_save("LP 0 is there");
    }
    if (lp->gid == 0 && own.crash_at > 0.0 && tw_now(lp) >= own.crash_at) {
        tw_error(TW_LOC, "a mistake");
    }
    s->received++;
    s->latest = tw_now(lp);
    send(lp, m->hops + 1);
}

static void reverse(void *state, tw_bf *bf, void *msg, tw_lp *lp)
{
    struct state *s = state;
    (void)bf;
    s->received--;
    s->latest = ((struct message *)msg)->before;
    tw_rand_reverse_unif(lp->rng);
    tw_rand_reverse_unif(lp->rng);
}

static void trace(void *msg, tw_lp *lp, char *buffer, int *collect_flag)
{
    (void)lp;
    (void)collect_flag;
    memcpy(buffer, &((struct message *)msg)->hops, HOPS_SHOWN);
}

static void stats(void *state, tw_lp *lp, char *buffer)
{
    (void)lp;
    memcpy(buffer, &((struct state *)state)->received, sizeof(uint64_t));
}

static void take_sample(void *state, tw_bf *bf, tw_lp *lp, void *to)
{
    (void)bf;
    (void)lp;
    memcpy(to, state, sizeof(struct state));
}

static st_model_types callbacks[] = {
    {trace, HOPS_SHOWN, trace, HOPS_SHOWN, stats, sizeof(uint64_t), NULL, NULL, 0},
    {trace, HOPS_SHOWN, trace, HOPS_SHOWN, stats, sizeof(uint64_t), take_sample, NULL,
     sizeof(struct state)},
};

static tw_lptype types[] = {
    {init, NULL, on_event, reverse, NULL, NULL, NULL, sizeof(struct state)},
    {init, NULL, on_event, reverse, NULL, NULL, NULL, sizeof(struct state)},
};

int main(int argc, char **argv)
{
    tw_opt_add(options);
    tw_init(&argc, &argv);
    g_tw_lookahead = LOOKAHEAD;
    tw_define_lps(own.lps, sizeof(struct message));
    st_lptype_name(&types[0], "left");
    st_lptype_name(&types[1], "right");
    for (tw_lpid i = 0; i < g_tw_nlp; i++) {
        tw_lp_settype(i, &types[i % 2]);
        st_model_settype(i, &callbacks[i % 2]);
    }
    g_tw_gvt_hook = at_gvt;
    tw_trigger_gvt_hook_every(1);
    tw_run();
    tw_end();
    return 0;
}
