/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - the counts of all LPs, and results computed from them.
 *
 * All counts are integers, so that their sums do not depend on the number of ranks. The final
 * functions of LPs add the counts to the sums of this rank, because the model cannot read states
 * after tw_run().
 */
#include "model.h"

enum {
    MADE,
    REFUSED,
    INJECTED,
    RECEIVED,
    HOPS,
    HOPS_SQUARED,
    COUNTED,
    TICKS,
    TICKS_COUNTED,
    FAST,
    STALLS,
    LEFT_WAITING,
    CREDITS_OUT,
    N_SUMS
};

static struct {
    uint64_t sums[N_SUMS];
    uint64_t busiest; /* number of packets on this rank's busiest link from --warmup to --stop */
} local;

void to_terminal_final(void *state, tw_lp *lp)
{
    (void)lp;
    const struct to_terminal *t = state;
    local.sums[MADE] += t->made;
    local.sums[REFUSED] += t->refused;
    local.sums[INJECTED] += t->injected;
    local.sums[RECEIVED] += t->received;
    local.sums[HOPS] += t->hops;
    local.sums[HOPS_SQUARED] += t->hops_squared;
    local.sums[COUNTED] += t->counted;
    local.sums[TICKS] += t->ticks;
    local.sums[TICKS_COUNTED] += t->ticks_counted;
    local.sums[FAST] += t->fast;
    local.sums[LEFT_WAITING] += t->waiting;
    local.sums[CREDITS_OUT] += to_model()->buffers - t->credits;
}

void to_router_final(void *state, tw_lp *lp)
{
    (void)lp;
    const struct to_model *m = to_model();
    const struct to_router *r = state;
    for (unsigned port = 0; port < to_terminal_port(&m->geometry); port++) {
        const struct to_output *out = &r->outputs[port];
        local.sums[STALLS] += out->stalls;
        local.busiest = ROSS_MAX(local.busiest, out->counted);
        for (unsigned vc = 0; vc < TO_VCS; vc++) {
            local.sums[CREDITS_OUT] += m->buffers - out->credits[vc];
        }
    }
}

void to_report_heading(FILE *out, const struct to_model *m)
{
    const struct to_geometry *g = &m->geometry;
    static const char *const patterns[] = {"uniform", "neighbour", "complement", "tornado"};
    fprintf(out, "torus: network  %u nodes in %u dimension%s of ", g->n_nodes, g->n_dims,
            g->n_dims == 1 ? "" : "s");
    for (unsigned d = 0; d < g->n_dims; d++) {
        fprintf(out, "%s%u", d == 0 ? "" : "x", g->radix[d]);
    }
    fprintf(out, ", %u links\n", 2 * g->n_dims * g->n_nodes);
    fprintf(out, "torus: hop      %g ns to send, %g ns link, %g ns router\n", m->send_time,
            m->latency, m->router_delay);
    fprintf(out, "torus: traffic  %s, %s, rate %g\n", patterns[m->pattern],
            m->periodic ? "periodic" : "poisson", m->rate);
    fprintf(out, "torus: time     %g ns, statistics from %g ns on, no new packets from %g ns on\n",
            m->end, m->warmup, m->stop);
    fflush(out);
}

/* Prints the mean number of hops of all created packets, with the half-width of its 95 % confidence
 * interval. The interval is valid because the destinations are independent and numerous. */
static void hops_print(FILE *out, const struct to_model *m, const uint64_t *sums)
{
    double n = (double)sums[MADE];
    double mean = (double)sums[HOPS] / n;
    double variance = ((double)sums[HOPS_SQUARED] / n - mean * mean) * n / (n - 1);
    double half_width = n > 1 ? 1.96 * sqrt(ROSS_MAX(variance, 0) / n) : 0;
    fprintf(out, "  %-12s %13.6g +- %-9.3g links, exact %.6g\n", "mean hops", mean, half_width,
            to_mean_hops(&m->geometry, m->pattern));
}

static void results_print(FILE *out, const struct to_model *m, const uint64_t *sums,
                          uint64_t busiest)
{
    uint64_t on_the_way = sums[INJECTED] - sums[RECEIVED] + sums[LEFT_WAITING];
    double time = m->stop - m->warmup;
    double most = to_busiest_link(&m->geometry, m->pattern);
    fprintf(out, "\ntorus: packets\n");
    fprintf(out, "  %-12s %13" PRIu64 "\n", "made", sums[MADE]);
    fprintf(out, "  %-12s %13" PRIu64 " for lack of room in the source queues\n", "refused",
            sums[REFUSED]);
    fprintf(out, "  %-12s %13" PRIu64 " of them %" PRIu64 " unhindered\n", "received",
            sums[RECEIVED], sums[FAST]);
    if (sums[MADE] > 0) {
        hops_print(out, m, sums);
    }
    if (sums[TICKS_COUNTED] > 0) {
        fprintf(out, "  %-12s %13.6f ns, unhindered over the mean hops %.6f ns\n", "mean latency",
                (double)sums[TICKS] / TO_TICKS_PER_NS / (double)sums[TICKS_COUNTED],
                to_mean_hops(&m->geometry, m->pattern) *
                        (m->send_time + m->latency + m->router_delay) +
                    m->send_time);
    }
    fprintf(out, "torus: throughput, in packets per terminal and transmission time\n");
    fprintf(out, "  %-12s %13.6f offered %g, bound %.6f\n", "accepted",
            (double)sums[COUNTED] * m->send_time / (time * m->geometry.n_nodes), m->rate,
            most > 1 ? 1 / most : 1.0);
    fprintf(out, "  %-12s %13.6f of the time in use\n", "busiest link",
            (double)busiest * m->send_time / time);
    fprintf(out, "  %-12s %13" PRIu64 " times a free link had to wait for credits\n", "stalls",
            sums[STALLS]);
    if (on_the_way == 0 && sums[CREDITS_OUT] == 0) {
        fprintf(out, "torus: all packets have arrived and all credits are back\n");
    } else {
        fprintf(out,
                "torus: at the end %" PRIu64 " packets had not arrived and %" PRIu64
                " credits were out;\ntorus: with a longer --end or an earlier --stop the network "
                "drains\n",
                on_the_way, sums[CREDITS_OUT]);
    }
    fflush(out);
}

void to_report_results(FILE *out, const struct to_model *m)
{
    uint64_t sums[N_SUMS];
    uint64_t busiest;
    MPI_Reduce(local.sums, sums, N_SUMS, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    MPI_Reduce(&local.busiest, &busiest, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_ROSS);
    if (tw_ismaster()) {
        results_print(out, m, sums, busiest);
    }
}
