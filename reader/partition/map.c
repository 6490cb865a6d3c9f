/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - writes a placement map. Consecutive LPs of the same rank and KP share a line. */
#include <assert.h>
#include <inttypes.h>

#include "partition/report.h"

#define LINE_MAX_BYTES 128u

static bool heading_write(struct ws_out *out, const struct partition *p)
{
    assert(p->chosen < PARTITION_KINDS);
    char text[512];
    const struct partition_sums *s = &p->sums[p->chosen];
    int n = snprintf(text, sizeof text,
                     "warpscope-lp-map 1\n"
                     "# %" PRIu64 " LPs on %" PRIu32 " ranks. Of %" PRIu64
                     " recorded events %.0f are between ranks; balance %.3f.\n"
                     "# LPS RANK%s\n",
                     p->graph->n_lps, p->n_ranks, p->graph->events, s->remote, s->balance,
                     p->n_kps > 0 ? " KP" : "");
    return ws_out_write(out, text, (size_t)n);
}

bool partition_map_write(struct ws_out *out, const struct partition *p,
                         const struct partition_counts *c)
{
    assert(p->rank != NULL && (p->n_kps == 0 || p->kp != NULL));
    const uint64_t n_lps = p->graph->n_lps;
    bool good = heading_write(out, p);
    uint64_t end, first = 0;
    for (uint64_t lp = 0; good && lp < n_lps; lp = end) {
        end = lp + 1;
        while (end < n_lps && p->rank[end] == p->rank[lp] && p->kp[end] == p->kp[lp]) {
            end++;
        }
        char *to = (char *)ws_out_room(out, LINE_MAX_BYTES);
        if (to == NULL) {
            return false;
        }
        uint64_t last = id_set_at(&c->lps, end - 1);
        if (c->is_complete) {
            first = id_set_at(&c->lps, lp);
        } else { /* covers the numbers up to the next line, for LPs that are not known */
            last = end < n_lps ? id_set_at(&c->lps, end) - 1 : c->largest_lp;
        }
        int n = snprintf(to, LINE_MAX_BYTES, "%" PRIu64, first);
        if (last > first) {
            n += snprintf(to + n, LINE_MAX_BYTES - (size_t)n, "-%" PRIu64, last);
        }
        first = last + 1;
        n += snprintf(to + n, LINE_MAX_BYTES - (size_t)n, " %" PRIu32, p->rank[lp]);
        if (p->n_kps > 0) {
            n += snprintf(to + n, LINE_MAX_BYTES - (size_t)n, " %" PRIu32, p->kp[lp]);
        }
        n += snprintf(to + n, LINE_MAX_BYTES - (size_t)n, "\n");
        ws_out_take(out, (size_t)n);
    }
    return good;
}
