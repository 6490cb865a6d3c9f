/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - the counts of all ranks, and results computed from them.
 *
 * All sums are integers, so that they do not depend on the number of ranks that execute the model.
 */
#include "lp.h"

#define N_COUNTS (sizeof(struct wp_counts) / sizeof(uint64_t))

static struct {
    struct wp_counts sums;
    uint64_t running; /* number of ranks for which the simulated run has not ended */
    uint64_t rounds;  /* maximum over the ranks of the number of rounds */
    uint64_t votes;   /* maximum over the ranks of the number of votes */
    double finished_ns, gvt;
} local = {.gvt = INFINITY};

void warp_lp_final(void *state, tw_lp *lp)
{
    const struct wp_processor *p = state;
    for (uint32_t i = 0; i < wp_ranks_of(wp_model(), (uint32_t)lp->gid); i++) {
        const struct wp_rank *r = &p->ranks[i];
        wp_counts_add(&local.sums, &r->counts);
        local.running += !r->done;
        local.rounds = ROSS_MAX(local.rounds, r->counts.rounds);
        local.votes = ROSS_MAX(local.votes, r->counts.votes);
        local.finished_ns = ROSS_MAX(local.finished_ns, r->done ? r->finished_ns : tw_now(lp));
        local.gvt = ROSS_MIN(local.gvt, r->gvt);
    }
}

void warp_report_heading(FILE *out, const struct wp_model *m)
{
    const struct wp_machine *c = &m->machine;
    const struct chains *chains = wp_chains();
    fprintf(out, "warp: phold     %u ranks on %u cores, %u events each, remote %g, lookahead %g\n",
            m->ranks, m->processors, chains->events, chains->remote, chains->lookahead);
    fprintf(out, "warp: rank      %u KPs, batches of %u, %u slots, ", m->kps, m->batch, m->slots);
    if (m->adapts) {
        fprintf(out, "adaptive interval, ");
    } else {
        fprintf(out, "GVT after %" PRIu64 " events, ", m->interval_most);
    }
    if (m->bound > 0) {
        fprintf(out, "bound %g\n", m->bound);
    } else {
        fprintf(out, "adaptive bound\n");
    }
    fprintf(out, "warp: costs     event %g ns, undo %g ns, send %g ns, receive %g ns, vote %g ns\n",
            c->event_ns, c->undo_ns, c->send_ns, c->receive_ns, c->vote_ns);
    fprintf(out, "warp: network   latency %g ns, %g ns per message, reductions %g ns per hop\n",
            c->latency_ns, ROSS_MAX(c->gap_ns, c->byte_ns), c->hop_ns);
    fprintf(out, "warp: state     %zu bytes per core\n", warp_state_bytes(m));
    fflush(out);
}

static void count_print(FILE *out, const char *name, uint64_t count, const char *unit)
{
    fprintf(out, "  %-14s %14" PRIu64 " %s\n", name, count, unit);
}

static void value_print(FILE *out, const char *name, double value, const char *unit)
{
    fprintf(out, "  %-14s %14.6g %s\n", name, value, unit);
}

static void results_print(FILE *out, const struct wp_model *m, const struct wp_counts *c,
                          uint64_t rounds, uint64_t votes, double finished_ns)
{
    const double net = (double)c->committed;
    const double time = finished_ns > 0 ? finished_ns : 1;
    fprintf(out, "\nwarp: results\n");
    value_print(out, "time", finished_ns / 1000, "us of the simulated machine");
    count_print(out, "executed", c->executed, "events");
    count_print(out, "undone", c->undone, "");
    count_print(out, "committed", c->committed, "");
    value_print(out, "efficiency", net > 0 ? 1 - (double)c->undone / net : 0,
                "1 - undone / committed");
    count_print(out, "sent", c->sent, "events to other ranks");
    count_print(out, "anti-messages", c->antis, "");
    count_print(out, "rollbacks", c->primary + c->secondary, "");
    count_print(out, "secondary", c->secondary, "of them");
    count_print(out, "rounds", rounds, "of GVT");
    count_print(out, "reductions", votes, "");
    value_print(out, "interval", rounds > 0 ? net / m->ranks / (double)rounds : 0,
                "committed events per rank and round");
    count_print(out, "held back", c->held_back, "turns, because of --slots");
    value_print(out, "rate", 1000 * net / time, "million events per second");
    value_print(out, "busy", (double)c->busy_ps / 1000 / time / m->processors, "of the time");
    value_print(out, "speed", net * m->machine.event_ns / time / m->processors,
                "of cores that only execute events once");
}

bool warp_report_results(FILE *out, const struct wp_model *m)
{
    struct wp_counts sums;
    uint64_t running, most[2], local_most[2] = {local.rounds, local.votes};
    double finished_ns, gvt;
    MPI_Reduce(&local.sums, &sums, N_COUNTS, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    MPI_Reduce(&local.running, &running, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    MPI_Reduce(local_most, most, 2, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_ROSS);
    MPI_Reduce(&local.finished_ns, &finished_ns, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_ROSS);
    MPI_Reduce(&local.gvt, &gvt, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_ROSS);
    uint64_t strange = sums.strange;
    if (tw_ismaster()) {
        results_print(out, m, &sums, most[0], most[1], finished_ns);
        if (running > 0) {
            fprintf(out, "warp: the run ended first: %" PRIu64 " ranks had not finished, GVT %g\n",
                    running, gvt);
        }
        if (strange > 0) {
            fprintf(stderr,
                    "warp: impossible: %" PRIu64 " anti-messages without their event, or "
                    "events undone before GVT\n",
                    strange);
        }
        fflush(out);
    }
    MPI_Bcast(&strange, 1, MPI_UINT64_T, 0, MPI_COMM_ROSS);
    return strange == 0;
}
