/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.c - memsim's own options: table, default values, limits.
 */
#include "settings.h"

#include <sys/stat.h>

#include "common/program.h"

#define MS_END_MAX 1e11 /* maximum end time in ns; below it, times and their sums are exact */

static struct ms_settings the_settings = {
    .ctas = 16,
    .elements = 64,
    .element_size = 4,
    .repeat = 4,
    .fan_in = 4,
    .clock = 1,
    .port_bandwidth = 64,
    .l2_bytes = (uint64_t)1 << 20,
    .l2_latency = 32,
    .row_bytes = 2048,
    .dram_bandwidth = 32,
};

static struct ms_model the_model = {
    .outstanding = 32,
    .launch_latency = 200,
    .network_latency = 40,
    .header = 8,
    .slices = 8,
    .ways = 16,
    .line = 128,
    .mshrs = 32,
    .channels = 4,
    .banks = 16,
    .channel_latency = 20,
    .t_cl = 14,
    .t_rcd = 14,
    .t_rp = 14,
};

const tw_optdef ms_options[] = {
    TWOPT_GROUP("memsim: the memory system of a GPU (times in ns)"),
    TWOPT_CHAR("trace", the_settings.trace,
               "<FILES> memory traces, with commas between, one per stream"),
    TWOPT_WORD("workload", the_model.workload,
               "<none|producer|stencil|reduction|transpose> in place of traces"),
    TWOPT_UINT("ctas", the_settings.ctas,
               "<1..65535> of a workload's kernel; stencil: per dimension"),
    TWOPT_UINT("elements", the_settings.elements,
               "<1..1048576> of a CTA; stencil: on a side of its tile"),
    TWOPT_UINT("element-size", the_settings.element_size, "<1..1048576> bytes of an element"),
    TWOPT_UINT("repeat", the_settings.repeat,
               "<1..1048576> rounds of a workload; reduction has no rounds"),
    TWOPT_UINT("fan-in", the_settings.fan_in, "<2..65535> of the tree of --workload=reduction"),
    TWOPT_WORD("cta-schedule", the_settings.cta_schedule,
               "<recorded|round-robin> which SM runs a CTA; workloads: always round-robin"),
    TWOPT_CHAR("trace-out", the_settings.trace_out,
               "<PREFIX> write the accesses as traces PREFIX-1, PREFIX-2, ..."),
    TWOPT_CHAR("scratch", the_settings.scratch,
               "<DIR> directory for temporary files (TMPDIR or /tmp)"),
    TWOPT_UINT("sms", the_settings.sms, "<0..4096> SMs (0: as many as the traces name, else 16)"),
    TWOPT_UINT("outstanding", the_model.outstanding,
               "<1..4096> requests of an SM without an answer"),
    TWOPT_DOUBLE("clock", the_settings.clock, "<1e-3..1e3> GHz of SMs and the L2 cache"),
    TWOPT_DOUBLE("launch-latency", the_model.launch_latency,
                 "<1.6e-5..1e6> ns from the launcher to SMs and back; the least latency is the "
                 "lookahead of --synch=2"),
    TWOPT_DOUBLE("network-latency", the_model.network_latency,
                 "<1.6e-5..1e6> ns from an SM to an L2 slice or back; see --launch-latency about "
                 "the lookahead "
                 "of --synch=2"),
    TWOPT_DOUBLE("port-bandwidth", the_settings.port_bandwidth,
                 "<1e-3..1e4> GB/s of SMs and slices, in and out"),
    TWOPT_UINT("header", the_model.header, "<1..4096> bytes of a packet in the network"),
    TWOPT_UINT("slices", the_model.slices, "<1..1024> of the L2 cache, a power of two"),
    TWOPT_BYTES("l2-size", the_settings.l2_bytes, "of all slices"),
    TWOPT_UINT("ways", the_model.ways, "<1..64> associativity of the L2 cache"),
    TWOPT_UINT("line", the_model.line, "<8..4096> bytes of the L2 cache, a power of two"),
    TWOPT_UINT("mshrs", the_model.mshrs, "<1..1024> lines that a slice can wait for at a time"),
    TWOPT_UINT("l2-latency", the_settings.l2_latency, "<0..1000000> cycles of a look-up"),
    TWOPT_FLAG("no-hash", the_settings.no_hash, "choose slices by the lowest bits alone"),
    TWOPT_UINT("channels", the_model.channels,
               "<1..1024> of DRAM, a power of two, at most --slices"),
    TWOPT_UINT("banks", the_model.banks, "<1..1024> of a channel, a power of two"),
    TWOPT_BYTES("row-size", the_settings.row_bytes, "of a bank, a power of two"),
    TWOPT_DOUBLE(
        "channel-latency", the_model.channel_latency,
        "<1.6e-5..1e6> ns from a slice to its channel or back; see --launch-latency about the "
        "lookahead of --synch=2"),
    TWOPT_DOUBLE("dram-bandwidth", the_settings.dram_bandwidth,
                 "<1e-3..1e4> GB/s of a channel's data bus"),
    TWOPT_DOUBLE("t-cl", the_model.t_cl, "<0..1e6> ns from the column command to the data"),
    TWOPT_DOUBLE("t-rcd", the_model.t_rcd, "<0..1e6> ns to open a row"),
    TWOPT_DOUBLE("t-rp", the_model.t_rp, "<0..1e6> ns to close a row"),
    TWOPT_END(),
};

const struct ms_settings *ms_settings(void)
{
    return &the_settings;
}

const struct ms_model *ms_model(void)
{
    return &the_model;
}

void ms_model_set_input(unsigned sms, unsigned n_streams)
{
    the_model.sms = sms;
    the_model.n_streams = n_streams;
}

