/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.c - torus's own options: table, default values, limits.
 */
#include "settings.h"

#include "common/program.h"

#define MAX_TIME_NS 1e9

/* Options that the model needs in another form. */
static struct {
    char dims[64];
    enum { POISSON, PERIODIC } arrivals;
    double bandwidth; /* bandwidth of a link in GB/s, which equals bytes per ns */
    unsigned packet;  /* size of a packet in bytes */
} the_settings = {.dims = "8x8", .bandwidth = 8, .packet = 256};

/* As the options give it; to_settings_check() completes it. */
static struct to_model the_model = {
    .rate = 0.3,
    .latency = 20,
    .router_delay = 20,
    .buffers = 8,
    .source_queue = 16,
    .warmup = -1,
    .stop = -1,
};

const tw_optdef to_options[] = {
    TWOPT_GROUP("torus: packets in a torus network (times in ns)"),
    TWOPT_CHAR("dims", the_settings.dims, "<NxN> nodes in each dimension, such as 8x8x4"),
    TWOPT_WORD("pattern", the_model.pattern,
               "<uniform|neighbour|complement|tornado> where packets go"),
    TWOPT_WORD("arrivals", the_settings.arrivals,
               "<poisson|periodic> when packets are made; periodic: all at the same times"),
    TWOPT_DOUBLE("rate", the_model.rate,
                 "<1e-9..1> packets per terminal and transmission time, more than 0, at most 1"),
    TWOPT_DOUBLE("bandwidth", the_settings.bandwidth, "<1e-3..1e6> GB/s of every link"),
    TWOPT_DOUBLE("latency", the_model.latency, "<0..1e6> ns of a link; the lookahead of --synch=2"),
    TWOPT_DOUBLE("router-delay", the_model.router_delay, "<0..1e6> ns of a router"),
    TWOPT_UINT("packet", the_settings.packet, "<1..1048576> bytes, size of all packets"),
    TWOPT_UINT("buffers", the_model.buffers,
               "<1..1000> room at the end of a link for each virtual channel, packets"),
    TWOPT_UINT("source-queue", the_model.source_queue,
               "<1..10000> room for packets that wait for the network, packets per terminal"),
    TWOPT_DOUBLE("warmup", the_model.warmup,
                 "<NS> time before statistics begin (-1: a fifth of --stop)"),
    TWOPT_DOUBLE("stop", the_model.stop,
                 "<NS> time after which no packets are made (-1: four fifths of --end)"),
    TWOPT_END(),
};

const struct to_model *to_model(void)
{
    return &the_model;
}

static double ticks_round(double ns)
{
    return rint(ns * TO_TICKS_PER_NS) / TO_TICKS_PER_NS;
}

static bool model_fill(struct to_model *m, struct model_error *error)
{
    double latency = m->latency, warmup = m->warmup;
    const char *wrong = to_geometry_parse(&m->geometry, the_settings.dims);
    if (wrong != NULL) {
        return model_fail(error, "--dims=%s: %s", the_settings.dims, wrong);
    }
    m->periodic = the_settings.arrivals == PERIODIC;
    m->send_time = ticks_round(the_settings.packet / the_settings.bandwidth);
    m->latency = ticks_round(latency);
    m->router_delay = ticks_round(m->router_delay);
    m->end = g_tw_ts_end;
    m->stop = m->stop == -1 ? 0.8 * m->end : m->stop;
    m->warmup = warmup == -1 ? 0.2 * m->stop : warmup;
    if (m->send_time == 0) {
        return model_fail(error,
                          "--bandwidth=%g, --packet=%u: sending a packet takes less than "
                          "1/2048 ns; make links slower or packets larger",
                          the_settings.bandwidth, the_settings.packet);
    }
    if (!(m->stop >= 0 && m->stop <= m->end)) {
        return model_fail(error, "--stop=%g is out of range: 0 to --end=%g", m->stop, m->end);
    }
    if (!(m->warmup >= 0 && m->warmup < m->stop)) {
        return model_fail(error,
                          "--warmup=%g is out of range: 0 up to, but not including, --stop=%g",
                          warmup, m->stop);
    }
    if (g_tw_synchronization_protocol == CONSERVATIVE && m->latency == 0) {
        return model_fail(error,
                          "--synch=2 needs links with a latency, and --latency=%g leaves none; "
                          "use --synch=3",
                          latency);
    }
    return true;
}

bool to_settings_check(int argc, char **argv, struct model_error *error)
{
    return model_setup_check(1, MAX_TIME_NS, argc, argv, error) && model_fill(&the_model, error);
}
