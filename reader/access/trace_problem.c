/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_problem.c - see trace_problem.h. */
#include "access/trace_problem.h"

#include <string.h>

#include "access/facts.h"
#include "access/stream.h"

/* Like ws_trace_problem(), for one part, which can be read. */
static const char *part_problem(const struct ws_file *part, unsigned needs, const char **what_to_do)
{
    const char *mode = ws_fact(part->sb, "option_event_trace");
    const char *lps = ws_fact(part->sb, "option_trace_lps");
    if ((needs & WS_TRACE_COMMITTED) != 0 && mode != NULL && strcmp(mode, "3") != 0) {
        *what_to_do = "record with --event-trace=3";
        return "these are not committed events";
    }
    if ((needs & WS_TRACE_ALL_LPS) != 0 && lps != NULL && lps[0] != '\0' &&
        strcmp(lps, "all") != 0) {
        *what_to_do = "record without --trace-lps";
        return "the trace has the events of some LPs only";
    }
    if ((needs & WS_TRACE_COMPLETE) == 0) {
        return NULL;
    }
    if (part->dropped > 0 || part->pes_unknown_loss > 0) {
        *what_to_do = "record with --buffer-full=spill, the default, and enough space on the disk";
        return "records were lost during the run";
    }
    *what_to_do = "record again; warpscope verify shows the damage";
    return part->missing > 0 ? "records are missing, since the file is damaged" : NULL;
}

const char *ws_trace_problem(const struct ws_file *trace, unsigned needs,
                             const struct ws_file **where, const char **what_to_do)
{
    const char *problem = NULL;
    bool complete = (needs & WS_TRACE_COMPLETE) != 0;
    for (uint32_t i = 0; problem == NULL && i < ws_stream_parts(trace); i++) {
        const struct ws_file *part = ws_stream_part(trace, i);
        struct ws_cover gap;
        *where = part;
        if (part->pes == NULL) {
            *what_to_do = "name the other files of the trace";
            problem = complete ? "it cannot be read" : NULL;
            continue;
        }
        problem = part_problem(part, needs, what_to_do);
        if (problem == NULL && complete && i > 0 && ws_stream_gap(trace, i, NULL, &gap)) {
            *what_to_do = "analyze one of its files, by its name";
            problem = "a request had switched the trace off before it";
        }
    }
    return problem;
}
