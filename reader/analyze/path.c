/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * path.c - follows the critical path backwards from its end, and marks its events; see analyze.h.
 *
 * The walk is finite, since the first pass reached each predecessor before its successor. The
 * numbers of events cannot be used to check that, since they ascend only within a PE. A limit on
 * the number of steps prevents an endless loop if the data is wrong.
 */
#include <assert.h>

#include "analyze/analyze.h"

bool analyze_path(struct analyze *a)
{
    uint64_t at = a->path_end, steps = 0;
    while (at != 0 && steps < a->events) {
        uint64_t *element = ws_pages_at(&a->before, at - 1);
        if (element == NULL) {
            return false;
        }
        assert((*element & ANALYZE_ON_PATH) == 0);
        uint64_t before = *element;
        *element = (before & ANALYZE_BY_CAUSE) | ANALYZE_ON_PATH | steps++;
        at = before & ANALYZE_NUMBER;
    }
    assert(at == 0);
    a->path_events = steps;
    return true;
}
