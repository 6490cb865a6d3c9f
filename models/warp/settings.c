/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.c - warp's own options: table, default values, limits.
 */
#include "model.h"

#include "common/program.h"

static struct wp_settings the_settings = {
    .ranks = 64,
    .events = 256,
    .kps = 16,
    .batch = 16,
    .fanout = 4,
    .prepare = 1,
    .remote = 0.1,
    .lookahead = 0.1,
    .span = 20,
    .bytes = 128,
    .bandwidth = 10,
    .machine = {.latency_ns = 1500,
                .send_ns = 50,
                .receive_ns = 50,
                .gap_ns = 20,
                .hop_ns = -1,
                .event_ns = 60,
                .undo_ns = 60,
                .turn_ns = 50,
                .vote_ns = 300,
                .switch_ns = 2000,
                .slice_ns = 3e6,
                .noise_every_ns = 1e6,
                .jitter = 0.1},
};

static struct chains the_chains;
static struct wp_source the_source;
static struct wp_model the_model;

#define COST the_settings.machine

const tw_optdef wp_options[] = {
    TWOPT_GROUP("warp: a Time Warp run of PHOLD (times in ns, phold time in mean offsets)"),
    TWOPT_UINT("ranks", the_settings.ranks, "<1..16777216> simulated ranks"),
    TWOPT_UINT("cores", the_settings.cores, "cores that they share; 0: one for each"),
    TWOPT_UINT("events", the_settings.events, "<1..1048576> events of a rank at the start"),
    TWOPT_DOUBLE("remote", the_settings.remote,
                 "<0..1> probability that an event goes to an LP drawn at random"),
    TWOPT_DOUBLE("lookahead", the_settings.lookahead,
                 "<0..0.99> least offset of an event; the mean is 1"),
    TWOPT_DOUBLE("span", the_settings.span,
                 "<1e-3..1e9> phold time at which the simulated run ends"),
    TWOPT_GROUP("warp: the simulated scheduler"),
    TWOPT_UINT("kps", the_settings.kps, "<1..256> KPs of a rank"),
    TWOPT_UINT("events-per-batch", the_settings.batch, "<1..65536> events of a batch"),
    TWOPT_UINT("interval", the_settings.interval,
               "<0|1..1048576> batches between GVT rounds; 0: adaptive"),
    TWOPT_UINT("prepare", the_settings.prepare,
               "<0..1> 1: colours change when a GVT round ends, as by MPI; 0: as in shared memory"),
    TWOPT_DOUBLE("bound", the_settings.bound,
                 "<0|1e-6..1e9> phold time ahead of GVT that may be executed; 0: adaptive"),
    TWOPT_UINT(
        "slots", the_settings.slots,
        "<0|16..16777216> events that a rank can hold, pending and uncommitted; 0: automatic"),
    TWOPT_GROUP("warp: the simulated machine"),
    TWOPT_DOUBLE("latency", COST.latency_ns, "<0..1e9> ns from the end of a send to the arrival"),
    TWOPT_DOUBLE("send-cost", COST.send_ns, "<0..1e9> ns of processor time to send a message"),
    TWOPT_DOUBLE("receive-cost", COST.receive_ns,
                 "<0..1e9> ns of processor time to receive a message"),
    TWOPT_DOUBLE("gap", COST.gap_ns, "<0..1e9> ns, least time between two sends"),
    TWOPT_DOUBLE("bytes", the_settings.bytes, "<0..1048576> bytes of a message"),
    TWOPT_DOUBLE("bandwidth", the_settings.bandwidth, "<1e-3..1e6> GB/s of a processor's link"),
    TWOPT_UINT("fanout", the_settings.fanout,
               "<1..16777216> children of a node of the tree of reductions"),
    TWOPT_DOUBLE("hop", COST.hop_ns,
                 "<NS> of an edge of that tree (-1: latency, send, receive and turn)"),
    TWOPT_DOUBLE("event-cost", COST.event_ns, "<0..1e9> ns to execute and commit an event"),
    TWOPT_DOUBLE("undo-cost", COST.undo_ns, "<0..1e9> ns to undo an event"),
    TWOPT_DOUBLE("turn-cost", COST.turn_ns,
                 "<1e-3..1e9> ns of an empty turn of the scheduler's loop"),
    TWOPT_DOUBLE("vote-cost", COST.vote_ns, "<0..1e9> ns to vote, or to take a result"),
    TWOPT_DOUBLE("switch-cost", COST.switch_ns, "<0..1e9> ns to change from a rank to another"),
    TWOPT_DOUBLE("slice", COST.slice_ns, "<0..1e12> ns after which a core serves its next rank"),
    TWOPT_DOUBLE("jitter", COST.jitter, "<0..1> standard deviation over mean of a batch's time"),
    TWOPT_DOUBLE("uneven", COST.uneven, "<0..1000> part by which the slowest rank is slower"),
    TWOPT_DOUBLE("noise", COST.noise_ns, "<0..1e9> ns of an interruption by the system"),
    TWOPT_DOUBLE("noise-every", COST.noise_every_ns,
                 "<1..1e12> ns between two interruptions, mean"),
    TWOPT_END(),
};

