/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.c - finds the greatest costs of the run so far; see panes.h and findings/findings.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "findings/findings.h"
#include "top/panes.h"

#define FINDINGS_FEW 2 /* maximum number of findings in the overview */

static void kps_take(struct ws_evidence *e, const struct top_model *m)
{
    double most = 0;
    for (uint32_t i = 0; i < m->n_pes; i++) {
        for (uint32_t k = 0; k < m->pes[i].n_kps; k++) {
            double rollbacks = (double)m->pes[i].kps[k].sum.counts.rollbacks;
            e->kps += m->pes[i].kps[k].seen;
            if (rollbacks > most) {
                most = rollbacks;
                e->kp_pe = i;
                e->kp = k;
            }
        }
    }
    if (most > 0) {
        e->kp_rollbacks = most;
    }
}

/* Sets the counts that records of PEs state. */
static void counts_take(struct ws_reals *to, const struct top_model *m,
                        const struct ws_counts *from)
{
    for (int i = 0; i < WS_COUNTS; i++) {
        bool known = top_knows(m, TOP_OF_PES, (enum ws_count)i);
        to->each[i] = known ? (double)from->each[i] : NAN;
    }
}

size_t top_findings(const struct top_run *run, struct ws_finding *list, size_t max)
{
    assert(max <= WS_FINDINGS_MAX);
    const struct top_model *m = &run->model;
    struct ws_evidence e;
    if (run->n_files == 0 || !top_knows(m, TOP_OF_PES, WS_PROCESSED) || run->state == TOP_READING) {
        return 0;
    }
    struct ws_evidence_pe *pes = calloc(m->n_pes, sizeof *pes);
    if (pes == NULL) {
        return 0;
    }
    const struct fmt_superblock *sb = run->files[0].live->sb;
    double ticks = m->has_phases ? ws_stats_ticks_per_second(sb) : 0;
    ws_evidence_init(&e);
    ws_evidence_facts(&e, sb);
    for (uint32_t i = 0; i < m->n_pes; i++) {
        struct ws_evidence_pe *pe = &pes[e.n_pes];
        pe->pe = i;
        counts_take(&pe->sum, m, &m->pes[i].sum.counts);
        pe->seconds = ticks > 0 ? 0 : NAN;
        for (int k = 0; k < WS_PHASE_COUNT && ticks > 0; k++) {
            pe->phases[k] = m->pes[i].times[k] / ticks;
            pe->seconds += pe->phases[k];
        }
        e.n_pes += !m->pes[i].elsewhere;
    }
    counts_take(&e.sum, m, &m->sum);
    e.sum.gvts = pes[0].sum.gvts; /* each PE counts every GVT computation */
    e.pes = pes;
    kps_take(&e, m);
    size_t n = ws_findings_find(&e, list, max);
    free(pes);
    return n;
}

int top_draw_findings(struct top_canvas *c, int y, int bottom, const struct top_run *run, bool all)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    size_t n = top_findings(run, list, all ? WS_FINDINGS_MAX : FINDINGS_FEW);
    if (n == 0 && all) {
        top_put(c, y++, 1, TOP_PLAIN, "no finding so far");
    }
    for (size_t i = 0; i < n && y < bottom; i++) {
        top_put(c, y, 1, TOP_WARNING, "*");
        y = top_put_lines(c, y, 3, bottom - y, TOP_PLAIN, list[i].text);
        if (all) {
            y = top_put_lines(c, y, 3, bottom - y, TOP_DIM, list[i].advice);
        }
    }
    return y;
}