static unsigned log2_of(uint64_t value)
{
    unsigned bits = 0;
    while (value >>= 1) {
        bits++;
    }
    return bits;
}

static bool powers_check(const struct ms_settings *s, const struct ms_model *m,
                         struct model_error *error)
{
    const struct {
        const char *option;
        uint64_t value;
    } powers[] = {
        {"slices", m->slices}, {"line", m->line},          {"channels", m->channels},
        {"banks", m->banks},   {"row-size", s->row_bytes},
    };
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        if ((powers[i].value & (powers[i].value - 1)) != 0) {
            return model_fail(
                error, "--%s=%" PRIu64 " is not a power of two; %" PRIu64 " would be one",
                powers[i].option, powers[i].value, (uint64_t)1 << log2_of(powers[i].value));
        }
    }
    if (s->row_bytes < m->line || s->row_bytes > 1 << 20) {
        return model_fail(error, "--row-size=%" PRIu64 " is out of range: --line=%u to 1M",
                          s->row_bytes, m->line);
    }
    if (m->channels > m->slices) {
        return model_fail(error, "--channels=%u are more than --slices=%u; each needs a slice",
                          m->channels, m->slices);
    }
    uint64_t set_bytes = (uint64_t)m->slices * m->ways * m->line;
    uint64_t sets = s->l2_bytes / set_bytes;
    if (sets == 0 || sets > (1u << 20) || sets * set_bytes != s->l2_bytes ||
        (sets & (sets - 1)) != 0) {
        return model_fail(error,
                          "--l2-size=%" PRIu64 " is not --slices * --ways * --line = %" PRIu64
                          " bytes times a power of two up to 2^20",
                          s->l2_bytes, set_bytes);
    }
    return true;
}

unsigned ms_settings_streams(void)
{
    unsigned n = 1;
    for (const char *at = the_settings.trace; *at != '\0'; at++) {
        n += *at == ',';
    }
    return n;
}

bool ms_settings_path(const char **list, char path[MS_TRACE_MAX])
{
    size_t length = strcspn(*list, ",");
    snprintf(path, MS_TRACE_MAX, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return length > 0;
}

static bool paths_check(const char *paths, struct model_error *error)
{
    if ((the_model.workload == MS_TRACE) == (paths[0] == '\0')) {
        return model_fail(error, "give either --trace=FILE[,FILE...] or --workload=NAME");
    }
    if (ms_settings_streams() > MS_STREAMS_MAX) {
        return model_fail(error, "--trace names %u files; at most %u are possible",
                          ms_settings_streams(), MS_STREAMS_MAX);
    }
    size_t length = strlen(paths);
    if (length > 0 &&
        (paths[0] == ',' || paths[length - 1] == ',' || strstr(paths, ",,") != NULL)) {
        return model_fail(error, "--trace=%.900s: a name of a file is missing", paths);
    }
    return true;
}

/* Returns false, with an error message in *error, if an output file of the run would replace an
 * input trace. */
static bool inputs_stay(const struct ms_settings *s, struct model_error *error)
{
    const char *list = s->trace;
    char input[MS_TRACE_MAX], output[sizeof s->trace_out + 16];
    while (s->trace_out[0] != '\0' && ms_settings_path(&list, input)) {
        for (unsigned k = 1; k <= ms_settings_streams(); k++) {
            struct stat in, out;
            snprintf(output, sizeof output, "%s-%u", s->trace_out, k);
            if (stat(input, &in) == 0 && stat(output, &out) == 0 && S_ISREG(in.st_mode) &&
                in.st_dev == out.st_dev && in.st_ino == out.st_ino) {
                return model_fail(error,
                                  "--trace-out=%.450s would replace %.450s, which is read; "
                                  "give another prefix",
                                  s->trace_out, input);
            }
        }
    }
    return true;
}

static double ticks_at_least_one(double ns)
{
    return ROSS_MAX(ms_ticks_round(ns), 1 / MS_TICKS_PER_NS);
}

static void model_fill(const struct ms_settings *s, struct ms_model *m)
{
    m->round_robin = s->cta_schedule == MS_ROUND_ROBIN || m->workload != MS_TRACE;
    m->cycle = ticks_at_least_one(1 / s->clock);
    m->launch_latency = ticks_at_least_one(m->launch_latency);
    m->network_latency = ticks_at_least_one(m->network_latency);
    m->channel_latency = ticks_at_least_one(m->channel_latency);
    m->ns_per_byte_port = 1 / s->port_bandwidth;
    m->slice_bits = log2_of(m->slices);
    m->sets = (unsigned)(s->l2_bytes / ((uint64_t)m->slices * m->ways * m->line));
    m->line_bits = log2_of(m->line);
    m->l2_latency = m->cycle * s->l2_latency;
    m->hash = s->no_hash == 0;
    m->channel_bits = log2_of(m->channels);
    m->row_lines = (unsigned)(s->row_bytes / m->line);
    m->burst = ticks_at_least_one(m->line / s->dram_bandwidth);
    m->t_cl = ms_ticks_round(m->t_cl);
    m->t_rcd = ms_ticks_round(m->t_rcd);
    m->t_rp = ms_ticks_round(m->t_rp);
    m->lookahead = fmin(m->launch_latency, fmin(m->network_latency, m->channel_latency));
}

bool ms_settings_check(int argc, char **argv, struct model_error *error)
{
    if (!model_setup_check(1, MS_END_MAX, argc, argv, error) ||
        !powers_check(&the_settings, &the_model, error) ||
        !paths_check(the_settings.trace, error) || !inputs_stay(&the_settings, error)) {
        return false;
    }
    model_fill(&the_settings, &the_model);
    return true;
}
