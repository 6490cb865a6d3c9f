/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.c - the tables of counts and phases; see counts.h. */
#include "figures/counts.h"

#include <stdio.h>
#include <string.h>

#define COUNT_NAMES(NAME, member, name, words, unit, field, traced)                                \
    {name, words, unit, field, traced},
const struct ws_count_name ws_count_names[WS_COUNTS] = {WS_COUNT_LIST(COUNT_NAMES)};

#define LEVEL_NAMES(NAME, name, words, unit, field) {name, words, unit, field, NULL},
const struct ws_count_name ws_level_names[WS_LEVELS] = {WS_LEVEL_LIST(LEVEL_NAMES)};

const char *const ws_processor_fields[WS_PROCESSOR_FIELDS] = {
    "processor_wall_ns",  "processor_user_ns",    "processor_system_ns", "processor_lost_ns",
    "switches_voluntary", "switches_involuntary", "page_faults"};

const struct ws_phase_name ws_phase_names[WS_PHASE_COUNT] = {
    [WS_PHASE_EXECUTE] = {'E', "executing", "executing"},
    [WS_PHASE_QUEUE] = {'Q', "queue", "queue"},
    [WS_PHASE_NETWORK] = {'N', "network", "network"},
    [WS_PHASE_GVT] = {'G', "GVT", "gvt"},
    [WS_PHASE_COMMIT] = {'C', "committing", "committing"},
    [WS_PHASE_UNDO] = {'U', "undoing", "undoing"},
    [WS_PHASE_ANTI] = {'A', "anti-messages", "anti_messages"},
    [WS_PHASE_STATES] = {'S', "saving states", "saving_states"},
    [WS_PHASE_RECORDS] = {'R', "recording", "recording"},
    [WS_PHASE_REST] = {'.', "rest, waiting", "rest"},
};

const struct ws_phase_field ws_phase_fields[WS_PHASE_FIELDS] = {
    {"network_read_cc", "phase_network_read_ns", WS_PHASE_NETWORK},
    {"gvt_cc", "phase_gvt_ns", WS_PHASE_GVT},
    {"fossil_collect_cc", "phase_fossil_collect_ns", WS_PHASE_COMMIT},
    {"event_abort_cc", "phase_event_abort_ns", WS_PHASE_ANTI},
    {"event_processing_cc", "phase_event_processing_ns", WS_PHASE_EXECUTE},
    {"priority_queue_cc", "phase_priority_queue_ns", WS_PHASE_QUEUE},
    {"rollbacks_cc", "phase_rollbacks_ns", WS_PHASE_UNDO},
    {"cancelq_cc", "phase_cancelq_ns", WS_PHASE_ANTI},
    {"avl_cc", "phase_event_lookup_ns", WS_PHASE_ANTI},
    {"buddy_cc", "phase_state_saving_ns", WS_PHASE_STATES},
    {"lz4_cc", "phase_recording_ns", WS_PHASE_RECORDS},
    {"other_cc", "phase_other_ns", WS_PHASE_REST},
};

enum ws_phase ws_phase_of(const char *field)
{
    for (uint32_t i = 0; i < WS_PHASE_FIELDS; i++) {
        if (strcmp(ws_phase_fields[i].name, field) == 0) {
            return ws_phase_fields[i].phase;
        }
    }
    return WS_PHASE_COUNT;
}

const struct ws_words ws_words_of[WS_WORDS] = {
    {"total_rollbacks", "rollbacks", "rollbacks"},
    {"secondary_rollbacks", "secondary rollbacks", "secondary"},
    {"events_rolled_back", "events undone", "undone"},
    {"events_processed", "events executed", "executed"},
    {"rollbacks", "rollbacks", "rollbacks"},
    {"events_undone", "events undone", "undone"},
    {"events", "events", "events"},
    {"secondary", "secondary rollbacks", "secondary"},
    {"events_aborted", "events cancelled", "cancelled"},
    {"network_sends", "messages sent", "msgs sent"},
    {"remote_events", "remote events sent", "remote sent"},
    {"events_committed", "events committed", "committed"},
    {"network_recvs", "messages received", NULL},
    {"net_remote_events", "remote events committed", NULL},
    {"anti_sends", "anti-messages sent", NULL},
    {"num_gvt", "GVT computations", NULL},
    {"trace_events", "events in the trace", NULL},
    {"trace_secondary", "secondary rollbacks in the trace", NULL},
    {"trace_rollbacks", "rollbacks in the trace", NULL},
    {"trace_events_undone", "events undone in the trace", NULL},
};

const char *ws_words(char *to, size_t size, const char *name)
{
    snprintf(to, size, "%s", name);
    for (uint32_t i = 0; i < WS_WORDS; i++) {
        if (strcmp(ws_words_of[i].name, name) == 0) {
            snprintf(to, size, "%s", ws_words_of[i].words);
        }
    }
    for (char *p = to; *p != '\0'; p++) {
        *p = *p == '_' ? ' ' : *p;
    }
    return to;
}
