/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - memsim's own options, and derived parameters.
 */
#ifndef MEMSIM_SETTINGS_H
#define MEMSIM_SETTINGS_H

#include "common/error.h"
#include "ross.h"

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

struct ms_settings {
    char trace[4096];
    char workload[16];
    char cta_schedule[16];
    char trace_out[1024];
    char scratch[1024];
    unsigned ctas, elements, element_size, repeat, fan_in;
    unsigned sms, outstanding;
    double clock; /* clock rate in GHz */
    double launch_latency;
    double network_latency;
    double port_bandwidth; /* bandwidth of a port in GB/s, which is bytes per ns */
    unsigned header;       /* size of a packet's header in bytes */
    unsigned slices;
    uint64_t l2_bytes;
    unsigned ways, line, mshrs;
    unsigned l2_latency; /* latency of the L2 cache in clock cycles */
    unsigned no_hash;
    unsigned channels, banks;
    uint64_t row_bytes;
    double channel_latency;
    double dram_bandwidth;
    double t_cl, t_rcd, t_rp;
};

/* The model's parameters: equal on all ranks, read-only while the simulation runs. Times are in ns,
 * as whole numbers of ticks. */
struct ms_model {
    enum ms_workload workload;
    /* true: CTAs are distributed to SMs one after another; false: CTAs stay on the recorded SM */
    bool round_robin;
    unsigned sms;       /* number of SMs, set after the input has been read */
    unsigned n_streams; /* number of streams, set after the input has been read */
    unsigned outstanding;
    double cycle;
    double launch_latency, network_latency, channel_latency;
    double ns_per_byte_port;
    unsigned header;
    unsigned slices, slice_bits;
    unsigned sets, ways, mshrs; /* numbers per slice: sets, ways per set, and MSHRs */
    unsigned line, line_bits;
    double l2_latency;
    bool hash;
    unsigned channels, channel_bits, banks, row_lines;
    double burst; /* time that a line takes on the data bus of a channel */
    double t_cl, t_rcd, t_rp;
    double lookahead;
};

/* Returns the option table for tw_opt_add(). */
const tw_optdef *ms_settings_options(void);

/* Checks the options and computes the model's parameters. Not collective: all ranks have the same
 * command line. */
bool ms_settings_check(int argc, char **argv, struct model_error *error);

const struct ms_settings *ms_settings(void);
/* Returns the number of files in --trace; 1 if it is not given. */
unsigned ms_settings_streams(void);
/* Returns the parameters of the model. */
const struct ms_model *ms_model(void);
/* Sets the parameters that only the input determines. Must be called before the LPs are created. */
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

/* Returns the time that a packet with this many bytes of data occupies a port. */
static inline double ms_port_time(const struct ms_model *m, unsigned bytes)
{
    return ms_ticks_round((m->header + bytes) * m->ns_per_byte_port);
}

#endif
