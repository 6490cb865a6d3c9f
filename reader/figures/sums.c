/* SPDX-License-Identifier: BSD-3-Clause */
/* sums.c - the statistics of a stream of any kind; see values.h. */
#include <assert.h>

#include "figures/values.h"

bool ws_stats_gather(struct ws_stats_sums *sums, struct ws_file *file,
                     const struct ws_select *select, const struct ws_stats_options *options)
{
    static const struct ws_tasks_filter all = {.kind = NULL};
    assert(file->pes != NULL);
    *sums = (struct ws_stats_sums){.events = NULL};
    switch (file->sb->stream) {
    case FMT_STREAM_EVTRACE:
        sums->events = ws_events_gather(file, select, options);
        return sums->events != NULL;
    case FMT_STREAM_MODEL:
        sums->model = ws_model_gather(file, select, options);
        return sums->model != NULL;
    case FMT_STREAM_TASK:
        sums->tasks = ws_tasks_gather(file, select, &all);
        return sums->tasks != NULL;
    case FMT_STREAM_TRACER:
        sums->tracers = ws_tracers_gather(file, select, options);
        return sums->tracers != NULL;
    default:
        sums->samples = ws_samples_gather(file, select, options);
        return sums->samples != NULL;
    }
}

void ws_stats_sums_free(struct ws_stats_sums *sums)
{
    ws_events_free(sums->events);
    ws_model_free(sums->model);
    ws_tasks_free(sums->tasks);
    ws_tracers_free(sums->tracers);
    ws_samples_free(sums->samples);
}
