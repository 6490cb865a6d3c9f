/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.c - finds the greatest costs of the run so far; see panes.h and findings/findings.h.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "findings/findings.h"
#include "top/panes.h"

static void kps_take(struct ws_evidence *e, const struct top_model *m)
{
    double most = 0;
    for (uint32_t i = 0; i < m->n_pes; i++) {
        for (uint32_t k = 0; k < m->pes[i].n_kps; k++) {
            double rollbacks = (double)m->pes[i].kps[k].counts.rollbacks;
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

static void pe_take(struct ws_evidence_pe *to, const struct top_model *m, uint32_t number,
                    double ticks)
{
    assert(number < m->n_pes);
    const struct top_pe *pe = &m->pes[number];
    *to = (struct ws_evidence_pe){.pe = number,
                                  .executed = m->has.counts ? (double)pe->counts.processed : NAN,
                                  .committed = (double)pe->counts.committed,
                                  .seconds = m->has.phases && ticks > 0 ? 0 : NAN};
    for (int i = 0; i < WS_PHASE_COUNT && m->has.phases && ticks > 0; i++) {
        to->phases[i] = pe->times[i] / ticks;
        to->seconds += to->phases[i];
    }
}

size_t top_findings(const struct top_run *run, struct ws_finding *list, size_t max)
{
    assert(max <= WS_FINDINGS_MAX);
    const struct top_model *m = &run->model;
    struct ws_evidence e;
    if (run->n_files == 0 || !m->has.counts || run->state == TOP_READING) {
        return 0;
    }
    struct ws_evidence_pe *pes = calloc(m->n_pes, sizeof *pes);
    if (pes == NULL) {
        return 0;
    }
    const struct fmt_superblock *sb = run->files[0].live->sb;
    double ticks = ws_stats_ticks_per_second(sb);
    ws_evidence_init(&e);
    ws_evidence_facts(&e, sb);
    for (uint32_t i = 0; i < m->n_pes; i++) {
        if (!m->pes[i].elsewhere) {
            pe_take(&pes[e.n_pes++], m, i, ticks);
        }
    }
    e.executed = (double)m->sum.processed;
    e.undone = (double)m->sum.undone;
    e.rollbacks = (double)m->sum.rollbacks;
    e.secondary = (double)m->sum.secondary;
    e.remote = (double)m->sum.remote;
    e.gvts = m->gvts;
    e.pes = pes;
    kps_take(&e, m);
    size_t n = ws_findings_find(&e, list, max);
    free(pes);
    return n;
}

int top_draw_findings(struct top_canvas *c, int y, int bottom, const struct top_run *run,
                      bool advice)
{
    struct ws_finding list[WS_FINDINGS_MAX];
    size_t n = top_findings(run, list, WS_FINDINGS_MAX);
    if (n == 0 && advice) {
        top_put(c, y++, 1, TOP_PLAIN, "no finding so far");
    }
    for (size_t i = 0; i < n && y < bottom; i++) {
        int left = bottom - y;
        top_put(c, y, 1, TOP_WARNING, "*");
        y = top_put_lines(c, y, 3, advice ? left : 1, TOP_PLAIN, list[i].text);
        if (advice) {
            y = top_put_lines(c, y, 3, bottom - y, TOP_DIM, list[i].advice);
        }
    }
    return y;
}
