/* SPDX-License-Identifier: BSD-3-Clause */
/* ends.c - ends samples and traces, and returns the contents of END blocks. */
#include <assert.h>

#include "record/change.h"

_Static_assert((int)FMT_END_UNKNOWN == (int)RUN_END_NONE &&
                   (int)FMT_END_TIME == (int)RUN_END_TIME &&
                   (int)FMT_END_NO_EVENTS == (int)RUN_END_NO_EVENTS &&
                   (int)FMT_END_SIGNAL == (int)RUN_END_SIGNAL &&
                   (int)FMT_END_ERROR == (int)RUN_END_ERROR,
               "files name the engine's reasons for the end by its own numbers");
_Static_assert((int)FMT_END_UNDONE == (int)RUN_END_UNDONE,
               "the end block holds the engine's codes");
_Static_assert((int)FMT_END_KILLED > (int)RUN_END_ERROR,
               "that a PE was killed is no reason of the engine's");

struct fmt_end_info recorder_end_info(const struct recorder *recorder, const tw_pe *pe,
                                      enum run_end why,
                                      struct fmt_counter counters[RECORD_COUNTERS])
{
    const struct tw_counters *now = pe_counters(pe);
    const struct processor_time time = run_processor_time(true);
    size_t n = 0;
#define X(name, text) counters[n++] = (struct fmt_counter){#name, now->name};
    TW_COUNTER_LIST(X)
#undef X
    counters[n++] = (struct fmt_counter){"lookahead_kept", pe_lookahead_kept(pe)};
#define X(name, text) counters[n++] = (struct fmt_counter){#name, time.name};
    PROCESSOR_END_LIST(X)
#undef X
    /* The first request for the times of phases makes the engine measure more often. */
    if (why != RUN_END_NONE) {
        const struct tw_phase_ticks *ticks = pe_phase_ticks(pe);
        const double ns = 1e9 / run_ticks_per_second();
#define X(name, text)                                                                              \
    counters[n++] =                                                                                \
        (struct fmt_counter){"phase_" #name "_ns", (uint64_t)(ns * (double)ticks->name)};
        TW_PHASE_LIST(X)
#undef X
        if (recorder->trace.clock.timed > 0) {
            counters[n++] = (struct fmt_counter){"handlers_timed", recorder->trace.clock.timed};
            counters[n++] = (struct fmt_counter){"handlers_ns", recorder->trace.clock.timed_ns};
        }
    }
    assert(n <= RECORD_COUNTERS);
    return (struct fmt_end_info){.code = (uint32_t)why,
                                 .n_counters = (uint32_t)n,
                                 .gvt = probe_virtual_time(pe->GVT),
                                 .real_time = run_seconds(),
                                 .text = run_end_text(why),
                                 .counters = counters};
}

struct change_extent recorder_extent_of_lps(const struct recorder *recorder)
{
    struct change_extent e = {.samples = {.gvt = true, .rt = true},
                              .vt = record_options_at_vt(&recorder->options),
                              .trace = recorder->files[RECORD_EVTRACE].in_use};
    for (int kind = 0; kind <= RECORD_TASK; kind++) {
        e.renewed.kind[kind] = recorder->files[kind].in_use;
    }
    return e;
}

void recorder_detach(struct recorder *recorder, tw_pe *pe, struct probe_table *table,
                     const struct change_extent *e)
{
    sampling_pause(&recorder->sampling, pe, table, e->samples);
    if (e->renewed.kind[RECORD_MODEL]) {
        model_stats_end(&recorder->model, table);
    }
    if (e->vt) {
        vt_sampling_stop(&recorder->vt, pe, table);
        vt_sampling_fini(&recorder->vt);
    }
    if (e->trace && recorder->files[RECORD_EVTRACE].in_use) {
        event_trace_attach(&recorder->trace, recorder->options.event_trace, table, false);
        event_trace_fini(&recorder->trace);
    }
}