struct wp_settings *wp_settings(void)
{
    return &the_settings;
}

const struct wp_model *wp_model(void)
{
    return &the_model;
}

const struct chains *wp_chains(void)
{
    return &the_chains;
}

static bool numbers_check(const struct wp_settings *s, struct model_error *error)
{
    if (s->cores > s->ranks) {
        return model_fail(error, "--cores=%u is out of range: at most --ranks=%u", s->cores,
                          s->ranks);
    }
    const double hop_ns = s->machine.hop_ns;
    return hop_ns == -1 || (hop_ns >= 0 && hop_ns <= 1e9) ||
           model_fail(error, "--hop=%g is out of range: -1, or 0 to 1e9 ns", hop_ns);
}

/* Returns the number of slots that a rank needs: for its pending events, whose number fluctuates,
 * and for the uncommitted events that the bounds of optimism permit. */
static double slots_needed(const struct wp_model *m, double events)
{
    double most = (double)(m->lead_most > m->interval_most ? m->lead_most : m->interval_most);
    double ahead = m->bound > 0 ? 2 * (m->bound + 1) * events : most + 2 * events;
    double pending = events + 10 * sqrt(events) + 48;
    return ceil(1.25 * (pending + ROSS_MIN(ahead, most + 2 * events)));
}

static bool slots_fill(const struct wp_settings *s, struct wp_model *m, struct model_error *error)
{
    const double needed = slots_needed(m, s->events);
    if (s->slots == 0 && needed > WP_SLOTS_AUTO_MAX) {
        m->slots = (uint32_t)ROSS_MAX((double)WP_SLOTS_AUTO_MAX, 3.0 * s->events);
    } else {
        m->slots = s->slots != 0 ? s->slots : (uint32_t)needed;
    }
    m->reserve = m->slots / 8 + 1;
    return m->slots >= s->events + m->reserve + 1 ||
           model_fail(error,
                      "--slots=%u is too small for --events=%u: at least %.0f are needed, an "
                      "eighth of them for messages; leave --slots out to let the model choose",
                      m->slots, s->events, ceil(1.25 * s->events + 16));
}

static void machine_fill(const struct wp_settings *s, struct wp_model *m)
{
    struct wp_machine *c = &m->machine;
    *c = s->machine;
    c->byte_ns = s->bytes / s->bandwidth;
    if (c->hop_ns == -1) {
        c->hop_ns = c->latency_ns + c->send_ns + c->receive_ns + c->turn_ns;
    }
}

static bool model_fill(const struct wp_settings *s, struct wp_model *m, struct model_error *error)
{
    the_chains = (struct chains){s->ranks, s->kps, s->events, s->remote, s->lookahead};
    the_source = chains_source(&the_chains);
    *m = (struct wp_model){.source = &the_source,
                           .ranks = s->ranks,
                           .kps = s->kps,
                           .batch = s->batch,
                           .fanout = s->fanout,
                           .end = s->span,
                           .bound = s->bound,
                           .prepares = s->prepare != 0};
    wp_model_complete(m, s->cores, s->interval);
    machine_fill(s, m);
    if (g_tw_synchronization_protocol == CONSERVATIVE &&
        !(m->machine.latency_ns > 0 && m->machine.hop_ns > 0)) {
        return model_fail(error, "--synch=2 needs a time between processors: --latency and --hop "
                                 "must be greater than 0; use --synch=3");
    }
    return slots_fill(s, m, error);
}

bool wp_settings_check(int argc, char **argv, struct model_error *error)
{
    return model_setup_check(0, WP_DEFAULT_END, argc, argv, error) &&
           numbers_check(&the_settings, error) && model_fill(&the_settings, &the_model, error);
}
