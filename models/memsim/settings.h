/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - memsim's own options, and the parameters of the model.
 */
#ifndef MEMSIM_SETTINGS_H
#define MEMSIM_SETTINGS_H

#include "common/error.h"
#include "ross.h"

#define MS_DEFAULT_END 1e9

/* Ticks per nanosecond. Times are multiples of a tick, so that their sums are exact. */
#define MS_TICKS_PER_NS 65536.0
#define MS_STREAMS_MAX  64u
#define MS_SMS_MAX      4096u

enum ms_workload {
    MS_TRACE, /* the traces of --trace */
    MS_PRODUCER,
    MS_STENCIL,
    MS_REDUCTION,
    MS_TRANSPOSE,
    MS_WORKLOADS
};

#define MS_TRACE_MAX 4096u /* size of the list of traces */

struct ms_settings {
    char trace[MS_TRACE_MAX];
    enum { MS_RECORDED, MS_ROUND_ROBIN } cta_schedule;
    char trace_out[1024];
    char scratch[1024];
    unsigned ctas, elements, element_size, repeat, fan_in;
    unsigned sms;
    double clock;          /* clock rate of SMs and L2 cache in GHz */
    double port_bandwidth; /* bandwidth of a port in GB/s, which equals bytes per ns */
    uint64_t l2_bytes;
    unsigned l2_latency; /* latency of a look-up in the L2 cache, in clock cycles */
    unsigned no_hash;
    uint64_t row_bytes;
    double dram_bandwidth;
};

/* Parameters of the model. Options store some of them; ms_settings_check() computes the others. They
 * are equal on all ranks and constant during the run. Times are in ns and are whole numbers of ticks
 * once ms_settings_check() has returned. */
struct ms_model {
    enum ms_workload workload;
    /* true: each new CTA of a launch goes to the next SM; false: each CTA goes to its recorded
     * SM */
    bool round_robin;
    unsigned sms;       /* number of SMs, set after the input has been read */
    unsigned n_streams; /* number of streams, set after the input has been read */
    unsigned outstanding;
    double cycle;
    double launch_latency, network_latency, channel_latency;
    double ns_per_byte_port;
    unsigned header; /* size of a packet's header in bytes */
    unsigned slices, slice_bits;
    /* Per slice: number of sets, number of ways per set, number of MSHRs. */
    unsigned sets, ways, mshrs;
    unsigned line, line_bits;
    double l2_latency;
    bool hash;
    unsigned channels, channel_bits, banks, row_lines;
    double burst; /* time that the transfer of a line occupies the data bus of a channel */
    double t_cl, t_rcd, t_rp;
    double lookahead;
};

extern const tw_optdef ms_options[]; /* for tw_opt_add() */

/* Checks the options and computes the model's parameters. Returns false, with an error message in
 * *error, if an option is invalid. Not collective: all ranks have the same command line. */
bool ms_settings_check(int argc, char **argv, struct model_error *error);

const struct ms_settings *ms_settings(void);
/* Returns the number of streams: the number of files in --trace, or 1 without --trace. */
unsigned ms_settings_streams(void);
/* Copies the next name of a list of files with commas, and moves *list behind it. Returns false at the end
 * of the list. */
bool ms_settings_path(const char **list, char path[MS_TRACE_MAX]);
/* Returns the parameters of the model. */
const struct ms_model *ms_model(void);
/* Sets the numbers of SMs and streams, which depend on the input. Must be called before the LPs are
 * created. */
void ms_model_set_input(unsigned sms, unsigned n_streams);

static inline double ms_ticks_round(double ns)
{
    return rint(ns * MS_TICKS_PER_NS) / MS_TICKS_PER_NS;
}

static inline uint64_t ms_ticks(double ns)
{
    return (uint64_t)(ns * MS_TICKS_PER_NS);
}

static inline double ms_mean_ns(uint64_t ticks, uint64_t n)
{
    return n == 0 ? 0 : (double)ticks / (double)n / MS_TICKS_PER_NS;
}

/* Returns the time in ns for which a packet with `bytes` bytes of data occupies a port. */
static inline double ms_port_time(const struct ms_model *m, unsigned bytes)
{
    return ms_ticks_round((m->header + bytes) * m->ns_per_byte_port);
}

#endif
