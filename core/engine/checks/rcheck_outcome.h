/* SPDX-License-Identifier: BSD-3-Clause */
/* rcheck_outcome.h - the effects of an event, and their comparison. */
#ifndef WARPSCOPE_ENGINE_CHECKS_RCHECK_OUTCOME_H
#define WARPSCOPE_ENGINE_CHECKS_RCHECK_OUTCOME_H

#include "engine/pe/pe.h"

/* An event that a handler sent, as stored for comparison. */
struct rcheck_send {
    tw_lpid dest;
    double recv_ts, prio, tie;
    unsigned lineage_len;
};

/* Effects of a forward handler, except those on its LP. A zeroed struct is valid and may be
 * reused. */
struct rcheck_outcome {
    struct rcheck_send *sends; /* events sent, latest first */
    unsigned char *payloads;   /* payloads of these events, g_tw_msg_sz bytes each */
    size_t n_sends;
    size_t room;            /* capacity of sends and payloads, in events */
    unsigned char *message; /* copy of the message as the handler left it */
    tw_bf bf;
    /* Number of draws from the core stream: one per created event, including unsent events. */
    uint64_t core_draws;
    uint64_t past_end; /* number of events sent past the end time */
    uint64_t output;   /* hash of the text given to tw_output() */
};

void rcheck_outcome_take(const struct pe *pe, struct rcheck_outcome *outcome,
                         const tw_event *event);
/* Returns true if the outcomes differ, and then writes a description of the difference to `text`.
 * say: true to print the details on stderr, too. */
bool rcheck_outcome_differs(const struct pe *pe, const struct rcheck_outcome *first,
                            const struct rcheck_outcome *second, char *text, size_t text_size,
                            bool say);
void rcheck_outcome_free(struct rcheck_outcome *outcome);

#endif
