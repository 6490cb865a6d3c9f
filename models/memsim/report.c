/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - the counts of all LPs, and results computed from them.
 *
 * All counts are integers, so that their sums do not depend on the number of ranks. A sum of times
 * can hold up to 2.8e14 ns, which it reaches after 68 s if 4096 requests are always in flight. The
 * final functions of LPs check the states and add the counts to this rank's sums, because states
 * cannot be read after tw_run().
 */
#include "model.h"

/* Indices of the array `latest`, which holds three virtual times of this rank: the latest end of a
 * launch, of a reply at a slice's port, and of a line on a channel's bus. The second and the third
 * can be after the end of the run, because slices and channels plan ahead. */
enum { LAUNCH_END, REPLY_END, LINE_END, N_LATEST };

/* Sums over the LPs of a kind, in the members of their states that are counts. */
static struct ms_launcher launchers;
static struct ms_sm sms;
static struct ms_slice slices;
static struct ms_channel channels;
/* Number of counts at the beginning of the states of the latter three kinds. */
#define SM_COUNTS      (offsetof(struct ms_sm, in_free) / sizeof(uint64_t))
#define SLICE_COUNTS   (offsetof(struct ms_slice, clock) / sizeof(uint64_t))
#define CHANNEL_COUNTS (offsetof(struct ms_channel, bus_free) / sizeof(uint64_t))

static struct {
    double latest[N_LATEST];
    uint64_t begun[MS_STREAMS_MAX];
} local;

/* Adds the first n words of a state to those of a sum. */
static void counts_add(void *sum, const void *state, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ((uint64_t *)sum)[i] += ((const uint64_t *)state)[i];
    }
}

void ms_launcher_final(void *state, tw_lp *lp)
{
    const struct ms_launcher *l = state;
    launchers.finished_launches += l->finished_launches;
    launchers.ticks += l->ticks;
    local.latest[LAUNCH_END] = ROSS_MAX(local.latest[LAUNCH_END], l->finished);
    local.begun[lp->gid] = l->begun;
}

/* Ends the run if `broken` is not NULL. broken: text about an invariant that the LP's state
 * violates. Without this check, an invalid state would make the results wrong without an error
 * message. */
static void state_expect(const char *broken, const tw_lp *lp)
{
    if (broken != NULL) {
        tw_error(TW_LOC, "the state of LP %" PRIu64 " is wrong; it should be that %s",
                 (uint64_t)lp->gid, broken);
    }
}

void ms_sm_final(void *state, tw_lp *lp)
{
    struct ms_sm *sm = state;
    state_expect(ms_sm_check(ms_model(), sm), lp);
    counts_add(&sms, sm, SM_COUNTS);
}

void ms_slice_final(void *state, tw_lp *lp)
{
    struct ms_slice *s = state;
    state_expect(ms_slice_check(ms_model(), s), lp);
    counts_add(&slices, s, SLICE_COUNTS);
    local.latest[REPLY_END] = ROSS_MAX(local.latest[REPLY_END], s->out_free);
}

void ms_channel_final(void *state, tw_lp *lp)
{
    (void)lp;
    const struct ms_channel *c = state;
    counts_add(&channels, c, CHANNEL_COUNTS);
    local.latest[LINE_END] = ROSS_MAX(local.latest[LINE_END], c->bus_free);
}

static uint64_t launches_count(const struct ms_script *script)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < script->n_streams; i++) {
        n += script->streams[i].n_launches;
    }
    return n;
}

void ms_report_heading(FILE *out, const struct ms_model *m, const struct ms_script *script)
{
    fprintf(out, "memsim: input    %u stream%s, %" PRIu64 " launches, %" PRIu64 " accesses\n",
            m->n_streams, m->n_streams == 1 ? "" : "s", launches_count(script), script->accesses);
    fprintf(out, "memsim: SMs      %u, each with %u requests under way; CTAs %s\n", m->sms,
            m->outstanding, m->round_robin ? "round robin" : "as recorded");
    fprintf(out, "memsim: network  ports of %g GB/s, %g ns, headers of %u bytes\n",
            1 / m->ns_per_byte_port, m->network_latency, m->header);
    fprintf(out, "memsim: L2       %.6g KiB in %u slices, %u ways, lines of %u bytes, %g ns\n",
            (double)m->slices * m->sets * m->ways * m->line / 1024, m->slices, m->ways, m->line,
            m->l2_latency);
    fprintf(out, "memsim: DRAM     %u channels of %.6g GB/s, %u banks, rows of %u bytes\n",
            m->channels, m->line / m->burst, m->banks, m->row_lines * m->line);
    fflush(out);
}

static double percent(double part, double of)
{
    return of > 0 ? 100 * part / of : 0;
}

