/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.c - the counts of all LPs, and results computed from them.
 *
 * All counts are integers, so that their sums do not depend on the number of ranks. A sum of times
 * can hold up to 2.8e14 ns, which it reaches after 68 s if 4096 requests are always in flight. The
 * final functions of LPs check the states and add the counts to this rank's sums, because states
 * cannot be read after tw_run().
 */
#include "report.h"

enum {
    LOADS,
    STORES,
    ATOMICS,
    BYTES_LOADED,
    BYTES_STORED,
    BYTES_ATOMIC,
    REQUESTS,
    LATENCY,
    REPLY_WAIT_IN,
    BLOCKED,
    SM_PORT,
    AT_SLICES,
    HITS,
    MERGES,
    MISSES,
    STALLS,
    EVICTIONS,
    WRITEBACKS,
    SLICE_WAIT,
    REPLY_WAIT_OUT,
    SLICE_PORT,
    READS,
    WRITES,
    ROW_HITS,
    ROW_OPENS,
    ROW_CONFLICTS,
    BUS,
    DRAM_WAIT,
    FINISHED,
    KERNEL_TICKS,
    N_SUMS
};

/* Indices of the array `latest`, which holds three virtual times of this rank: the latest end of a
 * launch, of a reply at a slice's port, and of a line on a channel's bus. The second and the third
 * can be after the end of the run, because slices and channels plan ahead. */
enum { LAUNCH_END, REPLY_END, LINE_END, N_LATEST };

static struct {
    uint64_t sums[N_SUMS];
    double latest[N_LATEST];
    uint64_t begun[MS_STREAMS_MAX];
} local;

void ms_launcher_final(void *state, tw_lp *lp)
{
    const struct ms_launcher *l = state;
    local.sums[FINISHED] += l->finished_launches;
    local.sums[KERNEL_TICKS] += l->ticks;
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
    for (unsigned i = 0; i < 3; i++) {
        local.sums[LOADS + i] += sm->accesses[i];
        local.sums[BYTES_LOADED + i] += sm->bytes[i];
    }
    local.sums[REQUESTS] += sm->requests;
    local.sums[LATENCY] += sm->latency;
    local.sums[REPLY_WAIT_IN] += sm->wait;
    local.sums[BLOCKED] += sm->blocked;
    local.sums[SM_PORT] += sm->port_ticks;
}

void ms_slice_final(void *state, tw_lp *lp)
{
    struct ms_slice *s = state;
    state_expect(ms_slice_check(ms_model(), s), lp);
    local.sums[AT_SLICES] += s->requests;
    local.sums[HITS] += s->hits;
    local.sums[MERGES] += s->merges;
    local.sums[MISSES] += s->misses;
    local.sums[STALLS] += s->stalls;
    local.sums[EVICTIONS] += s->evictions;
    local.sums[WRITEBACKS] += s->writebacks;
    local.sums[SLICE_WAIT] += s->wait;
    local.sums[REPLY_WAIT_OUT] += s->reply_wait;
    local.sums[SLICE_PORT] += s->port_ticks;
    local.latest[REPLY_END] = ROSS_MAX(local.latest[REPLY_END], s->out_free);
}

