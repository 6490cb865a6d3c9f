/* SPDX-License-Identifier: BSD-3-Clause */
/* evidence.c - see evidence.h. */
#include "figures/evidence.h"

#include <string.h>

#include "access/facts.h"

void ws_evidence_init(struct ws_evidence *e)
{
    const double unknown = (double)NAN;
    *e = (struct ws_evidence){
        .lookahead = unknown,
        .run_seconds = unknown,
        .executed = unknown,
        .undone = unknown,
        .rollbacks = unknown,
        .secondary = unknown,
        .gvts = unknown,
        .remote = unknown,
        .kp_rollbacks = unknown,
        .pair_all = unknown,
        .pair_most = unknown,
        .lp_events = unknown,
        .lps_events = unknown,
        .types_all = unknown,
        .types_most = unknown,
        .offset_mean = unknown,
        .offset_least = unknown,
        .low_from = unknown,
        .low_to = unknown,
        .low_efficiency = unknown,
        .queue_first = unknown,
        .queue_middle = unknown,
        .queue_last = unknown,
        .records_lost = unknown,
    };
}

/* Returns a fact that is a number of things; 0 if it is not stated or is none. */
static uint64_t number_of(const struct fmt_superblock *sb, const char *key)
{
    double v = ws_fact_number(sb, key, 0.0);
    return v >= 0.0 && v < 0x1p53 ? (uint64_t)v : 0;
}

void ws_evidence_facts(struct ws_evidence *e, const struct fmt_superblock *sb)
{
    const char *hosts = ws_fact(sb, "hosts"), *phases = ws_fact(sb, "phase_times");
    const char *given = ws_fact(sb, "given_options");
    e->scheduler = ws_scheduler_of(sb);
    e->ranks = sb->layout.n_pes;
    if (hosts != NULL && strchr(hosts, ',') == NULL) {
        uint64_t processors = number_of(sb, "processors");
        e->processors = processors <= UINT32_MAX ? (uint32_t)processors : 0;
    }
    e->kps_per_pe = number_of(sb, "kps_per_pe");
    e->lps = number_of(sb, "total_lps");
    e->lookahead = ws_fact_number(sb, "lookahead", (double)NAN);
    e->phases_exact = phases != NULL && strcmp(phases, "exact") == 0;
    e->random_rollbacks = given != NULL && strstr(given, "--random-rollbacks=") != NULL &&
                          strstr(given, "--random-rollbacks=0") == NULL;
}