static void accesses_print(FILE *out, const struct ms_model *m, double time, double time_of_replies)
{
    static const char *const names[3] = {"loads", "stores", "atomics"};
    uint64_t accesses = sms.accesses[0] + sms.accesses[1] + sms.accesses[2];
    fprintf(out, "\nmemsim: accesses\n");
    for (unsigned i = 0; i < 3; i++) {
        fprintf(out, "  %-12s %13" PRIu64 " with %" PRIu64 " bytes\n", names[i], sms.accesses[i],
                sms.bytes[i]);
    }
    fprintf(out, "  %-12s %13" PRIu64 " of SMs to slices\n", "requests", sms.requests);
    fprintf(out, "  %-12s %13.6f ns, mean of an access\n", "latency",
            ms_mean_ns(sms.latency, accesses));
    fprintf(out, "  %-12s %13" PRIu64 " times an SM had as many under way as it may\n", "blocked",
            sms.blocked);
    fprintf(out, "memsim: network\n");
    fprintf(out, "  %-12s %13.2f %% of the time in use\n", "SM ports",
            percent((double)sms.port_ticks / MS_TICKS_PER_NS, time * m->sms));
    fprintf(out, "  %-12s %13.2f %% of the time in use\n", "slice ports",
            percent((double)slices.port_ticks / MS_TICKS_PER_NS, time_of_replies * m->slices));
    fprintf(out, "  %-12s %13.6f ns before slices, %.6f ns behind, %.6f ns before SMs\n", "waiting",
            ms_mean_ns(slices.wait, slices.requests),
            ms_mean_ns(slices.reply_wait, slices.requests), ms_mean_ns(sms.wait, slices.requests));
}

static void memory_print(FILE *out, const struct ms_model *m, double time)
{
    double n = (double)(slices.hits + slices.merges + slices.misses);
    uint64_t lines = channels.reads + channels.writes;
    double bandwidth = time > 0 ? (double)lines * m->line / time : 0;
    double most = m->channels * (m->line / m->burst);
    fprintf(out, "memsim: L2 cache\n");
    fprintf(out, "  %-12s %13" PRIu64 " are %.2f %%\n", "hits", slices.hits,
            percent((double)slices.hits, n));
    fprintf(out, "  %-12s %13" PRIu64 " are %.2f %%, and %" PRIu64 " joined one\n", "misses",
            slices.misses, percent((double)slices.misses, n), slices.merges);
    fprintf(out, "  %-12s %13" PRIu64 " for lack of MSHRs\n", "stalled", slices.stalls);
    fprintf(out, "  %-12s %13" PRIu64 " lines\n", "evicted", slices.evictions);
    fprintf(out, "  %-12s %13" PRIu64 " lines\n", "written back", slices.writebacks);
    fprintf(out, "memsim: DRAM\n");
    fprintf(out, "  %-12s %13" PRIu64 " lines\n", "reads", channels.reads);
    fprintf(out, "  %-12s %13" PRIu64 " lines\n", "writes", channels.writes);
    fprintf(out, "  %-12s %13" PRIu64 " are %.2f %%\n", "row hits", channels.row_hits,
            percent((double)channels.row_hits, (double)lines));
    fprintf(out, "  %-12s %13" PRIu64 " of them %" PRIu64 " had to close another first\n",
            "rows opened", lines - channels.row_hits,
            lines - channels.row_hits - channels.row_opens);
    fprintf(out, "  %-12s %13.6f GB/s, %.2f %% of %.6g GB/s\n", "bandwidth", bandwidth,
            percent(bandwidth, most), most);
    fprintf(out, "  %-12s %13.6f ns before banks and bus\n", "waiting",
            ms_mean_ns(channels.wait, lines));
}

/* Adds up n counts over all ranks, on rank 0. */
static void counts_reduce(void *sum, size_t n)
{
    const void *from = tw_ismaster() ? MPI_IN_PLACE : sum;
    MPI_Reduce(from, sum, (int)n, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
}

void ms_report_results(FILE *out, const struct ms_model *m, const struct ms_script *script)
{
    double latest[N_LATEST];
    counts_reduce(&launchers, sizeof launchers / sizeof(uint64_t));
    counts_reduce(&sms, SM_COUNTS);
    counts_reduce(&slices, SLICE_COUNTS);
    counts_reduce(&channels, CHANNEL_COUNTS);
    counts_reduce(local.begun, MS_STREAMS_MAX);
    MPI_Reduce(local.latest, latest, N_LATEST, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_ROSS);
    if (!tw_ismaster()) {
        return;
    }
    uint64_t launches = launches_count(script);
    bool complete = launchers.finished_launches == launches;
    /* Virtual time that the run has reached: --end, or GVT if a signal ended the run earlier. */
    double come_to = ROSS_MIN(g_tw_pe->GVT, g_tw_ts_end);
    double time = complete ? latest[LAUNCH_END] : come_to;
    accesses_print(out, m, time, ROSS_MAX(time, latest[REPLY_END]));
    memory_print(out, m, ROSS_MAX(time, latest[LINE_END]));
    fprintf(out, "memsim: kernels\n");
    fprintf(out, "  %-12s %13" PRIu64 " of %" PRIu64 ", mean time %.6f ns\n", "ended",
            launchers.finished_launches, launches,
            ms_mean_ns(launchers.ticks, launchers.finished_launches));
    if (complete) {
        fprintf(out, "memsim: all launches have ended, the last one at %.6f ns\n",
                latest[LAUNCH_END]);
    } else if (come_to == g_tw_ts_end) {
        fprintf(out, "memsim: launches were cut off by --end=%g ns\n", g_tw_ts_end);
    } else {
        fprintf(out, "memsim: the run ended at %.6f ns, before its launches\n", come_to);
    }
    fflush(out);
}

const uint64_t *ms_report_begun(void)
{
    return local.begun;
}
