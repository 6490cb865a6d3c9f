/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c - see model.h. The number of slots limits the memory, as --max-memory does in the engine. */
#include "machine/model.h"

#include <assert.h>

#include "bounds/bounds.h"

void wp_model_complete(struct wp_model *m, uint32_t cores, uint32_t interval)
{
    assert(m->ranks > 0 && cores <= m->ranks);
    m->per_processor = cores == 0 ? 1 : (m->ranks + cores - 1) / cores;
    m->processors = (m->ranks + m->per_processor - 1) / m->per_processor;
    const bool crowded = m->processors < m->ranks;
    m->adapts = interval == 0 && !m->windows;
    m->takes_turns = m->adapts && crowded && m->processors == 1;
    if (m->adapts) {
        const uint64_t most = bounds_interval_most(m->event_bytes > 0 ? m->event_bytes : 1);
        m->interval_least = BOUNDS_INTERVAL_LEAST < most ? BOUNDS_INTERVAL_LEAST : most;
        m->interval_most = most;
        const uint64_t crowd = m->takes_turns ? BOUNDS_LEAD_TURN : BOUNDS_LEAD_CROWDED;
        m->lead_most = crowded && crowd < 2 * most ? crowd : 2 * most;
        m->lead_first =
            m->ranks > 1 && m->lead_most > BOUNDS_LEAD_FIRST ? BOUNDS_LEAD_FIRST : m->lead_most;
    } else {
        m->interval_least = m->windows ? UINT64_MAX / 4 : (uint64_t)interval * m->batch;
        m->interval_most = m->interval_least;
        m->lead_most =
            2 * m->interval_most > BOUNDS_LEAD_FIXED ? 2 * m->interval_most : BOUNDS_LEAD_FIXED;
        m->lead_first = m->lead_most;
    }
}