void ms_channel_final(void *state, tw_lp *lp)
{
    (void)lp;
    const struct ms_channel *c = state;
    local.sums[READS] += c->reads;
    local.sums[WRITES] += c->writes;
    local.sums[ROW_HITS] += c->row_hits;
    local.sums[ROW_OPENS] += c->row_opens;
    local.sums[ROW_CONFLICTS] += c->row_conflicts;
    local.sums[BUS] += c->bus_ticks;
    local.sums[DRAM_WAIT] += c->wait;
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

static void accesses_print(FILE *out, const struct ms_model *m, const uint64_t *sums, double time,
                           double time_of_replies)
{
    static const char *const names[3] = {"loads", "stores", "atomics"};
    uint64_t accesses = sums[LOADS] + sums[STORES] + sums[ATOMICS];
    fprintf(out, "\nmemsim: accesses\n");
    for (unsigned i = 0; i < 3; i++) {
        fprintf(out, "  %-12s %13" PRIu64 " with %" PRIu64 " bytes\n", names[i], sums[LOADS + i],
                sums[BYTES_LOADED + i]);
    }
    fprintf(out, "  %-12s %13" PRIu64 " of SMs to slices\n", "requests", sums[REQUESTS]);
    fprintf(out, "  %-12s %13.6f ns, mean of an access\n", "latency",
            ms_mean_ns(sums[LATENCY], accesses));
    fprintf(out, "  %-12s %13" PRIu64 " times an SM had as many under way as it may\n", "blocked",
            sums[BLOCKED]);
    fprintf(out, "memsim: network\n");
    fprintf(out, "  %-12s %13.2f %% of the time in use\n", "SM ports",
            percent((double)sums[SM_PORT] / MS_TICKS_PER_NS, time * m->sms));
    fprintf(out, "  %-12s %13.2f %% of the time in use\n", "slice ports",
            percent((double)sums[SLICE_PORT] / MS_TICKS_PER_NS, time_of_replies * m->slices));
    fprintf(out, "  %-12s %13.6f ns before slices, %.6f ns behind, %.6f ns before SMs\n", "waiting",
            ms_mean_ns(sums[SLICE_WAIT], sums[AT_SLICES]),
            ms_mean_ns(sums[REPLY_WAIT_OUT], sums[AT_SLICES]),
            ms_mean_ns(sums[REPLY_WAIT_IN], sums[AT_SLICES]));
}

static void memory_print(FILE *out, const struct ms_model *m, const uint64_t *sums, double time)
{
    double n = (double)(sums[HITS] + sums[MERGES] + sums[MISSES]);
    uint64_t lines = sums[READS] + sums[WRITES];
    double bandwidth = time > 0 ? (double)lines * m->line / time : 0;
    double most = m->channels * (m->line / m->burst);
    fprintf(out, "memsim: L2 cache\n");
    fprintf(out, "  %-12s %13" PRIu64 " are %.2f %%\n", "hits", sums[HITS],
            percent((double)sums[HITS], n));
    fprintf(out, "  %-12s %13" PRIu64 " are %.2f %%, and %" PRIu64 " joined one\n", "misses",
            sums[MISSES], percent((double)sums[MISSES], n), sums[MERGES]);
    fprintf(out, "  %-12s %13" PRIu64 " for lack of MSHRs\n", "stalled", sums[STALLS]);
    fprintf(out, "  %-12s %13" PRIu64 " lines\n", "evicted", sums[EVICTIONS]);
    fprintf(out, "  %-12s %13" PRIu64 " lines\n", "written back", sums[WRITEBACKS]);
    fprintf(out, "memsim: DRAM\n");
    fprintf(out, "  %-12s %13" PRIu64 " lines\n", "reads", sums[READS]);
    fprintf(out, "  %-12s %13" PRIu64 " lines\n", "writes", sums[WRITES]);
    fprintf(out, "  %-12s %13" PRIu64 " are %.2f %%\n", "row hits", sums[ROW_HITS],
            percent((double)sums[ROW_HITS], (double)lines));
    fprintf(out, "  %-12s %13" PRIu64 " of them %" PRIu64 " had to close another first\n",
            "rows opened", sums[ROW_OPENS] + sums[ROW_CONFLICTS], sums[ROW_CONFLICTS]);
    fprintf(out, "  %-12s %13.6f GB/s, %.2f %% of %.6g GB/s\n", "bandwidth", bandwidth,
            percent(bandwidth, most), most);
    fprintf(out, "  %-12s %13.6f ns before banks and bus\n", "waiting",
            ms_mean_ns(sums[DRAM_WAIT], lines));
}

void ms_report_results(FILE *out, const struct ms_model *m, const struct ms_script *script)
{
    uint64_t sums[N_SUMS];
    uint64_t begun[MS_STREAMS_MAX];
    double latest[N_LATEST];
    MPI_Reduce(local.sums, sums, N_SUMS, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    MPI_Reduce(local.begun, begun, MS_STREAMS_MAX, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_ROSS);
    MPI_Reduce(local.latest, latest, N_LATEST, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_ROSS);
    if (!tw_ismaster()) {
        return;
    }
    memcpy(local.begun, begun, sizeof begun);
    uint64_t launches = launches_count(script);
    bool complete = sums[FINISHED] == launches;
    /* Virtual time that the run has reached: --end, or GVT if a signal ended the run earlier. */
    double come_to = ROSS_MIN(g_tw_pe->GVT, g_tw_ts_end);
    double time = complete ? latest[LAUNCH_END] : come_to;
    accesses_print(out, m, sums, time, ROSS_MAX(time, latest[REPLY_END]));
    memory_print(out, m, sums, ROSS_MAX(time, latest[LINE_END]));
    fprintf(out, "memsim: kernels\n");
    fprintf(out, "  %-12s %13" PRIu64 " of %" PRIu64 ", mean time %.6f ns\n", "ended",
            sums[FINISHED], launches, ms_mean_ns(sums[KERNEL_TICKS], sums[FINISHED]));
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
